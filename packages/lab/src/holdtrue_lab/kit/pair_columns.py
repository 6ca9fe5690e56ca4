"""The columns of tables of paired tests, which are alike for all kinds of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdtrue_lab.figures.cells import p_value
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.table import Column
from holdtrue_lab.kit.tables import Cells, Columns


def pair_columns(
    over: str = "prob\u00adlems",
    *,
    holm: Callable[[Any], float | None] = lambda each: each.holm,
    q: Callable[[Any], float | None] | None = None,
    titled: str = "Holm",
) -> Cells[Any]:
    """Return the columns of a test's `paired` difference: the difference, p, Holm, q if it is asked for, and `over`.

    `over` is the title of the column that says how many problems there are, and `titled` that of Holm's.
    """

    def paired(each: Any) -> Paired:
        found: Paired = each.paired
        return found

    return {
        **Columns[Any]().difference(paired),
        Column("p"): lambda each: p_value(paired(each).p),
        Column(titled): lambda each: p_value(holm(each)),
        **({Column("q"): lambda each: p_value(q(each))} if q is not None else {}),
        Column(over): lambda each: str(paired(each).problems),
    }
