"""Folders of small runs that tests write, and reports on them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from holdtrue_lab.figures.table import Table
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.journal import Journal
from holdtrue_lab.kit.report import open_report, short_tables
from holdtrue_lab.kit.shown_report import show
from tests.lab.kit.entries import settings

R = TypeVar("R")


def write_run(folder: Path, entries: Iterable[Entry], **given: Any) -> Path:
    """Write a run's folder; its settings name the methods of its entries in their order, and count the problems."""
    entries = list(entries)
    methods = tuple(dict.fromkeys(entry.method for entry in entries))
    counted = {"methods": methods, "problems": len({entry.problem for entry in entries})}
    with Journal(folder, settings(**{**counted, **given})) as journal:
        for entry in entries:
            journal.append(entry)
    return folder


def open_as(kind: type[R], *folders: Path) -> R:
    report = open_report(folders)
    assert isinstance(report, kind)
    return report


def printed(report: Any, width: int = 300, tables: Sequence[Table] | None = None) -> str:
    """Return what a terminal shows of a report: these tables, or else the few that matter."""
    console = _console(width)
    show(report, short_tables(report) if tables is None else tables, console)
    return _text_of(console)


def drawn(parts: Iterable[Any], width: int) -> str:
    """Return the text of drawn parts, each below the one before."""
    console = _console(width)
    for part in parts:
        console.print(part)
    return _text_of(console)


def _console(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, no_color=True, highlight=False)


def _text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
