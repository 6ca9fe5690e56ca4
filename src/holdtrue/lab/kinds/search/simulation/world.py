"""A simulated model of the search suites draws its answers from solutions of a problem and from near misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.logic.sorts import bounded
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.result import Mcs, Satisfiable
from holdtrue.solving.route import make_engine

# Counted in conflicts, so that what is answered does not depend on the machine.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)
_TRIES = 20

Values = Mapping[str, int]


class SearchWorld:
    """One problem, and the solutions of it that were needed so far.

    Every solution is found by a fresh solver, because what a solver finds depends on what it was asked before, and a
    simulated answer must not depend on that.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.sorts = {variable.name: variable.sort for variable in problem.variables}
        self._formulas = problem.formulas
        self._found: dict[frozenset[tuple[str, int]], Values | None] = {}
        self._best: Values | None = None

    def solution(self, kept: Values | None = None) -> Values | None:
        """Return a solution that has the `kept` values, or None if there is none or none was found in time."""
        kept = kept or {}
        key = frozenset(kept.items())
        if key not in self._found:
            found = make_engine(self.problem.variables).check(self._formulas, _BUDGET, fixed=kept)
            self._found[key] = found.witness if isinstance(found, Satisfiable) else None
        return self._found[key]

    def near_miss(self, kept: Values, changed: float, *key: object) -> Values | None:
        """Return values that break some constraint and are otherwise close to a solution.

        The start is a solution with the `kept` values, or, if there is none, values that satisfy a maximal satisfiable
        subset of the constraints. The kept values stay, and each other one is changed with probability `changed`, at
        least one of them always. The same `key` gives the same values. None is returned if no try broke a constraint.
        """
        base = {**(self.solution(kept) or self._nearly()), **kept}
        free = [name for name in self.sorts if name not in kept and self.sorts[name].size != 1]
        for attempt in range(_TRIES if free else 0):
            values = self._change(base, free, changed, (*key, attempt))
            if not all(formula.holds(values) for formula in self._formulas.values()):
                return values
        return None

    def _change(self, base: Values, free: Sequence[str], changed: float, key: tuple[object, ...]) -> dict[str, int]:
        sure = pick(free, *key, "sure")
        values = dict(base)
        for name in free:
            if name == sure or draw(*key, name, "whether") < changed:
                low, high = bounded(self.sorts[name])
                other = low + int(draw(*key, name, "which") * (high - low))
                values[name] = other + (other >= base[name])
        return values

    def _nearly(self) -> Values:
        if self._best is None:
            found = self.solution()
            if found is None:
                grown = greedy_mss(make_engine(self.problem.variables), self._formulas, _BUDGET)
                lowest = {name: bounded(sort)[0] for name, sort in self.sorts.items()}
                found = grown.witness if isinstance(grown, Mcs) else lowest
            self._best = found
        return self._best
