"""Report tables about ledgers against gold, delivered answers, costs, and the problems themselves."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.figures.cells import coverage, decimal, divide, mean, percent
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.assignment.row import Cost, DriftRow
from holdtrue.lab.kinds.assignment.structure import Structure
from holdtrue.lab.kinds.assignment.tables import DECIDED
from holdtrue.lab.kit.tables import BY_METHOD, DOMAIN, Cells, Lines, ReportTable

delivery = ReportTable[DriftRow](
    "delivery",
    "The ledger against gold, and what was delivered",
    "A phantom is a commitment in the ledger that gold does not have, a gap a gold constraint that the ledger does "
    "not have; both are of scored turns, and churn is the share of values changed from the last delivered answer. "
    "Of all turns: not all read, where a sentence was not read, or not with confidence; projected, where the "
    "solver made "
    "the answer; abstained, where none was given.",
    BY_METHOD,
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
        **DECIDED,
    },
)


def _cost(prefix: str, read: Callable[[DriftRow], Cost]) -> Cells[DriftRow]:
    return {
        Column(f"{prefix}calls"): lambda row: f"{read(row).calls:.2f}",
        Column(f"{prefix}prompt"): lambda row: f"{read(row).prompt_tokens:.0f}",
        Column(f"{prefix}compl."): lambda row: f"{read(row).completion_tokens:.0f}",
        Column(f"{prefix}seconds"): lambda row: f"{read(row).seconds:.2f}",
    }


cost = ReportTable(
    "cost",
    "Cost of a turn",
    "Means per turn: calls, tokens of prompts and of completions, and seconds of calls and solver. What only measuring "
    "the method added is told apart.",
    BY_METHOD,
    {**_cost("", lambda row: row.cost), **_cost("meas\u00aduring: ", lambda row: row.measuring), **DECIDED},
)


structure = ReportTable[Structure](
    "structure",
    "The problems",
    "Entities are those that answers speak of, types the constraint types that were ever read; final is the mean "
    "number of gold constraints at the last turn. Of problems that were played. (DRIFT-Bench, table 2.)",
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
