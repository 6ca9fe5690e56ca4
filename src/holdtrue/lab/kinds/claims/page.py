"""What the page of a report about claims is filled with."""

from __future__ import annotations

from holdtrue.lab.kinds.claims.drawn import draw_rounds, draw_verified
from holdtrue.lab.kinds.claims.headline import claim_headlines, strongest_claims
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.shown import show_items
from holdtrue.lab.kinds.claims.tables.contents import sections
from holdtrue.lab.kit.kind import Page
from holdtrue.lab.kit.shown import first_pair


def make_page(report: ClaimReport, transcripts: int) -> Page:
    """The page, with the turns of at most `transcripts` problems."""
    values = {
        "headlines": claim_headlines(report),
        "caution": report.caution,
        "remarks": report.remarks[1:],
        "verified": draw_verified(report),
        "rounds": draw_rounds(report),
        "sections": sections(report),
        "pair": first_pair(report, strongest_claims(report, report.groups[0])),
        "problems": show_items(report, transcripts),
    }
    return Page("holdtrue.lab.kinds.claims", "claim_page.html.jinja", values)
