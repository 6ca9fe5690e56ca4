"""The lexicographically first witness: the one answer that does not depend on a solver's habits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import Compare, Constant, Formula, Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness

PROBE = "=<="
"""The id of a question of this file's own; ids that start with '=' are the engine's (`engine.fixed_id`)."""

Ask = Callable[[Formula, Mapping[str, int]], Satisfiable | Unsatisfiable | Unknown]


def first_witness(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[str] | None = None,
    *,
    fixed: Mapping[str, int] | None = None,
) -> Satisfiable | Unsatisfiable | Unknown:
    """Find the witness with the smallest value for the first variable, then for the second, and so on.

    `order` names variables (by default all, in the engine's order); it decides only what it names. Each value is
    found by asking whether the best witness so far can be undercut at all, and if so by bisection.
    """
    deadline = budget.start()
    found = engine.decide(soft, budget, fixed=fixed)
    if not isinstance(found, Satisfiable):
        return found

    def ask(bound: Formula, pinned: Mapping[str, int]) -> Satisfiable | Unsatisfiable | Unknown:
        return engine.decide({**soft, PROBE: bound}, budget.until(deadline), fixed=pinned)

    every = {variable.name: variable for variable in engine.variables}
    variables = every.values() if order is None else [every[name] for name in order]
    return undercut(ask, variables, fixed or {}, found.witness)


def undercut(
    ask: Ask, variables: Iterable[Variable], fixed: Mapping[str, int], known: Witness
) -> Satisfiable | Unknown:
    """Find that first witness from a `known` one on; `ask` tells whether a bound can be kept with the pinned values."""
    best, pinned = known, dict(fixed)
    for variable in variables:
        name = variable.name
        if name in pinned:
            continue
        least, most = variable.sort.low, best[name] - 1
        while least < best[name]:
            result = ask(Compare("<=", variable, Constant(most)), pinned)
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Satisfiable):
                best = result.witness
            else:
                least = most + 1
            most = (least + best[name] - 1) // 2
        pinned[name] = least
    return Satisfiable(best)
