"""The ledger against gold, what was delivered, and what it cost."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import coverage, divide, mean, percent
from holdtrue.figures.table import Column, Table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import Cost, DriftRow
from holdtrue.lab.kinds.assignment.tables.by_row import Cell, table_by_row


def delivery(report: Report) -> Table:
    """How good the ledger was, and what was delivered: values changed, solver's answers, no answer."""
    return table_by_row(
        report,
        "delivery",
        "The ledger against gold, and what was delivered",
        "A phantom is a commitment in the ledger that gold does not have, a gap a gold constraint that the ledger does "
        "not have; means per scored turn. Not all read: turns whose message has a sentence that was not read, or not "
        "with confidence. Churn: values changed from the last delivered answer. Projected: the solver made the answer. "
        "Abstained: none was given.",
        {
            Column("phan\u00adtoms a turn"): lambda row: mean(row.ledger.phantoms, row.scored),
            Column("with phan\u00adtoms %"): lambda row: percent(divide(row.ledger.turns_with_phantoms, row.scored)),
            Column("gaps a turn"): lambda row: mean(row.ledger.gaps, row.scored),
            Column("with gaps %"): lambda row: percent(divide(row.ledger.turns_with_gaps, row.scored)),
            Column("not all read %", optional=True): lambda row: percent(row.unread.value),
            Column("churn %"): lambda row: percent(row.ledger.churn.value),
            Column("pro\u00adjected %", optional=True): lambda row: percent(row.projected.value),
            Column("ab\u00adstained %", optional=True): lambda row: percent(row.abstained.value),
            Column("scored"): lambda row: coverage(row.scored, row.turns),
        },
    )


def cost(report: Report) -> Table:
    """What a turn cost, by the method itself and for measuring it."""
    return table_by_row(
        report,
        "cost",
        "Cost of a turn",
        "Means per turn: calls, tokens of prompts and of completions, and the calls' own seconds. What only measuring "
        "the method added is told apart.",
        {
            **_cost("", lambda row: row.cost),
            **_cost("meas\u00aduring: ", lambda row: row.measuring),
        },
    )


def _cost(prefix: str, read: Callable[[DriftRow], Cost]) -> dict[Column, Cell]:
    return {
        Column(f"{prefix}calls"): lambda row: f"{read(row).calls:.2f}",
        Column(f"{prefix}prompt"): lambda row: f"{read(row).prompt_tokens:.0f}",
        Column(f"{prefix}compl."): lambda row: f"{read(row).completion_tokens:.0f}",
        Column(f"{prefix}seconds"): lambda row: f"{read(row).seconds:.2f}",
    }
