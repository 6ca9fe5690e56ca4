"""Columns that several tables about queries share."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.labels.row import LabelRow
from holdtrue_lab.kit.tables import Cells, Columns

ROW = Columns[LabelRow]()
CASES: Cells[LabelRow] = {
    Column("cases"): lambda row: coverage(row.finished, row.problems),
    **ROW.count("failed", lambda row: row.failed, optional=True),
}
ACCURACY = ROW.share("accu\u00adracy", lambda row: row.accuracy)
CONSISTENT = ROW.share("set consis\u00adtency", lambda row: row.sets.consistent)
COST = ROW.number("re\u00advision cost", lambda row: row.sets.cost)
