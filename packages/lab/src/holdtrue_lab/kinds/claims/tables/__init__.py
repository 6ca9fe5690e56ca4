"""Columns that several tables about claims share."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Figured
from holdtrue_lab.kit.tables import Cells, Columns, alone, columns

ROW = Columns[FigureRow]()
# Accuracy is the first column, which a narrow terminal repeats in every part of a table.
ACCURACY: Cells[Figured] = alone(metrics.ACCURACY)
CLAIMS: Cells[Figured] = columns(metrics.CLAIMS)
OF_ITEMS: Cells[FigureRow] = {Column("items"): lambda row: coverage(row.finished, row.problems)}
ITEMS: Cells[FigureRow] = {**OF_ITEMS, **ROW.count("failed", lambda row: row.failed, optional=True)}
