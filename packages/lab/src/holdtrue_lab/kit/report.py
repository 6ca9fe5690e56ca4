"""Open the report of folders of runs, which depends on the kind of answers of their suite, and list its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.figures.table import Table
from holdtrue_lab.kit.folder import open_folder
from holdtrue_lab.kit.headline import Headline
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
    """Write what these runs played as one Parquet file; raises as `open_report` and `FlatRows.write` do."""
    kind_of(suite_of(folders), folders).reporting().rows.write(folders, path)


def sections(report: Runs[Any]) -> list[tuple[str, list[Table]]]:
    """Return the tables that have a row, by section."""
    return find_suite(report.suite).kind.reporting().sections(report)


def all_tables(report: Runs[Any]) -> list[Table]:
    """Return all tables that have a row."""
    return [table for _, tables in sections(report) for table in tables]


def short_tables(report: Runs[Any]) -> list[Table]:
    """Return the tables that are shown without being asked for, the most important one first."""
    return find_suite(report.suite).kind.reporting().short_tables(report)


def named_tables(report: Runs[Any], names: Sequence[str]) -> list[Table]:
    """Return the tables with these names; raises `SettingsError` if there is none of that name."""
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
    """Return the kind of answers of these runs' suite; raises `RecordError` if nothing says which suite was played."""
    if not suite:
        for folder in folders:
            open_folder(folder)  # which says of a folder without a run that there is none
        raise RecordError(f"{folders[0]}: nothing says which suite was played, because {SETTINGS_FILE} is missing")
    try:
        return find_suite(suite).kind
    except SettingsError as error:
        raise RecordError(f"{folders[0]}: {error}") from None


def suite_of(folders: Sequence[Path]) -> str:
    """Return the name of these runs' suite, '' if none of them says; raises `RecordError` if there are several."""
    found: dict[str, Path] = {}
    for folder in folders:
        settings = read_settings(folder) if folder.is_dir() else None  # what is none, its own reading says
        if settings is not None:
            found.setdefault(str(settings.get("suite", "")), folder)
    if len(found) > 1:
        suites = ", ".join(f"{folder} is of suite {suite or '(unknown)'}" for suite, folder in found.items())
        raise RecordError(f"runs of different suites are not measured alike: {suites}; report them one by one")
    return next(iter(found), "")
