"""This module defines a table whose cells are texts, so that every form of output shows the same numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue_lab.figures.cells import MISSING, WILSON

SOFT_HYPHEN = "\u00ad"  # a title may be broken at this character
_LEAST = 6  # the smallest width of a title's lines in characters
_NOTHING = frozenset({MISSING, "0", "0.0"})
_IN_INTERVAL = re.compile(r"(\S+) (\[.*)")


@dataclass(frozen=True, slots=True)
class Column:
    """A `Column` describes a column of a table. Its `title` may have soft hyphens.

    If `words` is true, the column has texts, aligned left, and no numbers. An `optional` column is left out if all its
    cells are empty or zero.
    """

    title: str
    words: bool = False
    optional: bool = False


MODEL = Column("model", words=True)
"""The column of models. If it is the first column, the lines of one model are grouped."""


@dataclass(frozen=True, slots=True)
class Table:
    """A `Table` has a `name` for files and anchors, a title, columns and lines.

    `note` is the caption, at most two sentences. `more` explains the table at length. `over` names the units that the
    bootstrap draws, such as cases.
    """

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    lines: tuple[tuple[str, ...], ...]
    more: str = ""
    over: str = "problems"

    @property
    def intervals(self) -> str:
        """The sentence that names the methods of the table's intervals; '' if it has none."""
        cells = {line[k] for line in self.lines for k in interval_places(self)} - {MISSING}
        if not cells:
            return ""
        wilson = any(cell.endswith(WILSON) for cell in cells)
        other = f"; those with {WILSON} are Wilson's, because all {self.over} agree" if wilson else ""
        return f"95% intervals are expanded percentiles of the bootstrap over {self.over}{other}."

    def keep(self, places: Iterable[int]) -> Table:
        """Return the table with only the columns at these places."""
        places = list(places)
        columns = tuple(self.columns[k] for k in places)
        return replace(self, columns=columns, lines=tuple(tuple(line[k] for k in places) for line in self.lines))


def make_table(
    name: str,
    title: str,
    note: str,
    columns: Sequence[Column],
    lines: Iterable[Sequence[str]],
    more: str = "",
    over: str = "problems",
) -> Table:
    """Return the table without optional columns whose cells are all empty or zero."""
    table = Table(name, title, note, tuple(columns), tuple(tuple(line) for line in lines), more, over)
    says_nothing = [all(line[k] in _NOTHING for line in table.lines) for k in range(len(columns))]
    return table.keep(k for k, column in enumerate(columns) if not (column.optional and says_nothing[k]))


def interval_places(table: Table) -> frozenset[int]:
    """Return the places of the columns that have figures with intervals."""
    return frozenset(
        k
        for k, column in enumerate(table.columns)
        if not column.words and any(split_interval(line[k])[1] for line in table.lines)
    )


def split_interval(cell: str) -> tuple[str, str]:
    """Return the figure and the interval of a cell; the interval may be ''."""
    found = _IN_INTERVAL.fullmatch(cell)
    return (found[1], found[2]) if found else (cell, "")


def aligned(table: Table) -> Table:
    """Return the table with figures and intervals padded, so that they align vertically."""
    cells = list(zip(*table.lines, strict=True))
    for k in interval_places(table):
        parts = [split_interval(cell) for cell in cells[k]]
        value, interval = (max(len(part[side]) for part in parts) for side in (0, 1))
        cells[k] = tuple(f"{part[0].rjust(value)} {part[1].rjust(interval)}" for part in parts)
    return replace(table, lines=tuple(zip(*cells, strict=True)))


def with_lines(tables: Iterable[Table]) -> list[Table]:
    """Return the tables that have a line."""
    return [table for table in tables if table.lines]


def widths(table: Table) -> list[int]:
    """Return the length of the longest cell of each column."""
    return [max(map(len, cells)) for cells in zip(*table.lines, strict=True)]


def folded_titles(table: Table) -> list[str]:
    """Return the titles, each folded to about the width of its column."""
    return [fold(column.title, max(width, _LEAST)) for column, width in zip(table.columns, widths(table), strict=True)]


def fold(title: str, width: int) -> str:
    """Return the title in lines of at most `width` characters, as far as spaces and soft hyphens allow."""
    lines = [""]
    for word in title.split(" "):
        start = " " if lines[-1] else ""
        pieces = word.split(SOFT_HYPHEN)
        for number, piece in enumerate(pieces):
            hyphen = "-" if number < len(pieces) - 1 else ""
            if lines[-1] and len(lines[-1] + start + piece + hyphen) > width:
                lines[-1] += "-" if number else ""
                lines.append(piece)
            else:
                lines[-1] += start + piece
            start = ""
    return "\n".join(lines)
