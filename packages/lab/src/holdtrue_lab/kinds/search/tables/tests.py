"""Report tables of paired tests: methods that search against each other, and on rewritten problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from holdtrue_lab.figures.cells import decimal, in_interval, p_value, percent
from holdtrue_lab.figures.table import MODEL, Column
from holdtrue_lab.kinds.search.comparison import CostDifference, Robustness, SearchComparison
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kit.pairs import FAMILY
from holdtrue_lab.kit.tables import METHOD, Cells, Columns, Lines, ReportTable, by_pair

_PAIR = Columns[SearchComparison]()
_DIFFERENCE = (
    "Every two methods of one model and budget. The difference is of the shares of trials, each problem counting once, "
    "with the p-value of flipping the signs of whole problems."
)
_SOLVED = (
    "Every two methods of one model and budget. A problem is solved where most of its trials are verified, and "
    "McNemar's exact test is on problems that one method solved and the other did not."
)
_BUDGET: Cells[SearchComparison] = {
    Column("budget", words=True): lambda each: "same" if each.matched else "one call",
}
_BUDGET_SAID = "Budget: whether both had the same, or one makes a single call."
_MORE = f"{FAMILY} Methods that were shown solutions are no part of this family. {{caution}}"
_REVEALED = "A family of its own, to reproduce what was published: these methods copy what the solver found."
_PAIRED: Cells[SearchComparison] = {
    **_BUDGET,
    **_PAIR.difference(lambda each: each.paired),
    Column("p"): lambda each: p_value(each.paired.p),
    Column("Holm"): lambda each: p_value(each.paired_holm),
    **_PAIR.count("prob\u00adlems", lambda each: each.problems),
    **_PAIR.count("trials", lambda each: each.trials),
}
_MCNEMAR: Cells[SearchComparison] = {
    **_PAIR.count("solved", lambda each: each.solved),
    **_PAIR.count("other solved", lambda each: each.other_solved),
    **_PAIR.count("method alone", lambda each: each.only_arm),
    **_PAIR.count("other alone", lambda each: each.only_other),
    Column("McNemar p"): lambda each: p_value(each.mcnemar),
    Column("Holm"): lambda each: p_value(each.holm),
}


def _plain(report: SearchReport) -> list[SearchComparison]:
    return [each for each in report.comparisons if not each.revealed]


def _revealed(report: SearchReport) -> list[SearchComparison]:
    return [each for each in report.comparisons if each.revealed]


paired_tests = ReportTable(
    "paired_tests", "Paired tests", _DIFFERENCE, by_pair(_plain), _PAIRED, f"{_BUDGET_SAID} {_MORE}"
)
mcnemar = ReportTable("mcnemar", "Problems that one method solved alone", _SOLVED, by_pair(_plain), _MCNEMAR, _MORE)

paired_tests_revealed = ReportTable(
    "paired_tests_revealed",
    "Paired tests with methods that were shown solutions",
    _DIFFERENCE,
    by_pair(_revealed),
    _PAIRED,
    f"{_REVEALED} {_BUDGET_SAID} {FAMILY}",
)
mcnemar_revealed = ReportTable(
    "mcnemar_revealed",
    "Problems that one method solved alone, with methods that were shown solutions",
    _SOLVED,
    by_pair(_revealed),
    _MCNEMAR,
    f"{_REVEALED} {FAMILY}",
)


def _cost(what: str, read: Callable[[SearchComparison], CostDifference]) -> Cells[SearchComparison]:
    return {
        **_BUDGET,
        Column(f"more {what}"): lambda each: in_interval(read(each).difference, decimal),
        Column("Wilcoxon p"): lambda each: p_value(read(each).p),
        Column("Holm"): lambda each: p_value(read(each).holm),
        **_PAIR.count("prob\u00adlems", lambda each: each.problems),
    }


_SPENT = (
    "What the method spends more than the other, mean over problems, each counting once by the mean of its trials. The "
    "p-value is that of Wilcoxon's signed-rank test."
)
_SPENT_MORE = f"{_BUDGET_SAID} {FAMILY} Methods that were shown solutions are no part of it."

paired_calls = ReportTable(
    "paired_calls",
    "Paired tests of calls",
    _SPENT,
    by_pair(_plain),
    _cost("calls", lambda each: each.calls),
    _SPENT_MORE,
)
paired_tokens = ReportTable(
    "paired_tokens",
    "Paired tests of generated tokens",
    _SPENT,
    by_pair(_plain),
    _cost("gener\u00adated", lambda each: each.generated),
    _SPENT_MORE,
)


def _rewritten(report: SearchReport) -> Iterator[tuple[Sequence[str], Robustness]]:
    names = report.names
    for each in report.robustness:
        yield (names.model(each.arm), names.method(each.arm), each.variant.replace("_", " ")), each


rewritten = ReportTable[Robustness](
    "robustness",
    "Rewritten problems",
    "Verified share of trials on problems and on the same problems rewritten without changing what they ask, each "
    "problem counting once. The p-value is that of flipping signs.",
    Lines((MODEL, METHOD, Column("rewritten by", words=True)), _rewritten),
    {
        Column("as it was %"): lambda each: percent(each.base),
        Column("re\u00adwritten %"): lambda each: percent(each.rewritten),
        **Columns[Robustness]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("after Holm"): lambda each: p_value(each.holm),
        Column("prob\u00adlems"): lambda each: str(each.paired.problems),
    },
    f"{FAMILY} These are of all ways of rewriting and all methods. A control of luck: methods that are right by chance "
    "change little too.",
)
