"""Report tables of paired tests: of methods with each other, and of each method on changed items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdtrue_lab.figures.cells import p_value, percent
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.claims.comparison import Perturbed
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import ALONE_COLUMNS, METHOD, Columns, Lines, ReportTable, by_pair, pair_columns, written

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
    """Yield a line for each method of each model, over all ways of changing and for each way."""
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
