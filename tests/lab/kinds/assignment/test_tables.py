from __future__ import annotations

from pathlib import Path

import pytest

from holdtrue_lab.figures.cells import p_value, paired_interval, percent, points
from holdtrue_lab.figures.table import SOFT_HYPHEN
from holdtrue_lab.kinds.assignment.failure_tables import (
    TITLES,
    channels,
    cost,
    cost_of_measuring,
    no_answer,
    published_split,
    truncation,
)
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.tables import (
    paired_tests,
    retention,
)
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.report import all_tables
from tests.lab.conftest import read_report
from tests.lab.kit.entries import settings, turn
from tests.lab.kit.lookup import row, rows
from tests.lab.kit.told import told


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


def test_paired_tests_are_the_measured_ones(report: Report) -> None:
    table = paired_tests(report)
    strongest = [each for each in report.comparisons if each.strongest]
    assert len(table.lines) == len(strongest) == 6 < len(report.comparisons)
    for each in strongest:
        shown = row(table, model=each.arm.model, method=each.arm.method, against=each.other.method)
        assert shown["difference, pp"] == points(each.paired.difference)
        assert shown["95% of difference, pp"] == paired_interval(each.paired)
        assert (shown["p"], shown["q"]) == (p_value(each.paired.p), p_value(each.q))


def test_truncation_is_told_for_every_method(report: Report) -> None:
    shown = rows(truncation(report))
    assert len(shown) == sum(len(group.whole) for group in report.groups)
    assert {each["clipped"] for each in shown} == {"0"}
    assert all(each["accuracy, all %"] == each["accuracy, others %"] for each in shown)


def test_the_channels_of_every_method_sum_to_all_wrong_turns(report: Report) -> None:
    table = channels(report)
    titles = {channel: f"{title.replace(SOFT_HYPHEN, '')} %" for channel, title in TITLES.items()}
    for group in report.groups:
        for measured in map(told, group.whole):
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


def test_the_published_split_is_told_apart(report: Report) -> None:
    table = published_split(report)
    measured = told(report.groups[1].whole[0])
    shown = row(table, model=report.groups[1].label, method=measured.arm.method)
    assert shown["upstream drift %"] == percent(measured.upstream_drift.share)
    assert shown["accuracy %"] == percent(measured.accuracy.value)


def test_measuring_is_told_apart_from_the_method(report: Report) -> None:
    for group in report.groups:
        for measured in map(told, group.whole):
            shown = row(cost(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.cost.calls:.2f}"
            shown = row(cost_of_measuring(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.measuring.calls:.2f}"
