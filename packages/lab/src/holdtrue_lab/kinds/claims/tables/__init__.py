"""Columns that several tables about claims share."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims.row import ClaimRow
from holdtrue_lab.kit.tables import Cells, Columns

ROW = Columns[ClaimRow]()
# A terminal that is too narrow repeats the first figure in every part: nothing verified stands without it.
ACCURACY = ROW.alone("accu\u00adracy", lambda row: row.accuracy)
ACCURACY_INTERVAL = ROW.share("accu\u00adracy", lambda row: row.accuracy)
ITEMS: Cells[ClaimRow] = {
    Column("items"): lambda row: coverage(row.finished, row.problems),
    **ROW.count("failed", lambda row: row.failed, optional=True),
}
CLAIMS = ROW.count("claims", lambda row: row.verdicts.claims)
