"""The lexicographically first witness: the one answer that does not depend on a solver's habits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import Compare, Constant
from holdtrue.solving.engine import Engine, Near, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown

PROBE = "=<="
"""The id of a question of this file's own; ids that start with '=' are the engine's (`engine.fixed_id`)."""


def first_witness(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[str] | None = None,
    *,
    fixed: Mapping[str, int] | None = None,
    near: Near | None = None,
) -> Satisfiable | Core | Unknown:
    """The witness with the smallest value for the first variable, then for the second, and so on.

    `order` names variables (by default all, in the engine's order); it decides only what it names. Each value
    is found by asking whether the best witness so far can be undercut at all, and if so by bisection.
    """
    deadline = budget.start()
    found = engine.check(soft, budget, fixed=fixed, near=near)
    if not isinstance(found, Satisfiable):
        return found
    best = found.witness
    pinned = dict(fixed or {})
    variables = {variable.name: variable for variable in engine.variables}
    for name in variables if order is None else order:
        if name in pinned:
            continue
        least, most = variables[name].sort.low, best[name] - 1
        while least < best[name]:
            question = {**soft, PROBE: Compare("<=", variables[name], Constant(most))}
            result = engine.check(question, budget.until(deadline), fixed=pinned, near=near)
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Core):
                least = most + 1
            else:
                best = result.witness
            most = (least + best[name] - 1) // 2
        pinned[name] = least
    return Satisfiable(best)
