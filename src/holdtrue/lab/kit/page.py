"""A report as one HTML file that needs nothing else: no network, no fonts, no scripts from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from holdtrue.figures.extras import HTML, need
from holdtrue.figures.files import write_text
from holdtrue.lab.kinds.assignment.drawn import draw_across, draw_channels, draw_depth
from holdtrue.lab.kinds.assignment.headline import headlines, strongest_pair
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.shown import Side, find_sides, show_problems
from holdtrue.lab.kinds.claims.drawn import draw_rounds, draw_verified
from holdtrue.lab.kinds.claims.headline import claim_headlines, strongest_claims
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.shown import show_items
from holdtrue.lab.kinds.labels.drawn import draw_tradeoff
from holdtrue.lab.kinds.labels.headline import label_headlines
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.shown import show_cases
from holdtrue.lab.kinds.search.drawn import draw_convergence, draw_frontier
from holdtrue.lab.kinds.search.headline import search_headlines, strongest_searches
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.shifts import draw_shifts
from holdtrue.lab.kinds.search.shown import show_searches
from holdtrue.lab.kit.contents import AnyReport, sections
from holdtrue.lab.kit.folder import Run
from holdtrue.lab.kit.groups import Row
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.suites.belief import SUITE as BELIEF

PUBLISHED = "mus_repair"  # the method of the published figure across models


def write_page(report: AnyReport, path: Path, transcripts: int) -> Path:
    """Write the page; the same journals give the same bytes. Raises `InfrastructureError`."""
    return write_text(path, as_page(report, transcripts))


def as_page(report: AnyReport, transcripts: int) -> str:
    """The page, with the turns of at most `transcripts` problems. Raises `SettingsError` where a library is missing."""
    need(*HTML)
    if isinstance(report, ClaimReport):
        return _render("claim_page.html.jinja", report, **_about_claims(report, transcripts))
    if isinstance(report, SearchReport):
        return _render("search_page.html.jinja", report, **_about_searches(report, transcripts))
    if isinstance(report, LabelReport):
        return _render("label_page.html.jinja", report, **_about_labels(report, transcripts))
    return _render("page.html.jinja", report, **_about_drift(report, transcripts))


def _about_drift(report: Report, transcripts: int) -> dict[str, Any]:
    across = _method_across(report)
    return {
        "headlines": headlines(report),
        "channels": draw_channels(report.groups),
        "depth": draw_depth(report.groups),
        "across": draw_across(report.groups, across) if across else "",
        "sections": sections(report),
        "pair": _first_pair(report, strongest_pair(report, report.groups[0])),
        "problems": show_problems(report, transcripts),
    }


def _about_labels(report: LabelReport, transcripts: int) -> dict[str, Any]:
    return {
        "headlines": label_headlines(report),
        "caution": report.caution,
        "what": "dialogue" if report.suite == BELIEF else "case",
        "tradeoff": draw_tradeoff(report.groups),
        "sections": sections(report),
        "pair": _first_pair(report, strongest_pair(report, report.groups[0])),
        "problems": show_cases(report, transcripts),
    }


def _about_searches(report: SearchReport, transcripts: int) -> dict[str, Any]:
    return {
        "headlines": search_headlines(report),
        "caution": report.caution,
        "frontier": draw_frontier(report),
        "convergence": draw_convergence(report),
        "shifts": draw_shifts(report),
        "sections": sections(report),
        "pair": _first_pair(report, strongest_searches(report, report.groups[0])),
        "problems": show_searches(report, transcripts),
    }


def _about_claims(report: ClaimReport, transcripts: int) -> dict[str, Any]:
    return {
        "headlines": claim_headlines(report),
        "caution": report.caution,
        "remarks": report.remarks[1:],
        "verified": draw_verified(report),
        "rounds": draw_rounds(report),
        "sections": sections(report),
        "pair": _first_pair(report, strongest_claims(report, report.groups[0])),
        "problems": show_items(report, transcripts),
    }


def _render(template: str, report: Runs[Row], **about: Any) -> str:
    """The template with what all reports have, and with what this one is about."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("holdtrue.lab.kit", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(
        runs=[(run, _settings(run)) for run in report.runs],
        of=len({asked for run in report.runs for arm in run.plays for asked in arm.plays}),
        sides=list(find_sides(report).values()),
        simulated=[group.label for group in report.groups if group.label.startswith("sim/")],
        **about,
    )


def _settings(run: Run[Row]) -> list[tuple[str, str]]:
    """What the run was asked to do, in words."""
    shown = {key.replace("_", " "): value for key, value in run.settings.items() if value not in (None, {})}
    return [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in shown.items()]


def _method_across(report: Report) -> str | None:
    """The method to compare several models by: the published one, or the best on average that all have."""
    if len(report.groups) < 2:
        return None
    means: dict[str, float] = {}
    for method in {row.arm.method for row in report.groups[0].whole if row.arm.method not in report.controls}:
        rows = [row for group in report.groups for row in group.whole if row.arm.method == method]
        values = [row.accuracy.value for row in rows if row.accuracy.value is not None]
        if len(values) == len(report.groups):
            means[method] = sum(values) / len(values)
    return max(means, key=lambda method: (method == PUBLISHED, means[method], method), default=None)


def _first_pair(report: Runs[Row], rows: Iterable[Row | None]) -> tuple[Side | None, Side | None]:
    """The two sides that are shown first: these rows of the first model, as far as they are there."""
    sides = find_sides(report)
    pair = [sides[report.groups[0].label, report.names.method(row.arm)] for row in rows if row is not None]
    pair += [side for side in sides.values() if side not in pair]
    return pair[0] if pair else None, pair[1] if len(pair) > 1 else None
