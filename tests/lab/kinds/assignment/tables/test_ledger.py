from __future__ import annotations

from holdtrue_lab.figures.cells import mean, percent
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kinds.assignment.tables.ledger import cost, cost_of_measuring, delivery, ledger, structure
from tests.lab.kit.lookup import row, rows


def test_ledgers_and_deliveries(report: Report) -> None:
    for group in report.groups:
        for measured in group.whole:
            shown = row(ledger(report), model=group.label, method=measured.arm.method)
            shown |= row(delivery(report), model=group.label, method=measured.arm.method)
            assert shown["phantoms a turn"] == mean(measured.ledger.phantoms, measured.scored)
            assert shown["churn %"] == percent(measured.ledger.churn.value)
            assert shown["projected %"] == percent(measured.projected.value)
            assert "abstained %" not in shown, "nothing abstained"


def test_measuring_is_told_apart_from_the_method(report: Report) -> None:
    for group in report.groups:
        for measured in group.whole:
            shown = row(cost(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.cost.calls:.2f}"
            shown = row(cost_of_measuring(report), model=group.label, method=measured.arm.method)
            assert shown["calls"] == f"{measured.measuring.calls:.2f}"


def test_problems_have_their_structure(report: Report) -> None:
    shown = rows(structure(report))
    assert {each["domain"] for each in shown} == {"logic_grid", "scheduling", "seating"}
    assert all((each["problems"], each["mean turns"]) == ("2", "4.00") for each in shown)
    assert row(structure(report), domain="logic_grid")["entities"] == "4.00"
