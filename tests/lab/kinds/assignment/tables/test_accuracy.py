from __future__ import annotations

from pathlib import Path

from holdtrue_lab.figures.cells import p_value, percent, points
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.tables.accuracy import (
    accuracy,
    accuracy_against_direct,
    accuracy_by_domain,
    accuracy_by_turn,
    retention,
)
from holdtrue_lab.kinds.assignment.tables.comparisons import paired_tests
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.report import all_tables
from tests.lab.conftest import read_report
from tests.lab.kit.entries import settings, turn
from tests.lab.kit.lookup import row, rows


def test_accuracy_stands_alone_and_differences_stand_with_their_own_weight(report: Report) -> None:
    table, against = accuracy(report), rows(accuracy_against_direct(report))
    for group in report.groups:
        for measured in group.whole:
            shown = row(table, model=group.label, method=measured.arm.method)
            assert shown["accuracy %"] == percent(measured.accuracy.value)
            assert (shown["scored"], shown["decided"]) == ("24/24", "24/24")
            found = [each for each in report.comparisons if each.arm == measured.arm and each.other.method == "direct"]
            if measured.arm.method == "direct":
                assert not found
            about = (group.label, measured.arm.method)
            compared = [each for each in against if (each["model"], each["method"]) == about]
            assert [(each["accuracy %"], each["vs direct, pp"], each["q"]) for each in compared] == [
                (percent(each.mean), points(each.paired.difference), p_value(each.q)) for each in found
            ]


def test_domains_stand_side_by_side(report: Report) -> None:
    table = accuracy_by_domain(report)
    for group in report.groups:
        for measured in group.rows:
            if measured.domain is not None:
                shown = row(table, model=group.label, method=measured.arm.method)
                cell = f"{percent(measured.accuracy.value)} of {measured.scored}"
                assert shown[measured.domain.replace("_", " ")] == cell


def test_turns_stand_below_each_other(report: Report) -> None:
    table = accuracy_by_turn(report)
    for group in report.groups:
        for measured in group.whole:
            for point in measured.depth:
                shown = row(table, model=group.label, method=measured.arm.method, turn=str(point.turn))
                assert (shown["accuracy %"], shown["scored"]) == (percent(point.accuracy.value), str(point.accuracy.of))


def test_retention_is_told_both_ways_and_of_how_many(tmp_path: Path) -> None:
    with Journal(tmp_path, settings(problems=3)) as journal:
        for problem, last in (("p", True), ("q", False)):
            journal.append(turn(problem, 1, turns=10))
            journal.append(turn(problem, 10, turns=10, correct=last))
        journal.append(turn("r", 1, correct=False, turns=1))
    report = read_report([tmp_path])
    shown = row(retention(report), method="direct")
    assert (shown["turn 1 %"], shown["turn 10 %"]) == ("66.7 of 3", "50.0 of 2")
    assert (shown["as published %"], shown["same problems %"], shown["with both"]) == ("75.0", "50.0", "2")
    assert "retention" in {table.name for table in all_tables(report)}


def test_without_a_tenth_turn_there_is_no_retention(report: Report) -> None:
    assert not retention(report).lines


def test_a_difference_over_several_folders_is_over_the_problems_of_all(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        with Journal(folder, settings(problems=1, methods=("direct", "cot"))) as journal:
            for method in ("direct", "cot"):
                journal.append(turn(f"p_{folder.name}", 1, turns=1, method=method, correct=method == "cot"))
    report = read_report(folders)
    assert len(rows(accuracy(report))) == 4
    assert not accuracy_against_direct(report).lines
    assert row(paired_tests(report), method="cot")["problems"] == "2"
