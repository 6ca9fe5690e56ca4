"""Find the lexicographically first witness, which is the same for every solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import And, Compare, Constant, Formula, Variable
from holdtrue.solving.arithmetic import halfway
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable, Witness

PROBE = "=<="
"""The id that this module adds to questions. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""

Ask = Callable[[Formula, Mapping[str, int]], Satisfiable | Unsatisfiable | Unknown]


def first_witness(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[str] | None = None,
    *,
    fixed: Mapping[str, int] | None = None,
) -> Satisfiable | Unsatisfiable | Unknown:
    """Return the witness with the first value for the first variable, then for the second, and so on.

    The first value is the smallest. If a sort has no least value, it is the greatest. Among all integers it is the one
    nearest to zero; a positive one comes before its negative. `order` names the variables to decide, by default all in
    the engine's order. For each variable, the first question is whether a better value is possible at all; then follows
    a bisection.
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
    """Return the first witness like `first_witness`, from a `known` one. `ask` decides a bound with pinned values."""
    best, pinned = known, dict(fixed)
    for variable in variables:
        name = variable.name
        if name in pinned:
            continue
        rank = _Rank(variable)
        least, most = 0, rank.of(best[name]) - 1
        while least < rank.of(best[name]):
            result = ask(rank.at_most(most), pinned)
            if isinstance(result, Unknown):
                return result
            if isinstance(result, Satisfiable):
                best = result.witness
            else:
                least = most + 1
            most = halfway(least, rank.of(best[name]))
        pinned[name] = best[name]
    return Satisfiable(best)


class _Rank:
    """A `_Rank` numbers the values of a variable. The first value has rank 0."""

    def __init__(self, variable: Variable) -> None:
        self._variable = variable
        self._low, self._high = variable.sort.low, variable.sort.high

    def of(self, value: int) -> int:
        if self._low is not None:
            return value - self._low
        if self._high is not None:
            return self._high - value
        return 2 * value - 1 if value > 0 else -2 * value

    def at_most(self, rank: int) -> Formula:
        """Return a formula that is true if the variable's value has at most this rank."""
        variable = self._variable
        if self._low is not None:
            return Compare("<=", variable, Constant(self._low + rank))
        if self._high is not None:
            return Compare(">=", variable, Constant(self._high - rank))
        return And(
            (Compare("<=", variable, Constant((rank + 1) // 2)), Compare(">=", variable, Constant(-(rank // 2))))
        )
