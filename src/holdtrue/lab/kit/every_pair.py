"""The report table of every two methods: also of those that checks tell apart, and of which neither is a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from holdtrue.figures.cells import p_value
from holdtrue.figures.table import Column
from holdtrue.lab.kit.comparison import Comparison
from holdtrue.lab.kit.pairs import FAMILY
from holdtrue.lab.kit.tables import Columns, ReportTable, by_pair


def every_pair(found: Callable[[Any], Iterable[Comparison]]) -> ReportTable[Comparison]:
    """Return the table of the comparisons that `found` finds in a report, which were made of every pair."""
    return ReportTable[Comparison](
        "every_pair",
        "Every pair of methods",
        "Difference of accuracies over the problems that both have finished, each counting once, in percentage points, "
        f"with the p-value of flipping signs. {FAMILY}",
        by_pair(found),
        {
            **Columns[Comparison]().difference(lambda each: each.paired),
            Column("p"): lambda each: p_value(each.paired.p),
            Column("Holm"): lambda each: p_value(each.holm),
            Column("prob\u00adlems"): lambda each: str(each.paired.problems),
        },
    )
