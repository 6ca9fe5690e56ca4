"""Report tables about the cost of questions: a method's own calls, those that formalize premises, and those that
measure.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue_lab.figures.cells import MISSING
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims.row import ClaimRow, Spending
from holdtrue_lab.kit.tables import Cells, Columns, ReportTable, by_part, written

_OWN = "own"
Part = tuple[ClaimRow, Spending]
_PART = Columns[Part]()
_SPENT: Cells[Part] = {
    **_PART.alone("accu\u00adracy", lambda part: part[0].accuracy),
    **_PART.number("calls", lambda part: part[1].calls),
    **_PART.number("gener\u00adated", lambda part: part[1].generated, ".0f"),
    **_PART.number("tokens", lambda part: part[1].tokens, ".0f"),
    **_PART.number("seconds", lambda part: part[1].latency_s),
}
_UNITS = (
    "Generated: tokens that the model wrote; tokens: also those that it was given. Seconds: the calls' own time, those "
    "that ran at the same time added up."
)


def _parts(row: ClaimRow) -> Iterator[tuple[str, Part]]:
    """The parts in which there are calls; always the method's own."""
    parts = ((_OWN, row.costs.own), ("premises", row.costs.extraction), ("measuring", row.costs.measuring))
    for name, spending in parts if row.finished else ():
        if name == _OWN or spending.calls.value:
            yield name, (row, spending)


def _with_solver(part: Part) -> str:
    row, spending = part
    return written(row.costs.seconds, ".2f") if spending is row.costs.own else MISSING


costs = ReportTable(
    "costs",
    "Cost of a question",
    "Means over questions. Own: what the method itself spends; premises: that part of it that formalizes these; "
    "measuring: what verifying its answer costs where the method would not have done so, no part of its own.",
    by_part("part", _parts),
    {**_SPENT, Column("with solver"): _with_solver},
    f"{_UNITS} With solver: own seconds, and the CPU time of the method's solver.",
)


def _purposes(row: ClaimRow) -> Iterator[tuple[str, Part]]:
    return ((purpose, (row, spending)) for purpose, spending in row.costs.purposes.items())


def _spared(row: ClaimRow) -> Iterator[tuple[str, tuple[int, int, int]]]:
    saved, not_asked = row.costs.saved, row.costs.not_asked
    for purpose in sorted({*saved, *not_asked}):
        yield purpose, (saved.get(purpose, 0), not_asked.get(purpose, 0), row.finished)


spared = ReportTable[tuple[int, int, int]](
    "spared",
    "Calls that were planned and not made",
    "Saved: no verdict could depend on the reply, such as that of a third judge where two are sure enough. Not asked: "
    "the answer could not be accepted whatever came of it.",
    by_part("purpose", _spared),
    {
        Column("saved"): lambda found: str(found[0]),
        Column("not asked"): lambda found: str(found[1]),
        Column("questions"): lambda found: str(found[2]),
    },
    "Calls of all rounds, those that would only measure too.",
)

purposes = ReportTable(
    "purposes",
    "Cost of a question, by purpose",
    "Means over questions. All calls count, those that only measure too.",
    by_part("purpose", _purposes),
    _SPENT,
    _UNITS,
)
