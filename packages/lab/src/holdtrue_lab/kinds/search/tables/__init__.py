"""Columns that several tables about searches share."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.search.metrics import COUNT, VERIFIED
from holdtrue_lab.kinds.search.row import SearchRow
from holdtrue_lab.kit.tables import Cells, Columns, columns

ROW = Columns[SearchRow]()
PROBLEMS: Cells[SearchRow] = {Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems)}
TRIALS_OF_PROBLEMS: Cells[SearchRow] = {
    **columns(COUNT),
    **PROBLEMS,
    Column("failed", optional=True): lambda row: str(row.failed),
}
VERIFIED_ALONE = ROW.alone("veri\u00adfied", VERIFIED)
