"""Methods that answer questions, held against each other, and against themselves on changed questions."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.figures.cells import p_value, percent, points, points_interval, rate_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.claims.comparison import ClaimComparison
from holdtrue.lab.kinds.claims.perturbed import Perturbed
from holdtrue.lab.kinds.claims.report import ClaimReport
from holdtrue.lab.kinds.claims.tables.columns import written
from holdtrue.lab.kit.by_row import METHOD

_AGAINST = Column("against", words=True)


def paired_tests(report: ClaimReport) -> Table:
    """Every two methods of one model."""
    return make_table(
        "paired_tests",
        "Paired tests",
        "Every two methods of one model and settings that ask it for answers, over the questions that both have "
        "answered. McNemar's exact test is on questions that one has right and the other has not; the difference of "
        "accuracies is in percentage points with its 95% bootstrap interval and the p-value of flipping signs. After "
        "Holm, and q after Benjamini-Hochberg, over all pairs of the model.",
        [
            MODEL,
            METHOD,
            _AGAINST,
            Column("method %"),
            Column("other %"),
            Column("differ\u00adence, pp"),
            Column("95% interval"),
            Column("method alone"),
            Column("other alone"),
            Column("Mc\u00adNemar p"),
            Column("Holm, Mc\u00adNemar"),
            Column("q, Mc\u00adNemar", wide=True),
            Column("sign-flip p", wide=True),
            Column("Holm, sign-flip", wide=True),
            Column("items"),
        ],
        [
            (
                *_names(report, each),
                percent(each.accuracy),
                percent(each.other_accuracy),
                points(each.paired.difference),
                points_interval(each.paired.low, each.paired.high),
                str(each.only_arm),
                str(each.only_other),
                p_value(each.mcnemar),
                p_value(each.holm),
                p_value(each.q),
                p_value(each.paired.p),
                p_value(each.paired_holm),
                str(each.items),
            )
            for each in report.comparisons
        ],
    )


def paired_scores(report: ClaimReport) -> Table:
    """The same of scores."""
    return make_table(
        "paired_scores",
        "Paired tests of scores",
        "Differences of the scores of claims in 0..1, over the questions whose answers were verified under both "
        "methods, with 95% bootstrap intervals, the p-value of flipping signs, and that after Holm. "
        f"{report.caution}",
        [
            MODEL,
            METHOD,
            _AGAINST,
            Column("differ\u00adence of accu\u00adracy, pp"),
            Column("differ\u00adence of score"),
            Column("95% interval"),
            Column("sign-flip p"),
            Column("Holm"),
            Column("items"),
        ],
        [
            (
                *_names(report, each),
                points(each.paired.difference),
                f"{each.score.difference:+z.3f}",
                f"[{each.score.low:+z.3f}, {each.score.high:+z.3f}]",
                p_value(each.score.p),
                p_value(each.score_holm),
                str(each.score.problems),
            )
            for each in report.comparisons
            if each.score is not None
        ],
    )


def perturbed(report: ClaimReport) -> Table:
    """Changed questions against their originals."""
    return _perturbed(
        report,
        "perturbed",
        "Questions that were changed so that another option is right",
        (each for each in report.perturbed if each.perturbation is None),
    )


def perturbed_by_kind(report: ClaimReport) -> Table:
    """The same by the way in which questions were changed, as it was published."""
    return _perturbed(
        report,
        "perturbed_by_kind",
        "Changed questions, by the kind of change",
        (each for each in report.perturbed if each.perturbation is not None),
    )


def _perturbed(report: ClaimReport, name: str, title: str, found: Iterable[Perturbed]) -> Table:
    return make_table(
        name,
        title,
        "Right answers to originals, to their changed forms, and to both, in percent of pairs. Stayed: the changed "
        "form got the very letter of the original, as if it had not been read. Verified and score: of the changed "
        "forms; a high score of a wrong answer is the worst that can happen. 95% intervals over originals. (VERGE, "
        "table 8.)",
        [
            MODEL,
            METHOD,
            Column("changed by", words=True),
            Column("both %"),
            Column("95% of both"),
            Column("origi\u00adnal %"),
            Column("changed %"),
            Column("95% of changed", wide=True),
            Column("stayed %"),
            Column("veri\u00adfied %"),
            Column("score"),
            Column("pairs"),
        ],
        [
            (
                report.names.model(each.arm),
                report.names.method(each.arm),
                "all" if each.perturbation is None else each.perturbation.replace("_", " "),
                percent(each.both.value),
                rate_interval(each.both),
                percent(each.original.value),
                percent(each.changed.value),
                rate_interval(each.changed),
                percent(each.stayed.value),
                percent(each.verified.value),
                written(each.score, ".2f"),
                str(each.pairs),
            )
            for each in found
        ],
    )


def _names(report: ClaimReport, each: ClaimComparison) -> tuple[str, str, str]:
    return report.names.model(each.arm), report.names.method(each.arm), report.names.method(each.other)
