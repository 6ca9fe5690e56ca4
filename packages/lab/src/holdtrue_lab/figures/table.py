"""A table as a plain value. All cells are text already, so that every rendering shows the same numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue_lab.figures.cells import MISSING, WILSON

SOFT_HYPHEN = "\u00ad"  # where a title may be broken
_LEAST = 6  # characters of a line of a title
_NOTHING = frozenset({MISSING, "0", "0.0"})
_IN_INTERVAL = re.compile(r"(\S+) (\[.*)")


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `title` may hold soft hyphens; `words`: it holds words, set from the left, and not numbers.

    `optional`: the column is left out where it would say nothing in any line.
    """

    title: str
    words: bool = False
    optional: bool = False


MODEL = Column("model", words=True)
"""Lines of one model stand together where this is the first column."""


@dataclass(frozen=True, slots=True)
class Table:
    """`name` is good for files and anchors.

    `note` is the caption, at most two sentences; `more` says at length how the table is to be read, where it stands in
    the way of nothing. `over` is what the bootstrap draws in the place of problems, such as cases.
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
        """The sentence that names the methods of the intervals that stand in the table; '' where there is none."""
        cells = {line[k] for line in self.lines for k in interval_places(self)} - {MISSING}
        if not cells:
            return ""
        wilson = any(cell.endswith(WILSON) for cell in cells)
        other = f"; those with {WILSON} are Wilson's, because all {self.over} agree" if wilson else ""
        return f"95% intervals are expanded percentiles of the bootstrap over {self.over}{other}."

    def keep(self, places: Iterable[int]) -> Table:
        """The table with only the columns at these places."""
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
    """The table, without the optional columns that say nothing."""
    table = Table(name, title, note, tuple(columns), tuple(tuple(line) for line in lines), more, over)
    says_nothing = [all(line[k] in _NOTHING for line in table.lines) for k in range(len(columns))]
    return table.keep(k for k, column in enumerate(columns) if not (column.optional and says_nothing[k]))


def interval_places(table: Table) -> frozenset[int]:
    """The places of the columns in which a figure has an interval beside it."""
    return frozenset(
        k
        for k, column in enumerate(table.columns)
        if not column.words and any(split_interval(line[k])[1] for line in table.lines)
    )


def split_interval(cell: str) -> tuple[str, str]:
    """A figure, and the interval beside it or ''."""
    found = _IN_INTERVAL.fullmatch(cell)
    return (found[1], found[2]) if found else (cell, "")


def aligned(table: Table) -> Table:
    """The table with figures that have an interval padded, so that they stand below each other."""
    cells = list(zip(*table.lines, strict=True))
    for k in interval_places(table):
        parts = [split_interval(cell) for cell in cells[k]]
        value, interval = (max(len(part[side]) for part in parts) for side in (0, 1))
        cells[k] = tuple(f"{part[0].rjust(value)} {part[1].rjust(interval)}" for part in parts)
    return replace(table, lines=tuple(zip(*cells, strict=True)))


def with_lines(tables: Iterable[Table]) -> list[Table]:
    """Those of the tables that have a line."""
    return [table for table in tables if table.lines]


def widths(table: Table) -> list[int]:
    """The length of the longest cell of each column."""
    return [max(map(len, cells)) for cells in zip(*table.lines, strict=True)]


def folded_titles(table: Table) -> list[str]:
    """The titles, each in lines that are no longer than they need be."""
    return [fold(column.title, max(width, _LEAST)) for column, width in zip(table.columns, widths(table), strict=True)]


def fold(title: str, width: int) -> str:
    """The title in lines of at most `width` characters, as far as spaces and soft hyphens allow."""
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
