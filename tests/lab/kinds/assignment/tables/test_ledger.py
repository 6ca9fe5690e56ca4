from __future__ import annotations

from holdtrue_lab.kinds.assignment.failure_tables import cost, cost_of_measuring
from holdtrue_lab.kinds.assignment.report import Report
from tests.lab.kit.lookup import row
from tests.lab.kit.told import told


def test_measuring_is_told_apart_from_the_method(report: Report) -> None:
    for group in report.groups:
        for measured in map(told, group.whole):
            shown = row(cost(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.cost.calls:.2f}"
            shown = row(cost_of_measuring(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.measuring.calls:.2f}"
