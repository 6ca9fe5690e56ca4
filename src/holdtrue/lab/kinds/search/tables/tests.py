"""Methods that search, held against each other, and against themselves on rewritten problems."""

from __future__ import annotations

from collections.abc import Iterable

from holdtrue.figures.cells import MISSING, decimal, p_value, percent, points, points_interval
from holdtrue.figures.table import MODEL, Column, Table, make_table
from holdtrue.lab.kinds.search.comparison import CostDifference, SearchComparison
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kit.by_row import METHOD

_AGAINST, _BUDGET = Column("against", words=True), Column("budget", words=True)
_TESTED = (
    "Every two methods of one model and budget. A problem is solved where most of its trials are verified; McNemar's "
    "exact test is on problems that one method solved and the other did not. The difference is of the shares of "
    "trials, each problem counting once, in percentage points, with its 95% bootstrap interval over problems, and the "
    "p-value of flipping the signs of whole problems. Both p-values also after Holm over the family. Budget: whether "
    "both had the same, or one makes a single call."
)


def paired_tests(report: SearchReport) -> Table:
    """The pairs in which no method was shown a solution."""
    return _paired(
        report,
        "paired_tests",
        "Paired tests",
        f"{_TESTED} Methods that were shown solutions are no part of this family. {report.caution}",
        (each for each in report.comparisons if not each.revealed),
    )


def paired_tests_revealed(report: SearchReport) -> Table:
    """The pairs in which one was."""
    return _paired(
        report,
        "paired_tests_revealed",
        "Paired tests with methods that were shown solutions",
        f"A family of its own, to reproduce what was published: these methods copy what the solver found. {_TESTED}",
        (each for each in report.comparisons if each.revealed),
    )


def _paired(report: SearchReport, name: str, title: str, note: str, pairs: Iterable[SearchComparison]) -> Table:
    return make_table(
        name,
        title,
        note,
        [
            MODEL,
            METHOD,
            _AGAINST,
            _BUDGET,
            Column("method %"),
            Column("other %"),
            Column("differ\u00adence, pp"),
            Column("95% interval"),
            Column("method alone"),
            Column("other alone"),
            Column("McNemar p", wide=True),
            Column("Holm, McNemar"),
            Column("sign-flip p", wide=True),
            Column("Holm, sign-flip"),
            Column("solved", wide=True),
            Column("other solved", wide=True),
            Column("prob\u00adlems"),
            Column("trials", wide=True),
        ],
        [
            (
                *_names(report, each),
                percent(each.verified),
                percent(each.other_verified),
                points(each.paired.difference),
                points_interval(each.paired.low, each.paired.high),
                str(each.only_arm),
                str(each.only_other),
                p_value(each.mcnemar),
                p_value(each.holm),
                p_value(each.paired.p),
                p_value(each.paired_holm),
                str(each.solved),
                str(each.other_solved),
                str(each.problems),
                str(each.trials),
            )
            for each in pairs
        ],
    )


def paired_costs(report: SearchReport) -> Table:
    """What one method spends more than another."""
    return make_table(
        "paired_costs",
        "Paired tests of cost",
        "What the method spends more than the other, mean over problems, each counting once by the mean of its "
        "trials; 95% bootstrap interval over problems, and the p-value of Wilcoxon's signed-rank test, also after Holm "
        "over the family.",
        [
            MODEL,
            METHOD,
            _AGAINST,
            _BUDGET,
            *_cost_columns("calls"),
            *_cost_columns("gener\u00adated"),
            Column("prob\u00adlems"),
        ],
        [
            (*_names(report, each), *_difference(each.calls), *_difference(each.generated), str(each.problems))
            for each in report.comparisons
            if not each.revealed
        ],
    )


def rewritten(report: SearchReport) -> Table:
    """How much less, or more, is verified of rewritten problems."""
    return make_table(
        "robustness",
        "Rewritten problems",
        "Verified share of trials on problems and on the same problems rewritten without changing what they ask, each "
        "problem counting once; the difference in percentage points with its 95% bootstrap interval over problems, the "
        "p-value of flipping signs, and that after Holm over all ways of rewriting and all methods of a model. A "
        "control of luck: methods that are right by chance change little too.",
        [
            MODEL,
            METHOD,
            Column("rewritten by", words=True),
            Column("as it was %"),
            Column("re\u00adwritten %"),
            Column("differ\u00adence, pp"),
            Column("95% interval"),
            Column("p"),
            Column("after Holm"),
            Column("prob\u00adlems"),
        ],
        [
            (
                report.names.model(each.arm),
                report.names.method(each.arm),
                each.variant.replace("_", " "),
                percent(each.base),
                percent(each.rewritten),
                points(each.paired.difference),
                points_interval(each.paired.low, each.paired.high),
                p_value(each.paired.p),
                p_value(each.holm),
                str(each.paired.problems),
            )
            for each in report.robustness
        ],
    )


def _names(report: SearchReport, each: SearchComparison) -> tuple[str, ...]:
    names = report.names
    return (
        names.model(each.arm),
        names.method(each.arm),
        names.method(each.other),
        "same" if each.matched else "one call",
    )


def _cost_columns(what: str) -> list[Column]:
    return [
        Column(f"more {what}"),
        Column(f"95% of {what}"),
        Column(f"Wilcoxon p, {what}"),
        Column(f"Holm, {what}"),
    ]


def _difference(cost: CostDifference) -> tuple[str, ...]:
    found = cost.difference
    interval = MISSING if found.low is None else f"[{decimal(found.low)}, {decimal(found.high)}]"
    return decimal(found.value), interval, p_value(cost.p), p_value(cost.holm)
