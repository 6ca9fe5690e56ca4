"""Which report folders of runs get: that of their suite."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.assignment.flat import write_parquet
from holdtrue.lab.kinds.assignment.report import Report, read_report
from holdtrue.lab.kinds.claims.flat import write_claim_parquet
from holdtrue.lab.kinds.claims.report import ClaimReport, read_claim_report
from holdtrue.lab.kinds.labels.flat import write_label_parquet
from holdtrue.lab.kinds.labels.measure import SUITES as LABEL_SUITES
from holdtrue.lab.kinds.labels.report import LabelReport, read_label_report
from holdtrue.lab.kinds.search.flat import write_search_parquet
from holdtrue.lab.kinds.search.report import SearchReport, read_search_report
from holdtrue.lab.kit.settings import read_settings
from holdtrue.lab.suites.cegvr import SUITE as CEGVR
from holdtrue.lab.suites.verge import SUITE as VERGE


def open_report(folders: Sequence[Path]) -> Report | LabelReport | SearchReport | ClaimReport:
    """Read, measure and compare the runs in these folders; raises what `suite_of` and the suite's own reading raise."""
    suite = suite_of(folders)
    if suite in LABEL_SUITES:
        return read_label_report(suite, folders)
    if suite == VERGE:
        return read_claim_report(suite, folders)
    return read_search_report(suite, folders) if suite == CEGVR else read_report(folders)


def write_rows(folders: Sequence[Path], path: Path) -> None:
    """Write what these runs played as one Parquet file; raises what `suite_of` and `write_parquet` raise."""
    suite = suite_of(folders)
    if suite in LABEL_SUITES:
        write_label_parquet(folders, path)
    elif suite == CEGVR:
        write_search_parquet(folders, path)
    elif suite == VERGE:
        write_claim_parquet(folders, path)
    else:
        write_parquet(folders, path)


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
