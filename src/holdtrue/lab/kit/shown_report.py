"""Print a report on a terminal: what was run, and its tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.text import Text

from holdtrue.figures.table import Table
from holdtrue.figures.terminal import draw
from holdtrue.lab.kit.folder import Run
from holdtrue.lab.kit.runs import Runs


def show(report: Runs[Any], tables: Iterable[Table], console: Console) -> None:
    """Print what was run, and these tables."""
    for run in report.runs:
        console.print(heading(run))
    for remark in report.remarks:
        console.print(Text(remark, style="italic"))
    for table in tables:
        for part in draw(_without(table, report.remarks), console.width):
            console.print()
            console.print(part)


def _without(table: Table, remarks: Iterable[str]) -> Table:
    """The table, its note without what stands above all tables."""
    note = table.note
    for remark in remarks:
        note = note.replace(remark, "")
    return replace(table, note=note.strip())


def heading(run: Run[Any]) -> Text:
    """Return a line that says what a run is, and whether it is finished."""
    what = [str(run.settings[key]) for key in ("suite", "model", "protocol", "extractor") if key in run.settings]
    line = Text(f"{run.folder}: {', '.join(what)}")
    if not run.complete:
        planned = "an unknown number of" if run.planned is None else run.planned
        line.append(f"; UNFINISHED: {run.finished} of {planned} conversations", style="bold yellow")
    if run.failed:
        line.append(f"; {run.failed} failed", style="bold red")
    return line
