"""Tables with a line for each measured row."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.groups import Names, Row
from holdtrue.lab.kit.runs import Runs

METHOD = Column("method", words=True)
DOMAIN = Column("do\u00admain", words=True)


def line_by_row(
    report: Runs[Row],
    name: str,
    title: str,
    note: str,
    cells: Mapping[Column, Callable[[Row], str]],
    *,
    by_domain: bool = False,
) -> Table:
    """One line for each method of each model, or for each of those in each domain."""
    columns = [MODEL, METHOD, *([DOMAIN] if by_domain else []), *cells]
    rows = [(group.label, row) for group in report.groups for row in group.rows]
    lines = [_line(report.names, *each, cells) for each in rows if (each[1].domain is not None) is by_domain]
    return make_table(name, title, note, columns, lines)


def _line(names: Names, label: str, row: Row, cells: Mapping[Column, Callable[[Row], str]]) -> tuple[str, ...]:
    return (*_about(names, label, row.arm, row.domain), *[cell(row) for cell in cells.values()])


def _about(names: Names, label: str, arm: Arm, domain: str | None) -> tuple[str, ...]:
    return (label, names.method(arm), domain) if domain else (label, names.method(arm))
