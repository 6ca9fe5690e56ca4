"""What the page of a report about searches is filled with."""

from __future__ import annotations

from holdtrue.lab.kinds.search.drawn import draw_convergence, draw_frontier
from holdtrue.lab.kinds.search.headline import search_headlines, strongest_searches
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kinds.search.shifts import draw_shifts
from holdtrue.lab.kinds.search.shown import show_searches
from holdtrue.lab.kinds.search.tables.contents import sections
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.shown import first_pair


def make_page(report: SearchReport, transcripts: int) -> Page:
    """The page, with the turns of at most `transcripts` problems."""
    values = {
        "headlines": search_headlines(report),
        "caution": report.caution,
        "frontier": draw_frontier(report),
        "convergence": draw_convergence(report),
        "shifts": draw_shifts(report),
        "sections": sections(report),
        "pair": first_pair(report, strongest_searches(report, report.groups[0])),
        "problems": show_searches(report, transcripts),
    }
    return Page("holdtrue.lab.kinds.search", "search_page.html.jinja", values)
