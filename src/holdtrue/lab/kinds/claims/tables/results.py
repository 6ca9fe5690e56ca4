"""How many questions are answered rightly, what was verified of the answers, and what follows from that."""

from __future__ import annotations

from holdtrue.claim_record import ClaimVerdict, SoftVerdict
from holdtrue.figures.cells import divide, percent
from holdtrue.figures.table import Column, Table
from holdtrue.kinds.claims.verdict_words import in_words
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.tables.columns import (
    ACCURACY,
    ACCURACY_INTERVAL,
    CLAIMS,
    ITEMS,
    Cells,
    ClaimCell,
    alone,
    counts,
    number,
    share,
)
from holdtrue.lab.kit.by_row import line_by_row

_MEASURES = (
    "Accuracy: right options, of all questions with a score; an answer without an option is wrong, and "
    "so is one that the model or a filter refused. Of the claims of "
    "the answers that were delivered: verified are those that the solver proved entailed, contradictory or possible, "
    "and new those that no premise says by itself. Score: mean over questions, and accepted the answers whose score "
    "and joint check pass. Intervals are 95%, over questions, because claims of one answer are not independent. "
    "Changed forms of items do not count here."
)
_RESULTS: Cells = {
    **ACCURACY_INTERVAL,
    **share("veri\u00adfied", lambda row: row.verdicts.verified),
    **alone("en\u00adtailed", lambda row: row.verdicts.entailed),
    **alone("new", lambda row: row.verdicts.fresh),
    **number("score", lambda row: row.score, ".2f"),
    **alone("ac\u00adcepted", lambda row: row.accepted),
    **CLAIMS,
    **alone("an\u00adswered", lambda row: row.coverage),
    **alone("refused", lambda row: row.refused),
    **ITEMS,
}


def results(report: ClaimReport) -> Table:
    """The headline figures, accuracy first."""
    return line_by_row(report, "results", "Results", f"{_MEASURES} {report.caution}", _RESULTS)


def results_by_dataset(report: ClaimReport) -> Table:
    """The same figures in each data set."""
    return line_by_row(
        report,
        "results_by_dataset",
        "Results by data set",
        f"{_MEASURES} {report.caution}",
        _RESULTS,
        by_domain=True,
    )


def implied(report: ClaimReport) -> Table:
    """What was proved, against gold."""
    return line_by_row(
        report,
        "implied",
        "What follows, against the right answer",
        "Answered: an option was given. Claims prove: questions in which the verified claims of the answer prove an "
        "option; of these, how often it is the right one. Context proves: the same of the premises as they were "
        "formalized, whatever was answered. What is proved and wrong was misread: a proof is about formulas, "
        "not about sentences. (VERGE, section 4.)",
        {
            **ACCURACY_INTERVAL,
            **alone("right of an\u00adswered", lambda row: row.precision),
            **alone("claims prove", lambda row: row.supported.found),
            **alone("right by claims", lambda row: row.supported.right),
            **counts("by claims, of", lambda row: row.supported.right.of),
            **alone("con\u00adtext proves", lambda row: row.proved.found),
            **alone("right by con\u00adtext", lambda row: row.proved.right),
            **counts("by con\u00adtext, of", lambda row: row.proved.right.of),
            **ITEMS,
        },
    )


def verdicts(report: ClaimReport) -> Table:
    """What became of claims."""

    def cell(verdict: str) -> ClaimCell:
        return lambda row: percent(divide(row.verdicts.found.get(verdict, 0), row.verdicts.claims))

    return line_by_row(
        report,
        "verdicts",
        "Verdicts on claims",
        "Percent of the claims of answers that were delivered. Entailed, contradictory and possible are proved by the "
        "solver; unknown: its time ran out; inconsistent context: anything would follow. Supported, plausible, "
        f"unsupported and uncertain are what most judges said, which proves nothing. {report.caution}",
        {
            **ACCURACY,
            **{
                Column(f"{_TITLES.get(verdict, in_words(verdict))} %", optional=verdict in _RARE): cell(verdict)
                for verdict in (*ClaimVerdict, *SoftVerdict)
            },
            **CLAIMS,
        },
    )


_RARE = frozenset({ClaimVerdict.UNKNOWN, ClaimVerdict.INCONSISTENT_CONTEXT, SoftVerdict.UNCERTAIN})
_TITLES = {
    ClaimVerdict.ENTAILED: "en\u00adtailed",
    ClaimVerdict.CONTRADICTORY: "contra\u00addictory",
    ClaimVerdict.INCONSISTENT_CONTEXT: "incon\u00adsistent con\u00adtext",
    SoftVerdict.SUPPORTED: "sup\u00adported",
    SoftVerdict.PLAUSIBLE: "plau\u00adsible",
    SoftVerdict.UNSUPPORTED: "unsup\u00adported",
    SoftVerdict.UNCERTAIN: "uncer\u00adtain",
}


def routing(report: ClaimReport) -> Table:
    """Who decided on claims."""
    return line_by_row(report, "routing", "Who decides on claims", _ROUTED, _ROUTING)


def routing_by_dataset(report: ClaimReport) -> Table:
    """The same in each data set, as it was published."""
    return line_by_row(
        report, "routing_by_dataset", "Who decides on claims, by data set", _ROUTED, _ROUTING, by_domain=True
    )


def _judged(row: ClaimRow) -> str:
    return str(row.routing.soft.hits + row.routing.hybrid.hits)


_ROUTED = (
    "Percent of the claims of answers that were delivered. Hard: the solver; soft: judges, by the kind of claim; "
    "hybrid: judges, because no formula was sure enough. Judged counts the claims of the last two, of which nothing is "
    "proved. (VERGE, table 12.)"
)
_ROUTING: Cells = {
    **ACCURACY,
    **share("hard", lambda row: row.routing.hard),
    **share("soft", lambda row: row.routing.soft),
    **share("hybrid", lambda row: row.routing.hybrid),
    Column("judged"): _judged,
    **CLAIMS,
}
