"""Columns that several tables about assignments share."""

from __future__ import annotations

from holdtrue_lab.figures.cells import coverage
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.assignment.row import DriftRow
from holdtrue_lab.kit.tables import Cells, Columns

ROW = Columns[DriftRow]()
ACCURACY = ROW.alone("accu\u00adracy", lambda row: row.accuracy)


def decided(row: DriftRow) -> str:
    """The coverage of every rate, which ends every table of rates: turns with a verdict, out of all."""
    return coverage(row.decided, row.turns)


COVERAGE = Column("de\u00adcided")
DECIDED: Cells[DriftRow] = {COVERAGE: decided}
