"""What the page of a report about assignments is filled with."""

from __future__ import annotations

from holdtrue.lab.kinds.assignment.drawn import draw_across, draw_channels, draw_depth
from holdtrue.lab.kinds.assignment.headline import headlines
from holdtrue.lab.kinds.assignment.report import Report
from holdtrue.lab.kinds.assignment.shown import show_problems
from holdtrue.lab.kinds.assignment.tables.contents import sections
from holdtrue.lab.kit.headline import strongest_pair
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.shown import first_pair

PUBLISHED = "mus_repair"  # the method of the published figure across models


def make_page(report: Report, transcripts: int) -> Page:
    """The page, with the turns of at most `transcripts` problems."""
    across = _method_across(report)
    values = {
        "headlines": headlines(report),
        "channels": draw_channels(report.groups),
        "depth": draw_depth(report.groups),
        "across": draw_across(report.groups, across) if across else "",
        "sections": sections(report),
        "pair": first_pair(report, strongest_pair(report, report.groups[0])),
        "problems": show_problems(report, transcripts),
    }
    return Page("holdtrue.lab.kinds.assignment", "page.html.jinja", values)


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
