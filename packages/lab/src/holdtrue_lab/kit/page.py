"""This module writes a report as one HTML file that loads no fonts, scripts or images from other addresses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdtrue.extras import HTML, need
from holdtrue_lab.figures.report_files import write_text
from holdtrue_lab.figures.table import Table, interval_places, split_interval
from holdtrue_lab.kit.folder import Run
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.shown import SHOWN, Side, find_sides, first_pair


def write_page(report: Runs[Any], path: Path, transcripts: int) -> Path:
    """Write the page; the same journals give the same bytes. Raises `InfrastructureError`."""
    return write_text(path, as_page(report, transcripts))


def as_page(report: Runs[Any], transcripts: int) -> str:
    """Return the page, with the turns of at most `transcripts` problems. Raises `SettingsError` if a library is
    missing.
    """
    reporting = find_suite(report.suite).kind.reporting()
    pair = first_pair(report, reporting.strongest(report, report.groups[0]))
    return draw_page(report, transcripts, folded=reporting.folded(report), pair=pair)


def draw_page(
    report: Runs[Any],
    transcripts: int,
    *,
    folded: tuple[Sequence[Table], Sequence[tuple[str, Sequence[Table]]]],
    pair: tuple[Side | None, Side | None],
    compared: Sequence[str] | None = None,
) -> str:
    """Return a page with these tables; `folded` holds the tables that are open, and all others by topic.

    The page first shows the turns of the two sides in `pair`. For a comparison of two runs, `compared` has sentences
    about the limits of the comparison.
    """
    need("this report", *HTML)
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    reporting = find_suite(report.suite).kind.reporting()
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "assets") for package in (reporting.package, "holdtrue_lab.kit")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["shown"] = SHOWN
    environment.filters |= {"breakable": _breakable, "parts": split_interval, "interval_places": interval_places}
    return environment.get_template(reporting.template).render(
        runs=[(run, _settings(run)) for run in report.runs],
        of=len({asked for plays in report.plays for arm in plays for asked in arm.originals}),
        sides=list(find_sides(report).values()),
        simulated=[group.label for group in report.groups if group.label.startswith("sim/")],
        headlines=reporting.headlines(report),
        caution=report.caution,
        drawn_from=f"of the bootstrap over {report.unit} (Wilson's where all {report.unit} agree)",
        remarks=report.remarks[1:],
        standing=folded[0],
        topics=folded[1],
        pair=pair,
        compared=compared,
        problems=reporting.conversations(report, transcripts),
        **reporting.drawings(report),
    )


def _breakable(text: str) -> str:
    """Return the text as markup that may break after an underscore, for long names of methods."""
    from markupsafe import Markup, escape

    return escape(text).replace("_", Markup("_<wbr>"))


def _settings(run: Run[Any]) -> list[tuple[str, str]]:
    shown = {key.replace("_", " "): value for key, value in run.settings.items() if value not in (None, {})}
    return [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in shown.items()]
