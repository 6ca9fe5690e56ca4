"""A report as one HTML file that needs nothing else: no network, no fonts, no scripts from anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdtrue.extras import HTML, need
from holdtrue.figures.files import write_text
from holdtrue.lab.kit.folder import Run
from holdtrue.lab.kit.groups import Row
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.registry import find_suite
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.shown import find_sides


def write_page(report: Runs[Any], path: Path, transcripts: int) -> Path:
    """Write the page; the same journals give the same bytes. Raises `InfrastructureError`."""
    return write_text(path, as_page(report, transcripts))


def as_page(report: Runs[Any], transcripts: int) -> str:
    """The page, with the turns of at most `transcripts` problems. Raises `SettingsError` where a library is missing."""
    need("this report", *HTML)
    return _render(find_suite(report.suite).kind.page(report, transcripts), report)


def _render(page: Page, report: Runs[Row]) -> str:
    """The template with what all reports have, and with what this one is about."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "assets") for package in (page.package, "holdtrue.lab.kit")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(page.template).render(
        runs=[(run, _settings(run)) for run in report.runs],
        of=len({asked for run in report.runs for arm in run.plays for asked in arm.plays}),
        sides=list(find_sides(report).values()),
        simulated=[group.label for group in report.groups if group.label.startswith("sim/")],
        **page.values,
    )


def _settings(run: Run[Row]) -> list[tuple[str, str]]:
    """What the run was asked to do, in words."""
    shown = {key.replace("_", " "): value for key, value in run.settings.items() if value not in (None, {})}
    return [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in shown.items()]
