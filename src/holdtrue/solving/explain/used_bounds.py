"""Find the bounds that a conflict rests on: without these it would have a solution among all integers."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.budget import Budget
from holdtrue.logic.codec import formula_from_json, formula_to_json
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import EngineFault, Soft
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Satisfiable
from holdtrue.solving.route import make_engine


def used_bounds(variables: Sequence[Variable], soft: Soft, ids: Sequence[Id], budget: Budget) -> tuple[str, ...]:
    """Return the bounds that a conflict needs, as in `("x1 <= 9", "x2 <= 9")`, in the variables' order.

    None of them can be spared; where the budget ended before that was proved, more may be named. Raises `EngineFault`
    where the `ids` of `soft` are no conflict within the bounds, and `FormulaError` where one of them looks something
    up in a table, which has no entries beyond the bounds, or divides by what could be zero there.
    """
    named = frozenset(variable for id in ids for variable in soft[id].variables)
    wide = {one.name: Variable(one.name, IntSort()) for one in variables if one in named}
    conflict = [formula_from_json(formula_to_json(soft[id]), wide.__getitem__) for id in ids]
    bounds: dict[Id, Formula] = {}
    for variable in variables:
        if variable in named:
            low, high = variable.sort.low, variable.sort.high
            if low is not None:
                bounds[f"{variable.name} >= {low}"] = wide[variable.name] >= low
            if high is not None:
                bounds[f"{variable.name} <= {high}"] = wide[variable.name] <= high
    found = mus(make_engine(tuple(wide.values()), conflict, prefer="z3"), bounds, budget)
    if isinstance(found, Satisfiable):
        raise EngineFault(f"these were said to exclude each other within the bounds, and do not: {', '.join(ids)}")
    if isinstance(found, BackgroundConflict):
        return ()
    return found.ids if isinstance(found, Mus | Core) else tuple(bounds)
