"""Columns that several tables about searches share."""

from __future__ import annotations

from holdtrue.figures.cells import coverage
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.search.metrics import COUNT, VERIFIED
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.tables import Cells, Columns, columns

ROW = Columns[SearchRow]()
PROBLEMS: Cells[SearchRow] = {Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems)}
TRIALS_OF_PROBLEMS: Cells[SearchRow] = {
    **columns(COUNT),
    **PROBLEMS,
    Column("failed", optional=True): lambda row: str(row.failed),
}
VERIFIED_ALONE = ROW.alone("veri\u00adfied", VERIFIED)
