"""Report tables about the cost of questions, by the purpose of calls."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue_lab.figures.cells import MISSING
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kinds.claims.tables import ACCURACY
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Part
from holdtrue_lab.kit.tables import ReportTable, by_part, columns, written

_OWN = "own"


def _parts(row: FigureRow) -> Iterator[tuple[str, Part]]:
    """Yield the parts that have calls, and always the method's own."""
    parts = ((_OWN, metrics.OWN), ("premises", metrics.EXTRACTION), ("measuring", metrics.MEASURING))
    for name, part in parts if row.finished else ():
        if name == _OWN or metrics.CALLS(part(row)).value:
            yield name, Part({"part": name}, {**row.figures, **part(row).figures})


def _with_solver(part: Part) -> str:
    return written(metrics.SECONDS(part), ".2f") if part.name == _OWN else MISSING


costs = ReportTable(
    "costs",
    "Cost of a question",
    "Means over questions. Own: what the method itself spends; premises: that part of it that formalizes these; "
    "measuring: what verifying its answer costs where the method would not have done so, no part of its own.",
    by_part("part", _parts),
    {**ACCURACY, **columns(*metrics.SPENT), Column("with solver"): _with_solver},
    "Generated: tokens that the model wrote; tokens: also those that it was given. Seconds: the calls' own time, those "
    "that ran at the same time added up. With solver: own seconds, and the CPU time of the method's solver.",
)


def _spared(row: FigureRow) -> Iterator[tuple[str, tuple[int, int, int]]]:
    saved, not_asked = metrics.SAVED(row), metrics.NOT_ASKED(row)
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
