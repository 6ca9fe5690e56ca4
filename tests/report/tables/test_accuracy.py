from __future__ import annotations

from holdtrue.report.cells import p_value, percent, points
from holdtrue.report.read import Report
from holdtrue.report.tables.accuracy import accuracy, accuracy_by_domain, accuracy_by_turn
from tests.report.tables.lookup import row


def test_accuracy_with_its_paired_difference(report: Report) -> None:
    table = accuracy(report)
    for group in report.groups:
        for measured in group.whole:
            shown = row(table, model=group.label, method=measured.arm.method)
            assert shown["accuracy %"] == percent(measured.accuracy.value)
            assert (shown["scored"], shown["decided"]) == ("24/24", "24/24")
            found = [each for each in report.comparisons if each.arm == measured.arm and each.other.method == "direct"]
            if measured.arm.method == "direct":
                assert not found and (shown["vs direct, pp"], shown["q"]) == ("-", "-")
            else:
                assert shown["vs direct, pp"] == points(found[0].paired.difference)
                assert shown["q"] == p_value(found[0].q)


def test_domains_stand_side_by_side(report: Report) -> None:
    table = accuracy_by_domain(report)
    for group in report.groups:
        for measured in group.rows:
            if measured.domain is not None:
                shown = row(table, model=group.label, method=measured.arm.method)
                cell = f"{percent(measured.accuracy.value)} of {measured.scored}"
                assert shown[measured.domain.replace("_", " ")] == cell


def test_turns_stand_side_by_side(report: Report) -> None:
    table = accuracy_by_turn(report)
    for group in report.groups:
        for measured in group.whole:
            shown = row(table, model=group.label, method=measured.arm.method)
            for point in measured.depth:
                assert shown[f"turn {point.turn}"] == percent(point.accuracy.value)
