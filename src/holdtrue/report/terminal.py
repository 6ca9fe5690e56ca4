"""A report for terminals and plain text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from holdtrue.report.folder import Run
from holdtrue.report.runs import Runs
from holdtrue.report.tables.by_row import MODEL
from holdtrue.report.tables.table import Table, folded_titles, widths

# Wide enough for every line: where nobody's terminal is in the way, nothing is wrapped.
_PLAIN_WIDTH = 1000
_WORDS_WIDTH = 10  # where a terminal is narrow, names are folded before numbers are cut


def open_console() -> Console:
    """A console on standard output: plain, with lines as long as they need to be, where that is no terminal."""
    console = Console(highlight=False, soft_wrap=False)
    return console if console.is_terminal else Console(highlight=False, width=_PLAIN_WIDTH, no_color=True)


def show(report: Runs[Any], tables: Iterable[Table], console: Console) -> None:
    """Print what was run, and these tables."""
    for run in report.runs:
        console.print(heading(run))
    for remark in report.remarks:
        console.print(Text(remark, style="italic"))
    for table in tables:
        console.print()
        console.print(as_rich(table, console.width))


def heading(run: Run[Any]) -> Text:
    """What a run is, and whether it is finished."""
    what = [str(run.settings[key]) for key in ("suite", "model", "protocol", "extractor") if key in run.settings]
    line = Text(f"{run.folder}: {', '.join(what)}")
    if not run.complete:
        planned = "an unknown number of" if run.planned is None else run.planned
        line.append(f"; UNFINISHED: {run.finished} of {planned} conversations", style="bold yellow")
    if run.failed:
        line.append(f"; {run.failed} failed", style="bold red")
    return line


def as_rich(table: Table, width: int = _PLAIN_WIDTH) -> RichTable:
    """The table as rich draws it; its note is left to longer reports.

    Where it would be wider than `width`, models get lines of their own, and then wide columns are left out.
    """
    drawn = RichTable(
        title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False, padding=0
    )
    models: list[str] = []
    if _width(table) > width and table.columns[0] == MODEL:
        models = [line[0] for line in table.lines]
        table = table.keep(range(1, len(table.columns)))
    if _width(table) > width:
        table = table.keep(k for k, column in enumerate(table.columns) if not column.wide)
    for column, title in zip(table.columns, folded_titles(table), strict=True):
        if column.words:
            drawn.add_column(title, min_width=_WORDS_WIDTH, overflow="fold")
        else:
            drawn.add_column(title, justify="right", no_wrap=True)
    for number, line in enumerate(table.lines):
        if models and (number == 0 or models[number] != models[number - 1]):
            drawn.add_row(Text(models[number], style="italic", overflow="fold"))
        drawn.add_row(*map(Text, line))  # as text: a name may look like markup
    return drawn


def _width(table: Table) -> int:
    titles = [max(map(len, title.splitlines())) for title in folded_titles(table)]
    return sum(map(max, titles, widths(table))) + len(table.columns)
