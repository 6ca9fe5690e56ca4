from __future__ import annotations

from holdtrue.figures.cells import percent
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.tables.repair import after_retry, alarms, harm_and_help, truncation
from holdtrue.record import Trigger
from tests.lab.kit.lookup import row, rows


def test_harm_stands_beside_help(report: Report) -> None:
    for group in report.groups:
        for measured in group.whole:
            shown = row(harm_and_help(report), model=group.label, method=measured.arm.method)
            repair = measured.repair
            cells = [shown[name] for name in ("retried", "fixed", "harmed", "still right", "still wrong")]
            rates = (repair.retried, repair.fixed, repair.harmed, repair.still_right, repair.still_wrong)
            assert cells == list(map(str, rates))
            shown = row(alarms(report), model=group.label, method=measured.arm.method)
            assert shown["alarm precision %"] == percent(measured.alarm.precision.value)
            assert sum(map(int, cells[1:])) == measured.scored


def test_only_triggers_that_were_acted_on_have_a_line(report: Report) -> None:
    shown = rows(after_retry(report))
    expected = [
        (group.label, measured.arm.method, code.value.replace("_", " "), str(measured.after_retry[code].turns))
        for group in report.groups
        for measured in group.whole
        for code in Trigger
        if measured.after_retry[code].turns
    ]
    assert [(each["model"], each["method"], each["trigger"], each["turns"]) for each in shown] == expected
    assert len(expected) > 3


def test_truncation_is_told_for_every_method(report: Report) -> None:
    shown = rows(truncation(report))
    assert len(shown) == sum(len(group.whole) for group in report.groups)
    assert {each["clipped"] for each in shown} == {"0"}
    assert all(each["accuracy, all %"] == each["accuracy, others %"] for each in shown)
