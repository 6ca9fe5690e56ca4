"""Report tables of paired tests: methods against each other, and each method on items against their changed forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue_lab.figures.cells import p_value, paired_interval, percent, points
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.claims.comparison import ClaimComparison, Perturbed
from holdtrue_lab.kinds.claims.report import ClaimReport
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import METHOD, Cells, Columns, Lines, ReportTable, by_pair, written

_PAIR, _CHANGED = Columns[ClaimComparison](), Columns[Perturbed]()


PAIRS = by_pair(lambda report: report.comparisons)

paired_tests = ReportTable[ClaimComparison](
    "paired_tests",
    "Paired tests",
    "Every two methods of one model and settings that ask it for answers, over the questions that both have answered. "
    "The difference of accuracies is in percentage points, with the p-value of flipping signs.",
    PAIRS,
    {
        Column("method %"): lambda each: percent(each.accuracy),
        Column("other %"): lambda each: percent(each.other_accuracy),
        **_PAIR.difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("Holm"): lambda each: p_value(each.paired_holm),
        **_PAIR.count("items", lambda each: each.items),
    },
    FAMILY,
)

mcnemar = ReportTable[ClaimComparison](
    "mcnemar",
    "Questions that one method has right alone",
    "Every two methods of one model and settings that ask it for answers, over the questions that both have answered. "
    "McNemar's exact test is on questions that one has right and the other has not.",
    PAIRS,
    {
        **_PAIR.count("method alone", lambda each: each.only_arm),
        **_PAIR.count("other alone", lambda each: each.only_other),
        Column("Mc\u00adNemar p"): lambda each: p_value(each.mcnemar),
        Column("Holm"): lambda each: p_value(each.holm),
        Column("q"): lambda each: p_value(each.q),
        **_PAIR.count("items", lambda each: each.items),
    },
    f"{FAMILY} q: after Benjamini-Hochberg, over the same.",
)

Scored = tuple[ClaimComparison, Paired]
_SCORES: Cells[Scored] = {
    Column("differ\u00adence of accu\u00adracy, pp"): lambda each: points(each[0].paired.difference),
    Column("differ\u00adence of score"): lambda each: (
        f"{each[1].difference:+z.3f} {paired_interval(each[1], lambda value: f'{value:+z.3f}')}"
    ),
    Column("sign-flip p"): lambda each: p_value(each[1].p),
    Column("Holm"): lambda each: p_value(each[0].score_holm),
    Column("items"): lambda each: str(each[1].problems),
}


def _scored(report: ClaimReport) -> Iterator[tuple[Sequence[str], Scored]]:
    for names, each in PAIRS.find(report):
        if each.score is not None:
            yield names, (each, each.score)


paired_scores = ReportTable(
    "paired_scores",
    "Paired tests of scores",
    "Differences of the scores of claims in 0..1, over the questions whose answers were verified under both "
    "methods. The p-value is that of flipping signs.",
    Lines(PAIRS.heads, _scored),
    _SCORES,
    f"{FAMILY} {{caution}}",
)


def _changed(*, each_kind: bool) -> Lines[Perturbed]:
    """A line for each method of each model, over all kinds of changes or for each kind."""

    def find(report: ClaimReport) -> Iterator[tuple[Sequence[str], Perturbed]]:
        names = report.names
        for each in report.perturbed:
            if (each.perturbation is not None) is each_kind:
                way = (each.perturbation or "all").replace("_", " ")
                yield (names.model(each.arm), names.method(each.arm), way), each

    return Lines((MODEL, METHOD, Column("changed by", words=True)), find)


_NOTE = (
    "Right answers to originals, to their changed forms, and to both, in percent of pairs. Stayed: the changed form "
    "got the very letter of the original, as if it had not been read."
)
_VERIFIED = (
    "Verified and score: of the changed forms, which are right so often. A high score of a wrong answer is the worst "
    "that can happen."
)
_MORE = "See VERGE, table 8."
_PERTURBED: Cells[Perturbed] = {
    **_CHANGED.share("both", lambda each: each.both),
    **_CHANGED.alone("origi\u00adnal", lambda each: each.original),
    **_CHANGED.share("changed", lambda each: each.changed),
    **_CHANGED.alone("stayed", lambda each: each.stayed),
    **_CHANGED.count("pairs", lambda each: each.pairs),
}
_CHECKED: Cells[Perturbed] = {
    **_CHANGED.share("changed", lambda each: each.changed),
    **_CHANGED.alone("veri\u00adfied", lambda each: each.verified),
    Column("score"): lambda each: written(each.score, ".2f"),
    **_CHANGED.count("pairs", lambda each: each.pairs),
}

perturbed = ReportTable(
    "perturbed",
    "Questions that were changed so that another option is right",
    _NOTE,
    _changed(each_kind=False),
    _PERTURBED,
    _MORE,
    over="originals",
)
perturbed_by_kind = ReportTable(
    "perturbed_by_kind",
    "Changed questions, by the kind of change",
    _NOTE,
    _changed(each_kind=True),
    _PERTURBED,
    _MORE,
    over="originals",
)
perturbed_verified = ReportTable(
    "perturbed_verified",
    "What was verified of answers to changed questions",
    _VERIFIED,
    _changed(each_kind=False),
    _CHECKED,
    _MORE,
    over="originals",
)
perturbed_verified_by_kind = ReportTable(
    "perturbed_verified_by_kind",
    "What was verified of answers to changed questions, by the kind of change",
    _VERIFIED,
    _changed(each_kind=True),
    _CHECKED,
    _MORE,
    over="originals",
)
