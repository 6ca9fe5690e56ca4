"""Report tables about results: right answers, verified claims, programs of logic, and costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.verdict_words import in_words
from holdtrue_lab.figures.cells import MISSING, divide, percent
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kinds.claims.tables import ACCURACY, CLAIMS, ITEMS, OF_ITEMS, ROW
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.metrics import Part
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.tables import BY_DOMAIN, BY_METHOD, Cells, Lines, ReportTable, alone, by_part, columns, written

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
_PROVED: Cells[FigureRow] = {
    **columns(metrics.VERIFIED),
    **alone(metrics.POSSIBLE),
}
_RESULTS: Cells[FigureRow] = {
    **columns(metrics.ACCURACY),
    **_PROVED,
    **columns(metrics.SCORE),
    **alone(metrics.ACCEPTED_PROVED),
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
        **columns(metrics.ACCURACY),
        **_PROVED,
        **alone(metrics.ACCEPTED_PROVED),
        **CLAIMS,
        **OF_ITEMS,
    },
    _MORE,
)

acceptance = ReportTable[FigureRow](
    "acceptance",
    "Answers accepted by proof, and with judges",
    "Percent of verified answers: accepted where every claim follows, where some are only possible, and with claims "
    "that were only judged. Score of proof: the score without claims that were only judged.",
    BY_METHOD,
    {
        **ACCURACY,
        **columns(
            metrics.ACCEPTED_PROVED,
            metrics.ACCEPTED_POSSIBLE,
            metrics.ACCEPTED_JUDGED,
            metrics.SCORE,
            metrics.SCORE_PROVED,
            metrics.VERIFIED_ITEMS,
        ),
    },
    "{caution}",
)

shares = ReportTable[FigureRow](
    "shares",
    "What was proved of claims, and what was only judged",
    "Percent of the claims of answers that were delivered. Proved: entailed; possible: true in one case, false in "
    "another; unproved: for the solver, but no formula was sure enough; assumed: decided only under assumptions that "
    "nobody stated.",
    BY_METHOD,
    {
        **ACCURACY,
        Column("proved %"): lambda row: percent(metrics.ENTAILED(row).value),
        **alone(metrics.POSSIBLE, metrics.UNPROVED, metrics.ASSUMED, metrics.JUDGED),
        **CLAIMS,
    },
    "Refuted and unknown claims, those of inconsistent contexts and those that judges were not asked about are missing "
    "to 100.",
)

implied = ReportTable[FigureRow](
    "implied",
    "What the claims prove, against the right answer",
    "Answered: an option was given. Claims prove: questions in which the verified claims of the answer prove an "
    "option; of these, how often it is the right one.",
    BY_METHOD,
    {
        **columns(metrics.ACCURACY),
        **alone(metrics.COVERAGE, metrics.PRECISION, metrics.SUPPORTED_FOUND),
        **columns(metrics.SUPPORTED_RIGHT),
        **ROW.count("by claims, of", lambda row: metrics.SUPPORTED_RIGHT(row).of),
        **ITEMS,
    },
    "What is proved and wrong was misread: a proof is about formulas, not about sentences. (VERGE, section 4.)",
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


def _found(verdict: str) -> Callable[[FigureRow], str]:
    return lambda row: percent(divide(metrics.FOUND(row).get(verdict, 0), metrics.CLAIMS(row)))


def _verdicts(shown: Iterable[ClaimVerdict | SoftVerdict]) -> Cells[FigureRow]:
    return {
        Column(f"{_TITLES.get(verdict, in_words(verdict))} %", optional=verdict in _RARE): _found(verdict)
        for verdict in shown
    }


verdicts = ReportTable[FigureRow](
    "verdicts",
    "Verdicts on claims",
    "Percent of the claims of answers that were delivered; what is missing to 100 was judged, unproved or assumed. "
    "Unknown: the solver's time ran out; inconsistent context: anything would follow.",
    BY_METHOD,
    {**ACCURACY, **_verdicts(_DECIDED), **CLAIMS},
    "The solver proves what is entailed, and refutes what is contradictory; possible is neither. Accuracy is of "
    "questions. {caution}",
)

judgements = ReportTable[FigureRow](
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
_ROUTING: Cells[FigureRow] = {
    **ACCURACY,
    **columns(metrics.HARD, metrics.SOFT, metrics.HYBRID),
    **ROW.count("judged", lambda row: metrics.JUDGED(row).hits),
    **CLAIMS,
}

routing = ReportTable("routing", "Who decides on claims", _ROUTED, BY_METHOD, _ROUTING, _JUDGED)
routing_by_dataset = ReportTable(
    "routing_by_dataset", "Who decides on claims, by data set", _ROUTED, BY_DOMAIN, _ROUTING, _JUDGED
)


def _writing(report: Runs[FigureRow]) -> Iterator[tuple[tuple[str, ...], FigureRow]]:
    return ((tuple(names), row) for names, row in BY_METHOD.find(report) if metrics.WRITTEN(row))


programs = ReportTable[FigureRow](
    "programs",
    "Programs of logic and what became of them",
    "Executed: questions whose answer is the option that a program proves, and refined: those of them where an earlier "
    "program could not be run, and its error was told. Fell back: questions answered without a program in the end; "
    "no answer: neither. Ran: programs without an error, of all that were written.",
    Lines(BY_METHOD.heads, _writing),
    {
        **ACCURACY,
        **columns(metrics.EXECUTED),
        **alone(metrics.PROGRAMS_REFINED, metrics.FELL_BACK, metrics.EMPTY, metrics.RAN),
        **columns(metrics.WRITTEN),
    },
    "Formulas that cannot all hold are an error like those that cannot be read. That a program proves an option says "
    "nothing about whether its formulas say what the sentences say.",
)


_OWN = "own"


def _parts(row: FigureRow) -> Iterator[tuple[str, Part]]:
    """Yield the parts of the cost that have calls, and always the method's own part."""
    parts = ((_OWN, metrics.OWN), ("premises", metrics.EXTRACTION), ("measuring", metrics.MEASURING))
    for name, part in parts if row.finished else ():
        if name == _OWN or metrics.CALLS(part(row)).value:
            yield name, Part({"part": name}, {**row.figures, **part(row).figures})


def _with_solver(part: Part) -> str:
    return written(metrics.SECONDS(part), ".2f") if part.name == _OWN else MISSING


costs = ReportTable(
    "costs",
    "Cost of a question",
    "Means over questions. Own: what the method itself spends; premises: that part of it that formalizes these; "
    "measuring: what verifying its answer costs where the method would not have done so, no part of its own.",
    by_part("part", _parts),
    {**ACCURACY, **columns(*metrics.SPENT), Column("with solver"): _with_solver},
    "Generated: tokens that the model wrote; tokens: also those that it was given. Seconds: the calls' own time, those "
    "that ran at the same time added up. With solver: own seconds, and the CPU time of the method's solver.",
)


def _spared(row: FigureRow) -> Iterator[tuple[str, tuple[int, int, int]]]:
    saved, not_asked = metrics.SAVED(row), metrics.NOT_ASKED(row)
    for purpose in sorted({*saved, *not_asked}):
        yield purpose, (saved.get(purpose, 0), not_asked.get(purpose, 0), row.finished)


spared = ReportTable[tuple[int, int, int]](
    "spared",
    "Calls that were planned and not made",
    "Saved: no verdict could depend on the reply, such as that of a third judge where two are sure enough. Not asked: "
    "the answer could not be accepted whatever came of it.",
    by_part("purpose", _spared),
    {
        Column("saved"): lambda found: str(found[0]),
        Column("not asked"): lambda found: str(found[1]),
        Column("questions"): lambda found: str(found[2]),
    },
    "Calls of all rounds, those that would only measure too.",
)
