"""This module opens the report of run folders, selects its tables, and writes its files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.figures.report_files import write_text
from holdtrue_lab.figures.table import Table
from holdtrue_lab.kit.folder import open_folder
from holdtrue_lab.kit.headline import Headline
from holdtrue_lab.kit.journal import each_of
from holdtrue_lab.kit.kind import Kind
from holdtrue_lab.kit.prices import NO_PRICES, Prices
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.settings import SETTINGS_FILE, read_settings


def open_report(folders: Sequence[Path], prices: Prices = NO_PRICES) -> Runs[Any]:
    """Read and measure the runs in these folders, and return their report.

    Raises `RecordError` if a folder holds no run, or the runs are of several suites.
    """
    suite = suite_of(folders)
    return replace(kind_of(suite, folders).reporting().read(suite, folders), prices=prices)


def write_rows(folders: Sequence[Path], path: Path) -> None:
    """Write the turns of these runs as one Parquet file. Raises the errors of `open_report` and `FlatRows.write`."""
    kind_of(suite_of(folders), folders).reporting().rows.write(folders, path)


def sections(report: Runs[Any]) -> list[tuple[str, list[Table]]]:
    """Return the tables with at least one row, by section."""
    return find_suite(report.suite).kind.reporting().sections(report)


def all_tables(report: Runs[Any]) -> list[Table]:
    """Return all tables with at least one row."""
    return [table for _, tables in sections(report) for table in tables]


def short_tables(report: Runs[Any]) -> list[Table]:
    """Return the tables that are shown by default, the most important one first."""
    return find_suite(report.suite).kind.reporting().short_tables(report)


def named_tables(report: Runs[Any], names: Sequence[str]) -> list[Table]:
    """Return the tables with these names; raises `SettingsError` for an unknown name."""
    found = {table.name: table for table in all_tables(report)}
    for name in names:
        if name not in found:
            raise SettingsError(f"--table {name}: this report has no table of that name; it has: {', '.join(found)}")
    return [found[name] for name in dict.fromkeys(names)]


def headlines(report: Runs[Any]) -> list[Headline]:
    """Return a headline for each model."""
    return find_suite(report.suite).kind.reporting().headlines(report)


def first_table(report: Runs[Any]) -> Table:
    """Return the most important table."""
    return short_tables(report)[0]


def kind_of(suite: str, folders: Sequence[Path]) -> Kind:
    """Return the kind of answer of these runs' suite; raises `RecordError` if no settings name the suite."""
    if not suite:
        for folder in folders:
            open_folder(folder)  # this raises a better error if the folder holds no run
        raise RecordError(f"{folders[0]}: nothing says which suite was played, because {SETTINGS_FILE} is missing")
    try:
        return find_suite(suite).kind
    except SettingsError as error:
        raise RecordError(f"{folders[0]}: {error}") from None


def suite_of(folders: Sequence[Path]) -> str:
    """Return the name of these runs' suite, or '' if no settings name it; raises `RecordError` if there are several."""
    found: dict[str, Path] = {}
    for folder in folders:
        settings = read_settings(folder) if folder.is_dir() else None  # reading the run reports a missing folder
        if settings is not None:
            found.setdefault(str(settings.get("suite", "")), folder)
    if len(found) > 1:
        suites = ", ".join(f"{folder} is of suite {suite or '(unknown)'}" for suite, folder in found.items())
        raise RecordError(f"runs of different suites are not measured alike: {suites}; report them one by one")
    return next(iter(found), "")


def write_predictions(folders: Sequence[Path], path: Path, method: str | None) -> str:
    """Write the predictions of one method in one run, a JSON object on each line, and return the method's name.

    Without a `method`, it is the only played method, or the plainest method of the kind of answer. Raises
    `SettingsError` for several runs, a kind without predictions, and a method that was not played. Raises `RecordError`
    for an unreadable journal, and `InfrastructureError` for an unwritable file.
    """
    if len(folders) != 1:
        raise SettingsError(f"--predictions takes one run, because predictions do not say of which they are: {folders}")
    suite = suite_of(folders)
    kind = kind_of(suite, folders)
    if kind.reporting().predictions is None:
        raise SettingsError(f"--predictions: no scorer of others reads the answers of suite {suite} ({kind.name})")
    chosen = _chosen(kind, open_folder(folders[0]).get("methods", ()), method)
    write_text(path, "".join(_lines(kind, folders, chosen)))
    return chosen


def _chosen(kind: Kind, played: Sequence[str], method: str | None) -> str:
    plainest = kind.playing().plainest
    chosen = method or (played[0] if len(played) == 1 else plainest)
    if chosen not in played:
        raise SettingsError(
            f"--predictions: the run has no method {chosen!r}; --method names one of {', '.join(played)}"
        )
    return chosen


def _lines(kind: Kind, folders: Sequence[Path], method: str) -> Iterator[str]:
    predictions = kind.reporting().predictions
    if predictions is not None:
        played = (entry for _, entry in each_of(folders, kind.entry) if entry.method == method)
        yield from (json.dumps(each) + "\n" for each in predictions(played))
