"""What the page of a report about labels is filled with."""

from __future__ import annotations

from holdtrue.lab.kinds.labels.drawn import draw_tradeoff
from holdtrue.lab.kinds.labels.headline import label_headlines
from holdtrue.lab.kinds.labels.report import LabelReport
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kinds.labels.shown import show_cases
from holdtrue.lab.kinds.labels.tables.contents import sections
from holdtrue.lab.kit.headline import strongest_pair
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.shown import first_pair


def make_page(report: LabelReport, transcripts: int) -> Page:
    """The page, with the turns of at most `transcripts` problems."""
    values = {
        "headlines": label_headlines(report),
        "caution": report.caution,
        "what": "dialogue" if is_dialogue(report.suite) else "case",
        "tradeoff": draw_tradeoff(report.groups),
        "sections": sections(report),
        "pair": first_pair(report, strongest_pair(report, report.groups[0])),
        "problems": show_cases(report, transcripts),
    }
    return Page("holdtrue.lab.kinds.labels", "label_page.html.jinja", values)
