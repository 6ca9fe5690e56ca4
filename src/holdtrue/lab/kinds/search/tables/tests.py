"""Report tables of paired tests: methods that search against each other, and on rewritten problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from holdtrue.figures.cells import MISSING, decimal, p_value, percent
from holdtrue.figures.table import MODEL, Column
from holdtrue.lab.kinds.search.comparison import CostDifference, Robustness, SearchComparison
from holdtrue.lab.kinds.search.report import SearchReport
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import METHOD, Cells, Columns, Lines, ReportTable, by_pair

_PAIR = Columns[SearchComparison]()
_TESTED = (
    "Every two methods of one model and budget. A problem is solved where most of its trials are verified; McNemar's "
    "exact test is on problems that one method solved and the other did not. The difference is of the shares of "
    "trials, each problem counting once, in percentage points, with the "
    f"p-value of flipping the signs of whole problems. {FAMILY} Budget: whether both had the same, or one makes a "
    "single call."
)
_BUDGET: Cells[SearchComparison] = {
    Column("budget", words=True): lambda each: "same" if each.matched else "one call",
}
_PAIRED: Cells[SearchComparison] = {
    **_BUDGET,
    Column("method %"): lambda each: percent(each.verified),
    Column("other %"): lambda each: percent(each.other_verified),
    **_PAIR.difference(lambda each: each.paired),
    **_PAIR.count("method alone", lambda each: each.only_arm),
    **_PAIR.count("other alone", lambda each: each.only_other),
    Column("McNemar p", wide=True): lambda each: p_value(each.mcnemar),
    Column("Holm, McNemar"): lambda each: p_value(each.holm),
    Column("sign-flip p", wide=True): lambda each: p_value(each.paired.p),
    Column("Holm, sign-flip"): lambda each: p_value(each.paired_holm),
    Column("solved", wide=True): lambda each: str(each.solved),
    Column("other solved", wide=True): lambda each: str(each.other_solved),
    **_PAIR.count("prob\u00adlems", lambda each: each.problems),
    Column("trials", wide=True): lambda each: str(each.trials),
}


def _plain(report: SearchReport) -> list[SearchComparison]:
    return [each for each in report.comparisons if not each.revealed]


paired_tests = ReportTable(
    "paired_tests",
    "Paired tests",
    f"{_TESTED} Methods that were shown solutions are no part of this family. {{caution}}",
    by_pair(_plain),
    _PAIRED,
)

paired_tests_revealed = ReportTable(
    "paired_tests_revealed",
    "Paired tests with methods that were shown solutions",
    f"A family of its own, to reproduce what was published: these methods copy what the solver found. {_TESTED}",
    by_pair(lambda report: [each for each in report.comparisons if each.revealed]),
    _PAIRED,
)


def _cost(what: str, read: Callable[[SearchComparison], CostDifference]) -> Cells[SearchComparison]:
    def interval(each: SearchComparison) -> str:
        found = read(each).difference
        return MISSING if found.low is None else f"[{decimal(found.low)}, {decimal(found.high)}]"

    return {
        Column(f"more {what}"): lambda each: decimal(read(each).difference.value),
        Column(f"95% of {what}"): interval,
        Column(f"Wilcoxon p, {what}"): lambda each: p_value(read(each).p),
        Column(f"Holm, {what}"): lambda each: p_value(read(each).holm),
    }


paired_costs = ReportTable(
    "paired_costs",
    "Paired tests of cost",
    "What the method spends more than the other, mean over problems, each counting once by the mean of its "
    "trials, and the p-value of Wilcoxon's signed-rank test. "
    f"{FAMILY} Methods that were shown solutions are no part of it.",
    by_pair(_plain),
    {
        **_BUDGET,
        **_cost("calls", lambda each: each.calls),
        **_cost("gener\u00adated", lambda each: each.generated),
        **_PAIR.count("prob\u00adlems", lambda each: each.problems),
    },
)


def _rewritten(report: SearchReport) -> Iterator[tuple[Sequence[str], Robustness]]:
    names = report.names
    for each in report.robustness:
        yield (names.model(each.arm), names.method(each.arm), each.variant.replace("_", " ")), each


rewritten = ReportTable[Robustness](
    "robustness",
    "Rewritten problems",
    "Verified share of trials on problems and on the same problems rewritten without changing what they ask, each "
    "problem counting once; the difference in percentage points, and "
    f"the p-value of flipping signs. {FAMILY} These are of all ways of rewriting and all methods. A control of luck: "
    "methods that are right by chance change little too.",
    Lines((MODEL, METHOD, Column("rewritten by", words=True)), _rewritten),
    {
        Column("as it was %"): lambda each: percent(each.base),
        Column("re\u00adwritten %"): lambda each: percent(each.rewritten),
        **Columns[Robustness]().difference(lambda each: each.paired),
        Column("p"): lambda each: p_value(each.paired.p),
        Column("after Holm"): lambda each: p_value(each.holm),
        Column("prob\u00adlems"): lambda each: str(each.paired.problems),
    },
)
