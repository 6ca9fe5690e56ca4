from __future__ import annotations

from holdtrue_lab.figures.cells import percent
from holdtrue_lab.kinds.assignment.failure_tables import (
    published_split,
    truncation,
)
from holdtrue_lab.kinds.assignment.report import Report
from tests.lab.kit.lookup import row, rows
from tests.lab.kit.told import told


def test_truncation_is_told_for_every_method(report: Report) -> None:
    shown = rows(truncation(report))
    assert len(shown) == sum(len(group.whole) for group in report.groups)
    assert {each["clipped"] for each in shown} == {"0"}
    assert all(each["accuracy, all %"] == each["accuracy, others %"] for each in shown)


def test_the_published_split_is_told_apart(report: Report) -> None:
    table = published_split(report)
    measured = told(report.groups[1].whole[0])
    shown = row(table, model=report.groups[1].label, method=measured.arm.method)
    assert shown["upstream drift %"] == percent(measured.upstream_drift.share)
    assert shown["accuracy %"] == percent(measured.accuracy.value)
