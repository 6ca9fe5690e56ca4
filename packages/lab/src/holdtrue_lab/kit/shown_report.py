"""This module prints a report on a terminal: its runs, headlines and tables, and the names of other tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.constrain import Constrain
from rich.text import Text

from holdtrue_lab.figures.table import Table
from holdtrue_lab.figures.terminal import NOTE_WIDTH, draw, name_intervals
from holdtrue_lab.kit.folder import Run
from holdtrue_lab.kit.headline import Headline
from holdtrue_lab.kit.runs import Runs


def show(
    report: Runs[Any],
    tables: Sequence[Table],
    console: Console,
    headlines: Iterable[Headline] = (),
    others: Sequence[Table] = (),
) -> None:
    """Print the runs, the headlines, these tables, the meaning of intervals, and the names of the other tables."""
    for run in report.runs:
        console.print(heading(run))
    for remark in report.remarks:
        console.print(_words(Text(remark, style="italic")))
    for headline in headlines:
        console.print()
        console.print(_words(_headline(headline)))
    show_tables([_without(table, report.remarks) for table in tables], console)
    if others:
        names = ", ".join(table.name for table in others)
        console.print()
        console.print(_words(Text(f"Other tables (--table NAME, or --all): {names}", style="dim")))


def show_tables(tables: Sequence[Table], console: Console) -> None:
    """Print tables, and below them the meaning of their intervals."""
    for table in tables:
        for part in draw(table, console.width):
            console.print()
            console.print(part)
    for sentence in name_intervals(tables):
        console.print()
        console.print(sentence)


def _words(text: Text) -> Constrain:
    """Return the text in lines of a readable length, even if the terminal is wider."""
    return Constrain(text, NOTE_WIDTH)


def _headline(headline: Headline) -> Text:
    text = Text(headline.model, style="bold", overflow="fold")
    for figure in headline.figures:
        text.append(f"\n  {figure.method} {figure.accuracy}%", style="not bold")
        text.append(f": {figure.scored}; {figure.wrong}", style="not bold dim")
    if headline.gain:
        text.append(f"\n  gain: {headline.gain}", style="not bold")
    return text


def _without(table: Table, remarks: Iterable[str]) -> Table:
    """Return the table without those `remarks` in its note that are printed above all tables."""
    note = table.note
    for remark in remarks:
        note = note.replace(remark, "")
    return replace(table, note=note.strip())


def heading(run: Run[Any]) -> Text:
    """Return a line about a run's settings, and about its progress if it is unfinished."""
    what = [str(run.settings[key]) for key in ("suite", "model", "protocol", "extractor") if key in run.settings]
    line = Text(f"{run.folder}: {', '.join(what)}")
    if not run.complete:
        planned = "an unknown number of" if run.planned is None else run.planned
        line.append(f"; UNFINISHED: {run.finished} of {planned} conversations", style="bold yellow")
    if run.failed:
        line.append(f"; {run.failed} failed", style="bold red")
    return line
