"""Columns that several tables about searches share."""

from __future__ import annotations

from holdtrue.figures.cells import coverage
from holdtrue.figures.table import Column
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.tables import Cells, Columns

ROW = Columns[SearchRow]()
PROBLEMS: Cells[SearchRow] = {
    Column("trials"): lambda row: str(row.trials),
    Column("prob\u00adlems"): lambda row: coverage(row.finished, row.problems),
    Column("failed", optional=True): lambda row: str(row.failed),
}
VERIFIED = ROW.share("veri\u00adfied", lambda row: row.verified)
VERIFIED_ALONE = ROW.alone("veri\u00adfied", lambda row: row.verified)
SAT = ROW.share("sat certi\u00adfied", lambda row: row.sat_certified)
PRECISION = ROW.share("unsat pre\u00adcision", lambda row: row.claims.precision)
RECALL = ROW.share("unsat recall", lambda row: row.claims.recall)
