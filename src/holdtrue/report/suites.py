"""Which report folders of runs get: that of their suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.evaluation.metrics.labels import SUITES as LABEL_SUITES
from holdtrue.evaluation.settings import read_settings
from holdtrue.report.label_report import LabelReport, read_label_report
from holdtrue.report.read import Report, read_report


def open_report(folders: Sequence[Path]) -> Report | LabelReport:
    """Read, measure and compare the runs in these folders; raises what `suite_of` and the suite's own reading raise."""
    return read_label_report(suite_of(folders), folders) if about_queries(folders) else read_report(folders)


def about_queries(folders: Sequence[Path]) -> bool:
    """Whether these runs ask queries; raises what `suite_of` raises."""
    return suite_of(folders) in LABEL_SUITES


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
