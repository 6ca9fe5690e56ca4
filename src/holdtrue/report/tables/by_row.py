"""Tables with a line for each measured row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.evaluation.metrics.drift_row import DriftRow
from holdtrue.report.cells import coverage
from holdtrue.report.read import Report
from holdtrue.report.tables.table import Column, Table, make_table

Cell = Callable[[DriftRow], str]
MODEL = Column("model", words=True)  # where it is the first column, lines of one model stand together
METHOD = Column("method", words=True)
DOMAIN = Column("do\u00admain", words=True)
DECIDED = Column("de\u00adcided")


def decided(row: DriftRow) -> str:
    """The coverage of every rate: turns with a verdict, out of all."""
    return coverage(row.decided, row.turns)


def table_by_row(
    report: Report, name: str, title: str, note: str, cells: Mapping[Column, Cell], *, by_domain: bool = False
) -> Table:
    """One line for each method of each model, or for each of those in each domain; the last column is coverage."""
    columns = [MODEL, METHOD, *([DOMAIN] if by_domain else []), *cells, DECIDED]
    lines = []
    for group in report.groups:
        for row in group.rows:
            if (row.domain is not None) is by_domain:
                names = (group.label, report.names.method(row.arm), *([row.domain] if row.domain else []))
                lines.append((*names, *(cell(row) for cell in cells.values()), decided(row)))
    return make_table(name, title, note, columns, lines)
