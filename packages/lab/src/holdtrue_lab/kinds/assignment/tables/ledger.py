"""Report tables about ledgers against gold, delivered answers, costs, and the problems themselves."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue_lab.figures.cells import coverage, decimal, divide, mean, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.assignment.row import Cost, DriftRow
from holdtrue_lab.kinds.assignment.structure import Structure
from holdtrue_lab.kinds.assignment.tables import ACCURACY, DECIDED
from holdtrue_lab.kit.tables import BY_METHOD, DOMAIN, Cells, Lines, ReportTable

ledger = ReportTable[DriftRow](
    "ledger",
    "The ledger against gold",
    "A phantom is a commitment in the ledger that gold does not have, a gap a gold constraint that the ledger does not "
    "have; means per scored turn.",
    BY_METHOD,
    {
        Column("phan\u00adtoms a turn"): lambda row: mean(row.ledger.phantoms, row.scored),
        Column("with phan\u00adtoms %"): lambda row: percent(divide(row.ledger.turns_with_phantoms, row.scored)),
        Column("gaps a turn"): lambda row: mean(row.ledger.gaps, row.scored),
        Column("with gaps %"): lambda row: percent(divide(row.ledger.turns_with_gaps, row.scored)),
        Column("not all read %", optional=True): lambda row: percent(row.unread.value),
        Column("scored"): lambda row: coverage(row.scored, row.turns),
        **DECIDED,
    },
    "Not all read: turns whose message has a sentence that was not read, or not with confidence.",
)

delivery = ReportTable[DriftRow](
    "delivery",
    "What was delivered",
    "Churn: values changed from the last delivered answer. Projected: the solver made the answer, and abstained: none "
    "was given, are of all turns.",
    BY_METHOD,
    {
        **ACCURACY,
        Column("churn %"): lambda row: percent(row.ledger.churn.value),
        Column("pro\u00adjected %", optional=True): lambda row: percent(row.projected.value),
        Column("ab\u00adstained %", optional=True): lambda row: percent(row.abstained.value),
        Column("scored"): lambda row: coverage(row.scored, row.turns),
        **DECIDED,
    },
)


def _cost(read: Callable[[DriftRow], Cost]) -> Cells[DriftRow]:
    return {
        **ACCURACY,
        Column("calls"): lambda row: f"{read(row).calls:.2f}",
        Column("prompt tokens"): lambda row: f"{read(row).prompt_tokens:.0f}",
        Column("com\u00adpletion tokens"): lambda row: f"{read(row).completion_tokens:.0f}",
        Column("seconds"): lambda row: f"{read(row).seconds:.2f}",
        **DECIDED,
    }


cost = ReportTable(
    "cost",
    "Cost of a turn",
    "Means per turn: calls, tokens of prompts and of completions, and seconds of calls and solver. What only measuring "
    "the method added stands in a table of its own.",
    BY_METHOD,
    _cost(lambda row: row.cost),
)
cost_of_measuring = ReportTable(
    "cost_of_measuring",
    "Cost of measuring a turn",
    "Means per turn of the calls that only measuring the method added.",
    BY_METHOD,
    _cost(lambda row: row.measuring),
)


structure = ReportTable[Structure](
    "structure",
    "The problems",
    "Entities are those that answers speak of, types the constraint types that were ever read; final is the mean "
    "number of gold constraints at the last turn. Of problems that were played (DRIFT-Bench, table 2).",
    Lines((DOMAIN,), lambda report: (((each.domain,), each) for each in report.structures)),
    {
        Column("prob\u00adlems"): lambda each: str(each.problems),
        Column("mean turns"): lambda each: decimal(each.turns),
        Column("short\u00adest"): lambda each: str(each.shortest),
        Column("longest"): lambda each: str(each.longest),
        Column("enti\u00adties"): lambda each: decimal(each.entities),
        Column("types"): lambda each: str(len(each.types)),
        Column("final"): lambda each: decimal(each.final),
    },
)
