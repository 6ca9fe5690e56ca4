"""Report tables about results: how many questions were answered right, claims verified, and programs of logic run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.verdict_words import in_words
from holdtrue_lab.figures.cells import coverage, divide, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims.row import ClaimRow
from holdtrue_lab.kinds.claims.tables import ACCURACY, ACCURACY_INTERVAL, CLAIMS, ITEMS, ROW
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.tables import BY_DOMAIN, BY_METHOD, Cells, Lines, ReportTable

_MEASURES = (
    "Accuracy: right options, of all questions with a score. Of the claims of delivered answers the verified ones are "
    "proved (entailed) or refuted (contradictory), and the possible ones true in one case and false in another."
)
_MORE = (
    "An answer without an option is wrong, and so is one that the model or a filter refused. New are the claims that "
    "no premise says by itself. Score: mean over the questions whose answer was verified; of proof: the same without "
    "claims that were only judged. Accepted by proof: every claim of the accepted answer follows. Changed "
    "forms of items do not count here. {caution}"
)
_PROVED: Cells[ClaimRow] = {
    **ROW.share("veri\u00adfied", lambda row: row.verdicts.verified),
    **ROW.alone("pos\u00adsible", lambda row: row.verdicts.possible),
}
_RESULTS: Cells[ClaimRow] = {
    **ACCURACY_INTERVAL,
    **_PROVED,
    **ROW.number("score", lambda row: row.score),
    **ROW.alone("ac\u00adcepted by proof", lambda row: row.accepted_proved),
}

results = ReportTable(
    "results",
    "Results",
    _MEASURES,
    BY_METHOD,
    {**_RESULTS, **CLAIMS, **ITEMS},
    _MORE,
)
results_by_dataset = ReportTable(
    "results_by_dataset",
    "Results by data set",
    _MEASURES,
    BY_DOMAIN,
    {
        **ACCURACY_INTERVAL,
        **_PROVED,
        **ROW.alone("ac\u00adcepted by proof", lambda row: row.accepted_proved),
        **CLAIMS,
        Column("items"): lambda row: coverage(row.finished, row.problems),
    },
    _MORE,
)

acceptance = ReportTable[ClaimRow](
    "acceptance",
    "Answers accepted by proof, and with judges",
    "Percent of verified answers: accepted where every claim follows, where some are only possible, and with claims "
    "that were only judged. Score of proof: the score without claims that were only judged.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.share("ac\u00adcepted by proof", lambda row: row.accepted_proved),
        **ROW.share("possible", lambda row: row.accepted_possible),
        **ROW.share("with judges", lambda row: row.accepted_judged),
        **ROW.number("score", lambda row: row.score),
        **ROW.number("score of proof", lambda row: row.score_proved),
        **ROW.count("an\u00adswers", lambda row: row.verified),
    },
    "{caution}",
)

shares = ReportTable[ClaimRow](
    "shares",
    "What was proved of claims, and what was only judged",
    "Percent of the claims of answers that were delivered. Proved: entailed; possible: true in one case, false in "
    "another; unproved: for the solver, but no formula was sure enough; assumed: decided only under assumptions that "
    "nobody stated.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.alone("proved", lambda row: row.verdicts.entailed),
        **ROW.alone("pos\u00adsible", lambda row: row.verdicts.possible),
        **ROW.alone("un\u00adproved", lambda row: row.verdicts.unproved),
        **ROW.alone("as\u00adsumed", lambda row: row.verdicts.assumed),
        **ROW.alone("judged", lambda row: row.verdicts.judged),
        **CLAIMS,
    },
    "Refuted and unknown claims, those of inconsistent contexts and those that judges were not asked about are missing "
    "to 100.",
)

answers = ReportTable[ClaimRow](
    "answers",
    "Answers and their claims",
    "Entailed: claims that the solver proved to follow; new: those of them that no premise says by itself. Answered: "
    "an option was given; refused: the model or a filter declined.",
    BY_METHOD,
    {
        **ACCURACY,
        **ROW.alone("en\u00adtailed", lambda row: row.verdicts.entailed),
        **ROW.alone("new", lambda row: row.verdicts.fresh),
        **CLAIMS,
        **ROW.alone("an\u00adswered", lambda row: row.coverage),
        **ROW.alone("refused", lambda row: row.refused),
        Column("items"): lambda row: coverage(row.finished, row.problems),
    },
    "{caution}",
)

_MISREAD = "What is proved and wrong was misread: a proof is about formulas, not about sentences. (VERGE, section 4.)"

implied = ReportTable[ClaimRow](
    "implied",
    "What the claims prove, against the right answer",
    "Claims prove: questions in which the verified claims of the answer prove an option; of these, how often it is the "
    "right one.",
    BY_METHOD,
    {
        **ACCURACY_INTERVAL,
        **ROW.alone("right of an\u00adswered", lambda row: row.precision),
        **ROW.alone("claims prove", lambda row: row.supported.found),
        **ROW.share("right by claims", lambda row: row.supported.right),
        **ROW.count("by claims, of", lambda row: row.supported.right.of),
        **ITEMS,
    },
    _MISREAD,
)

implied_by_context = ReportTable[ClaimRow](
    "implied_by_context",
    "What the context proves, against the right answer",
    "Context proves: questions in which the premises as they were formalized prove an option, whatever was answered; "
    "of these, how often it is the right one.",
    BY_METHOD,
    {
        **ACCURACY_INTERVAL,
        **ROW.alone("con\u00adtext proves", lambda row: row.proved.found),
        **ROW.share("right by con\u00adtext", lambda row: row.proved.right),
        **ROW.count("by con\u00adtext, of", lambda row: row.proved.right.of),
        **ITEMS,
    },
    _MISREAD,
)

_DECIDED = [verdict for verdict in ClaimVerdict if verdict not in (ClaimVerdict.UNPROVED, ClaimVerdict.ASSUMED)]
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


def _verdicts(shown: Iterable[ClaimVerdict | SoftVerdict]) -> Cells[ClaimRow]:
    return {
        Column(f"{_TITLES.get(verdict, in_words(verdict))} %", optional=verdict in _RARE): _found(verdict)
        for verdict in shown
    }


verdicts = ReportTable[ClaimRow](
    "verdicts",
    "Verdicts on claims",
    "Percent of the claims of answers that were delivered; what is missing to 100 was judged, unproved or assumed. "
    "Unknown: the solver's time ran out; inconsistent context: anything would follow.",
    BY_METHOD,
    {**ACCURACY, **_verdicts(_DECIDED), **CLAIMS},
    "The solver proves what is entailed, and refutes what is contradictory; possible is neither. Accuracy is of "
    "questions. {caution}",
)

judgements = ReportTable[ClaimRow](
    "judgements",
    "Claims that were left to judges",
    "Percent of the claims of answers that were delivered. Supported, plausible, unsupported and uncertain are what "
    "most judges said, which proves nothing.",
    BY_METHOD,
    {**ACCURACY, **_verdicts(SoftVerdict), **CLAIMS},
    "{caution}",
)

_ROUTED = (
    "Percent of the claims of answers that were delivered. Hard: the solver; soft: judges, by the kind of claim; "
    "hybrid: for the solver, but no formula was sure enough, so that judges decide or it is unproved (VERGE, table 12)."
)
_JUDGED = "Judged counts the claims that judges decided, of which nothing is proved. Accuracy is of questions."
_ROUTING: Cells[ClaimRow] = {
    **ACCURACY,
    **ROW.share("hard", lambda row: row.routing.hard),
    **ROW.share("soft", lambda row: row.routing.soft),
    **ROW.share("hybrid", lambda row: row.routing.hybrid),
    **ROW.count("judged", lambda row: row.verdicts.judged.hits),
    **CLAIMS,
}

routing = ReportTable("routing", "Who decides on claims", _ROUTED, BY_METHOD, _ROUTING, _JUDGED)
routing_by_dataset = ReportTable(
    "routing_by_dataset", "Who decides on claims, by data set", _ROUTED, BY_DOMAIN, _ROUTING, _JUDGED
)


def _writing(report: Runs[ClaimRow]) -> Iterator[tuple[tuple[str, ...], ClaimRow]]:
    return ((tuple(names), row) for names, row in BY_METHOD.find(report) if row.programs.written)


programs = ReportTable[ClaimRow](
    "programs",
    "Programs of logic and what became of them",
    "Executed: questions whose answer is the option that a program proves, and refined: those of them where an earlier "
    "program could not be run, and its error was told. Fell back: questions answered without a program in the end; "
    "no answer: neither. Ran: programs without an error, of all that were written.",
    Lines(BY_METHOD.heads, _writing),
    {
        **ACCURACY,
        **ROW.share("exe\u00adcuted", lambda row: row.programs.executed),
        **ROW.alone("re\u00adfined", lambda row: row.programs.refined),
        **ROW.alone("fell back", lambda row: row.programs.fell_back),
        **ROW.alone("no answer", lambda row: row.programs.empty),
        **ROW.alone("ran", lambda row: row.programs.ran),
        **ROW.count("pro\u00adgrams", lambda row: row.programs.written),
    },
    "Formulas that cannot all hold are an error like those that cannot be read. That a program proves an option says "
    "nothing about whether its formulas say what the sentences say.",
)
