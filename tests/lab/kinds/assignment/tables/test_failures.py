from __future__ import annotations

import pytest

from holdtrue.record import Trigger
from holdtrue_lab.figures.cells import percent
from holdtrue_lab.figures.table import SOFT_HYPHEN
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.tables.failures import (
    TITLES,
    after_retry,
    alarms,
    channels,
    channels_by_domain,
    harm_and_help,
    no_answer,
    published_split,
    triggers,
    truncation,
)
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


def test_the_channels_of_every_method_sum_to_all_wrong_turns(report: Report) -> None:
    table = channels(report)
    titles = {channel: f"{title.replace(SOFT_HYPHEN, '')} %" for channel, title in TITLES.items()}
    for group in report.groups:
        for measured in group.whole:
            shown = row(table, model=group.label, method=measured.arm.method)
            assert shown["wrong"] == str(measured.wrong)
            missing = row(no_answer(report), model=group.label, method=measured.arm.method)
            together = [missing[title] for channel, title in titles.items() if title in missing and measured.wrong]
            assert sum(map(float, together)) == pytest.approx(
                float(shown["no whole answer %"].replace("-", "0")), abs=0.21
            )
            shown |= missing
            cells = [shown[title] for title in titles.values()]
            assert cells == [percent(measured.channels[channel].share) for channel in titles]
            if measured.wrong:
                assert sum(map(float, cells)) == pytest.approx(100, abs=0.31)


def test_domains_have_lines_of_their_own(report: Report) -> None:
    shown = rows(channels_by_domain(report))
    assert len(shown) == 3 * len(rows(channels(report)))
    wrong = {(each["model"], each["method"]): int(each["wrong"]) for each in rows(channels(report))}
    for pair, count in wrong.items():
        assert sum(int(each["wrong"]) for each in shown if (each["model"], each["method"]) == pair) == count


def test_the_published_split_is_told_apart(report: Report) -> None:
    table = published_split(report)
    measured = report.groups[1].whole[0]
    shown = row(table, model=report.groups[1].label, method=measured.arm.method)
    assert shown["upstream drift %"] == percent(measured.upstream_drift.share)
    assert shown["accuracy %"] == percent(measured.accuracy.value)


def test_triggers_are_counted_over_all_attempts(report: Report) -> None:
    measured = report.groups[0].whole[1]
    assert measured.arm.method == "mus_repair"
    fired = measured.triggers[Trigger.ANSWER_LEDGER_CONFLICT]
    shown = row(triggers(report), model=report.groups[0].label, method="mus_repair")
    assert shown["answer ledger conflict"] == f"{fired.events} ({fired.first} > {fired.final})"
    assert fired.events > fired.first > 0
