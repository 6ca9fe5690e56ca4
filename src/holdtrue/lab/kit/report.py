"""The report that folders of runs get: that of their suite's kind of answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.figures.table import Table
from holdtrue.lab.kit.folder import open_folder
from holdtrue.lab.kit.kind import Kind
from holdtrue.lab.kit.registry import find_suite
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.settings import SETTINGS_FILE, read_settings


def open_report(folders: Sequence[Path]) -> Runs[Any]:
    """Read, measure and compare the runs in these folders; raises what `suite_of` and the kind's own reading raise."""
    suite = suite_of(folders)
    return _kind_of(suite, folders).reporting().read(suite, folders)


def write_rows(folders: Sequence[Path], path: Path) -> None:
    """Write what these runs played as one Parquet file; raises what `suite_of` and the kind's own writing raise."""
    _kind_of(suite_of(folders), folders).reporting().rows.write(folders, path)


def sections(report: Runs[Any]) -> list[tuple[str, list[Table]]]:
    """Every table that has a line, by section."""
    return find_suite(report.suite).kind.reporting().sections(report)


def all_tables(report: Runs[Any]) -> list[Table]:
    """Every table that has a line."""
    return [table for _, tables in sections(report) for table in tables]


def short_tables(report: Runs[Any]) -> list[Table]:
    """Those that a terminal shows, the most important one first."""
    return find_suite(report.suite).kind.reporting().short_tables(report)


def first_table(report: Runs[Any]) -> Table:
    """The most important one of these."""
    return short_tables(report)[0]


def _kind_of(suite: str, folders: Sequence[Path]) -> Kind:
    if not suite:
        for folder in folders:
            open_folder(folder)  # which says of a folder without a run that there is none
        raise RecordError(f"{folders[0]}: nothing says which suite was played, because {SETTINGS_FILE} is missing")
    try:
        return find_suite(suite).kind
    except SettingsError as error:
        raise RecordError(f"{folders[0]}: {error}") from None


def suite_of(folders: Sequence[Path]) -> str:
    """The suite of these runs, '' where none says; raises `RecordError` where they are of several."""
    found: dict[str, Path] = {}
    for folder in folders:
        settings = read_settings(folder) if folder.is_dir() else None  # what is none, its own reading says
        if settings is not None:
            found.setdefault(str(settings.get("suite", "")), folder)
    if len(found) > 1:
        told = ", ".join(f"{folder} is of suite {suite or '(unknown)'}" for suite, folder in found.items())
        raise RecordError(f"runs of different suites are not measured alike: {told}; report them one by one")
    return next(iter(found), "")
