"""Tables with a line for each measured row, the last column being how many turns were decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.figures.cells import coverage
from holdtrue.figures.table import Column, Table
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kit.by_row import line_by_row

Cell = Callable[[DriftRow], str]


DECIDED = Column("de\u00adcided")


def decided(row: DriftRow) -> str:
    """The coverage of every rate: turns with a verdict, out of all."""
    return coverage(row.decided, row.turns)


def table_by_row(
    report: Report, name: str, title: str, note: str, cells: Mapping[Column, Cell], *, by_domain: bool = False
) -> Table:
    """One line for each method of each model, or for each of those in each domain; the last column is coverage."""
    return line_by_row(report, name, title, note, {**cells, DECIDED: decided}, by_domain=by_domain)
