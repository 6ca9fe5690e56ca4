"""Report tables about results: how many questions were answered right, and how many claims were verified."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.claim_record import ClaimVerdict, SoftVerdict
from holdtrue.figures.cells import divide, percent
from holdtrue.figures.table import Column
from holdtrue.kinds.claims.verdict_words import in_words
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kinds.claims.tables import ACCURACY, ACCURACY_INTERVAL, CLAIMS, ITEMS, ROW
from holdtrue.lab.kit.tables import BY_DOMAIN, BY_METHOD, Cells, ReportTable

_MEASURES = (
    "Accuracy: right options, of all questions with a score; an answer without an option is wrong, and "
    "so is one that the model or a filter refused. Of the claims of "
    "the answers that were delivered: verified are those that the solver proved entailed, contradictory or possible, "
    "and new those that no premise says by itself. Score and accepted: over the questions whose answer was "
    "verified, the "
    "mean, and the answers whose score and joint check pass. "
    "Changed forms of items do not count here. {caution}"
)
_RESULTS: Cells[ClaimRow] = {
    **ACCURACY_INTERVAL,
    **ROW.share("veri\u00adfied", lambda row: row.verdicts.verified),
    **ROW.alone("en\u00adtailed", lambda row: row.verdicts.entailed),
    **ROW.alone("new", lambda row: row.verdicts.fresh),
    **ROW.number("score", lambda row: row.score),
    **ROW.alone("ac\u00adcepted", lambda row: row.accepted),
    **CLAIMS,
    **ROW.alone("an\u00adswered", lambda row: row.coverage),
    **ROW.alone("refused", lambda row: row.refused),
    **ITEMS,
}

results = ReportTable("results", "Results", _MEASURES, BY_METHOD, _RESULTS)
results_by_dataset = ReportTable("results_by_dataset", "Results by data set", _MEASURES, BY_DOMAIN, _RESULTS)

implied = ReportTable(
    "implied",
    "What follows, against the right answer",
    "Answered: an option was given. Claims prove: questions in which the verified claims of the answer prove an "
    "option; of these, how often it is the right one. Context proves: the same of the premises as they were "
    "formalized, whatever was answered. What is proved and wrong was misread: a proof is about formulas, "
    "not about sentences. (VERGE, section 4.)",
    BY_METHOD,
    {
        **ACCURACY_INTERVAL,
        **ROW.alone("right of an\u00adswered", lambda row: row.precision),
        **ROW.alone("claims prove", lambda row: row.supported.found),
        **ROW.alone("right by claims", lambda row: row.supported.right),
        **ROW.count("by claims, of", lambda row: row.supported.right.of),
        **ROW.alone("con\u00adtext proves", lambda row: row.proved.found),
        **ROW.alone("right by con\u00adtext", lambda row: row.proved.right),
        **ROW.count("by con\u00adtext, of", lambda row: row.proved.right.of),
        **ITEMS,
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


def _found(verdict: str) -> Callable[[ClaimRow], str]:
    return lambda row: percent(divide(row.verdicts.found.get(verdict, 0), row.verdicts.claims))


verdicts = ReportTable(
    "verdicts",
    "Verdicts on claims",
    "Percent of the claims of answers that were delivered; accuracy is of questions. Entailed, contradictory "
    "and possible are proved by the "
    "solver; unknown: its time ran out; inconsistent context: anything would follow. Supported, plausible, "
    "unsupported and uncertain are what most judges said, which proves nothing. {caution}",
    BY_METHOD,
    {
        **ACCURACY,
        **{
            Column(f"{_TITLES.get(verdict, in_words(verdict))} %", optional=verdict in _RARE): _found(verdict)
            for verdict in (*ClaimVerdict, *SoftVerdict)
        },
        **CLAIMS,
    },
)

_ROUTED = (
    "Percent of the claims of answers that were delivered; accuracy is of questions. Hard: the solver; soft: "
    "judges, by the kind of claim; "
    "hybrid: judges, because no formula was sure enough. Judged counts the claims of the last two, of which nothing is "
    "proved. (VERGE, table 12.)"
)
_ROUTING: Cells[ClaimRow] = {
    **ACCURACY,
    **ROW.share("hard", lambda row: row.routing.hard),
    **ROW.share("soft", lambda row: row.routing.soft),
    **ROW.share("hybrid", lambda row: row.routing.hybrid),
    **ROW.count("judged", lambda row: row.routing.soft.hits + row.routing.hybrid.hits),
    **CLAIMS,
}

routing = ReportTable("routing", "Who decides on claims", _ROUTED, BY_METHOD, _ROUTING)
routing_by_dataset = ReportTable(
    "routing_by_dataset", "Who decides on claims, by data set", _ROUTED, BY_DOMAIN, _ROUTING
)
