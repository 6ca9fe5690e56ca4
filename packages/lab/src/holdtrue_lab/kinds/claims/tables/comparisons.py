"""Report tables that compare methods, changed items with their originals, rounds, and weights of judged claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from holdtrue_lab.figures.cells import MISSING, coverage, decimal, p_value, percent, points
from holdtrue_lab.figures.significance import Trend
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.claims import metrics
from holdtrue_lab.kinds.claims.comparison import Cliff, Perturbed
from holdtrue_lab.kinds.claims.recount import Convergence, Reweighed, Round
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import (
    ALONE_COLUMNS,
    BY_METHOD,
    METHOD,
    Cells,
    Columns,
    Lines,
    ReportTable,
    by_pair,
    by_part,
    pair_columns,
    written,
)

_TWINS = Columns[Perturbed]()
PAIRS = by_pair(lambda report: report.comparisons)

paired_tests = ReportTable[Comparison](
    "paired_tests",
    "Paired tests",
    "Every two methods of one model and settings that ask it for answers, over the questions that both have answered. "
    "The difference of accuracies is in percentage points, with the p-value of flipping signs.",
    PAIRS,
    {
        Column("method %"): lambda each: percent(each.accuracy),
        Column("other %"): lambda each: percent(each.other_accuracy),
        **pair_columns("items"),
    },
    FAMILY,
)

mcnemar = ReportTable[Any](
    "mcnemar",
    "Questions that one method has right alone",
    "Every two methods of one model and settings that ask it for answers, over the questions that both have answered. "
    "McNemar's exact test is on questions that one has right and the other has not.",
    PAIRS,
    {
        **ALONE_COLUMNS,
        Column("q"): lambda each: p_value(each.solved.q),
        Column("items"): lambda each: str(each.paired.problems),
    },
    f"{FAMILY} q: after Benjamini-Hochberg, over the same.",
)


def _changed(report: ClaimReport) -> Iterator[tuple[Sequence[str], Perturbed]]:
    """Yield the lines for each method of each model: one for all ways of changing items, then one for each way."""
    for each in report.perturbed:
        names, way = report.names, (each.perturbation or "all").replace("_", " ")
        yield (names.model(each.arm), names.method(each.arm), way), each


_LINES = Lines((MODEL, METHOD, Column("changed by", words=True)), _changed)
_MORE = "See VERGE, table 8."

perturbed = ReportTable(
    "perturbed",
    "Questions that were changed so that another option is right",
    "Right answers to originals, to their changed forms, and to both, in percent of pairs. Stayed: the changed form "
    "got the very letter of the original, as if it had not been read.",
    _LINES,
    {
        **_TWINS.share("both", lambda each: each.both),
        **_TWINS.alone("origi\u00adnal", lambda each: each.original),
        **_TWINS.share("changed", lambda each: each.changed),
        **_TWINS.alone("stayed", lambda each: each.stayed),
        **_TWINS.count("pairs", lambda each: each.pairs),
    },
    _MORE,
    over="originals",
)
perturbed_verified = ReportTable(
    "perturbed_verified",
    "What was verified of answers to changed questions",
    "Verified and score: of the changed forms, which are right so often. A high score of a wrong answer is the worst "
    "that can happen.",
    _LINES,
    {
        **_TWINS.share("changed", lambda each: each.changed),
        **_TWINS.alone("veri\u00adfied", lambda each: each.verified),
        Column("score"): lambda each: written(each.score, ".2f"),
        **_TWINS.count("pairs", lambda each: each.pairs),
    },
    _MORE,
    over="originals",
)


_ROUND, _WEIGHT = Columns[Round](), Columns[Reweighed]()


def _rounds(row: FigureRow) -> Iterator[tuple[str, Round]]:
    """Yield the rounds of a row, if any question has a second round."""
    rounds = metrics.CONVERGENCE(row).rounds
    return ((str(each.round), each) for each in rounds if len(rounds) > 1)


rounds = ReportTable[Round](
    "rounds",
    "Answers by round",
    "Accuracy and score of what would be delivered if no more rounds were allowed. Said: right among the very answers "
    "of this round, over the questions that played it, which are the harder ones the later it is.",
    by_part("round", _rounds),
    {
        **_ROUND.share("accu\u00adracy", lambda each: each.accuracy),
        **_ROUND.number("score", lambda each: each.score),
        **_ROUND.alone("said, right", lambda each: each.said),
        **_ROUND.count("said", lambda each: each.said.of),
        **_ROUND.count("items", lambda each: each.accuracy.of),
    },
    "Delivered is the accepted answer, or else the one with the best score so far; a question that stopped earlier "
    "keeps its own. (VERGE, figure 3 and table 13.)",
)


def _several(report: ClaimReport) -> Iterator[tuple[Sequence[str], Convergence]]:
    """Yield the rows in which any question has a second round."""
    found = ((names, metrics.CONVERGENCE(row)) for names, row in BY_METHOD.find(report))
    return ((names, convergence) for names, convergence in found if len(convergence.rounds) > 1)


def _trend(what: str, read: Callable[[Convergence], Trend]) -> Cells[Convergence]:
    def p(found: Convergence) -> str:
        return MISSING if read(found).tau is None else p_value(read(found).p)

    return {Column(f"tau, {what}"): lambda found: decimal(read(found).tau), Column(f"p, {what}"): p}


trends = ReportTable[Convergence](
    "trends",
    "Trends over rounds",
    "Kendall's tau-b of each figure against the order of rounds, 1 where it rises in every round, with its exact "
    "two-sided p-value; few rounds can show little. Nothing stands where all rounds are equal (VERGE, figure 3).",
    Lines(BY_METHOD.heads, _several),
    {
        Column("last accu\u00adracy %"): lambda found: percent(found.rounds[-1].accuracy.value),
        **_trend("accu\u00adracy", lambda found: found.accuracy),
        **_trend("score", lambda found: found.score),
        **_trend("said", lambda found: found.said),
    },
)


def _cliffs(report: ClaimReport) -> Iterator[tuple[Sequence[str], Cliff]]:
    names = report.names
    return (((names.model(each.arm), names.method(each.arm)), each) for each in report.cliffs)


cliff = ReportTable[Cliff](
    "cliff",
    "Rounds against chain of thought",
    "Mean and lowest of Kendall's tau of accuracy against rounds over data sets, and the rounds after the first, on "
    "all data sets, in which accuracy is below that of cot there; χ² and p test their share against one half (VERGE, "
    "figure 3). Rounds of one data set depend on each other, so that p is too small.",
    Lines(BY_METHOD.heads, _cliffs),
    {
        Column("data sets"): lambda each: str(each.data_sets),
        Column("tau, mean"): lambda each: decimal(each.tau),
        Column("tau, lowest"): lambda each: decimal(each.least),
        Column("below"): lambda each: coverage(each.below, each.trials) if each.trials else MISSING,
        Column("χ²"): lambda each: decimal(each.chi2),
        Column("p"): lambda each: p_value(each.p) if each.trials else MISSING,
    },
)


def _weights(row: FigureRow) -> Iterator[tuple[str, Reweighed]]:
    return ((decimal(each.weight), each) for each in metrics.REWEIGHED(row))


weights = ReportTable[Reweighed](
    "weights",
    "Weight of a supported claim",
    "What would have come of the recorded rounds if support by judges were worth so much: no model is asked again. "
    "Change: against the accuracy at the method's own weight, in percentage points.",
    by_part("weight", _weights),
    {
        **_WEIGHT.share("accu\u00adracy", lambda each: each.accuracy),
        Column("change, pp"): lambda each: points(each.change),
        Column("moved"): lambda each: coverage(each.moved, each.accuracy.of),
        **_WEIGHT.alone("ac\u00adcepted", lambda each: each.accepted),
        Column("score"): lambda each: written(each.score, ".2f"),
        Column("exact"): lambda each: "yes" if each.exact else f"no, {each.open} open",
    },
    "Moved: questions that would deliver another of their answers. Exact: no question would have gone on where the "
    "record ends; else so many would have, and the best recorded answer stands for what is not known. (VERGE, table "
    "4.)",
)
