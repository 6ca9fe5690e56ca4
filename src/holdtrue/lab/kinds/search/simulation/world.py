"""A search problem as a simulated searcher knows it: a solution, solutions around given values, and near misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.result import Mcs, Satisfiable
from holdtrue.solving.route import make_engine

# Counted in conflicts, so that what is answered does not depend on the machine.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)
_TRIES = 20

Values = Mapping[str, int]


class SearchWorld:
    """A problem whose witnesses are found when they are first needed, each by a solver of its own: the witnesses of one
    that is kept depend on what it was asked before.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.sorts = {variable.name: variable.sort for variable in problem.variables}
        self._formulas = problem.formulas
        self._found: dict[frozenset[tuple[str, int]], Values | None] = {}
        self._best: Values | None = None

    def solution(self, kept: Values | None = None) -> Values | None:
        """A solution with these values; None where there is none, or none was found."""
        kept = kept or {}
        key = frozenset(kept.items())
        if key not in self._found:
            found = make_engine(self.problem.variables).check(self._formulas, _BUDGET, fixed=kept)
            self._found[key] = found.witness if isinstance(found, Satisfiable) else None
        return self._found[key]

    def near_miss(self, kept: Values, changed: float, *key: object) -> Values | None:
        """Values of which each is changed with probability `changed`, and one at least, so that some constraint is
        broken. None where the constraints leave so much room that this does not come about.

        They begin as a solution with the `kept` values, which stay, or, where there is none, as what satisfies as many
        constraints as were found to go together.
        """
        base = {**(self.solution(kept) or self._nearly()), **kept}
        free = [name for name in self.sorts if name not in kept and self.sorts[name].size > 1]
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
                sort = self.sorts[name]
                other = sort.low + int(draw(*key, name, "which") * (sort.size - 1))
                values[name] = other + (other >= base[name])
        return values

    def _nearly(self) -> Values:
        if self._best is None:
            found = self.solution()
            if found is None:
                grown = greedy_mss(make_engine(self.problem.variables), self._formulas, _BUDGET)
                lowest = {name: sort.low for name, sort in self.sorts.items()}
                found = grown.witness if isinstance(grown, Mcs) else lowest
            self._best = found
        return self._best
