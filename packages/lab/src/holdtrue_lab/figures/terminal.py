"""This module draws tables on terminals and as plain text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich import box
from rich.console import Console, Group
from rich.constrain import Constrain
from rich.table import Table as RichTable
from rich.text import Text

from holdtrue_lab.figures.table import MODEL, Table, aligned, folded_titles, widths

# The width if the output is no terminal; at this width no line is wrapped.
_PLAIN_WIDTH = 1000
NOTE_WIDTH = 120  # the longest line of prose, even if the terminal is wider
_WORDS_WIDTH = 10  # on a narrow terminal, names are folded to this width


def open_console() -> Console:
    """Return a console on standard output. If the output is no terminal, the console writes plain lines of any length.

    The environment variable `COLUMNS` limits this length.
    """
    console = Console(highlight=False, soft_wrap=False)
    if console.is_terminal:
        return console
    width = None if os.environ.get("COLUMNS", "").isdigit() else _PLAIN_WIDTH
    return Console(highlight=False, width=width, no_color=True)


def draw(table: Table, width: int = _PLAIN_WIDTH) -> Iterator[Group]:
    """Yield the table in one or more parts for rich, with its note below its title.

    If the table is wider than `width`, models get separate lines, or a single model goes into the title. If the table
    is still wider, it is drawn in several parts, so that no figure is cut.
    """
    models: list[str] = []
    table = aligned(table)
    if _width(table) > width and table.columns[0] == MODEL:
        models = [line[0] for line in table.lines]
        table = table.keep(range(1, len(table.columns)))
        if len(set(models)) == 1:
            table, models = replace(table, title=f"{table.title}: {models[0]}"), []
    for part in _parts(table, width):
        head = [Text(part.title, style="bold")]
        if part.note:
            head.append(Text(part.note, style="dim"))
        yield Group(*(Constrain(each, NOTE_WIDTH) for each in head), _as_rich(part, models))


def name_intervals(tables: Iterable[Table]) -> Iterator[Constrain]:
    """Yield the sentences that name the methods of the intervals in these tables, each of them once."""
    named = dict.fromkeys(table.intervals for table in tables if table.intervals)
    for words in named:
        if not any(other != words and other.startswith(words.rstrip(".")) for other in named):  # `other` says more
            yield Constrain(Text(words, style="dim"), NOTE_WIDTH)


def _parts(table: Table, width: int) -> Iterator[Table]:
    """Yield the table in as few parts as possible.

    Each part begins with the names and the first figure, usually accuracy, so that no part shows figures without it.
    """
    least = [
        min(each, _WORDS_WIDTH) if column.words else each
        for column, each in zip(table.columns, _widths(table), strict=True)
    ]
    numbers = [k for k, column in enumerate(table.columns) if not column.words]
    lead = [k for k, column in enumerate(table.columns) if column.words or k in numbers[:1]]
    room = width - sum(least[k] + 1 for k in lead)
    parts: list[list[int]] = [[]]
    for k in numbers[1:]:
        if parts[-1] and sum(least[each] + 1 for each in (*parts[-1], k)) > room:
            parts.append([])
        parts[-1].append(k)
    for number, part in enumerate(parts):
        own = table.keep([*lead, *part])
        yield replace(own, title=f"{own.title}, continued", note="") if number else own


def _as_rich(table: Table, models: Sequence[str]) -> RichTable:
    drawn = RichTable(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=0,
    )
    for column, title, natural in zip(table.columns, folded_titles(table), _widths(table), strict=True):
        if column.words:
            drawn.add_column(title, min_width=min(natural, _WORDS_WIDTH), overflow="fold")
        else:
            drawn.add_column(title, justify="right", no_wrap=True)
    for number, line in enumerate(table.lines):
        if models and (number == 0 or models[number] != models[number - 1]):
            drawn.add_row(Text(models[number], style="italic", overflow="fold"))
        drawn.add_row(*map(Text, line))  # rich must not interpret a name as markup
    return drawn


def _width(table: Table) -> int:
    return sum(_widths(table)) + len(table.columns)


def _widths(table: Table) -> list[int]:
    titles = [max(map(len, title.splitlines())) for title in folded_titles(table)]
    return list(map(max, titles, widths(table)))
