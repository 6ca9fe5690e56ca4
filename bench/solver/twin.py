"""The naive twin: a fresh z3 solver for every check, everything made anew from the constraints.

It is the way of the systems that holdtrue's suites come from, with z3's own defaults and one thread. Constraints
are named by their place in the sequence that is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from bench.solver.theory import background, expression, unknowns
from holdtrue.world.instance import Constraint, Instance

Constraints = Sequence[Constraint]
Values = Mapping[str, int]


class Twin:
    """Answers about one instance; nothing is kept from one check to the next."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def satisfiable(
        self, constraints: Constraints, fixed: Values | None = None, denied: Constraint | None = None
    ) -> bool:
        """Whether all can hold, with these values, and with `denied` false."""
        solver = z3.Solver()
        ints = self._prepare(solver)
        solver.add(*(expression(self.instance, ints, constraint) for constraint in constraints))
        solver.add(*(ints[name] == value for name, value in (fixed or {}).items()))
        if denied is not None:
            solver.add(z3.Not(expression(self.instance, ints, denied)))
        return _decided(solver)

    def violated(self, constraints: Constraints, values: Values) -> tuple[int, ...]:
        """The constraints that the values break: one check for each."""
        return tuple(i for i, constraint in enumerate(constraints) if not self.satisfiable([constraint], values))

    def classify(self, constraints: Constraints, query: Constraint) -> str:
        """`entailed`, `refuted` or `independent`, by two checks."""
        possible = self.satisfiable([*constraints, query])
        avoidable = self.satisfiable(constraints, denied=query)
        return "independent" if possible and avoidable else "entailed" if possible else "refuted"

    def core(self, constraints: Constraints, among: Sequence[int]) -> tuple[int, ...] | None:
        """Places that cannot hold together, by z3's own core; None where all of `among` can."""
        solver = z3.Solver()
        ints = self._prepare(solver)
        for place in among:
            solver.assert_and_track(expression(self.instance, ints, constraints[place]), f"{place}")
        if _decided(solver):
            return None
        return tuple(sorted(int(str(tracker)) for tracker in solver.unsat_core()))

    def mus(self, constraints: Constraints) -> tuple[int, ...]:
        """Deletion: leave out each in turn, for good where the rest is impossible all the same."""
        kept = list(range(len(constraints)))
        for place in range(len(constraints)):
            rest = [other for other in kept if other != place]
            if not self.satisfiable([constraints[other] for other in rest]):
                kept = rest
        return tuple(kept)

    def refined_mus(self, constraints: Constraints) -> tuple[int, ...]:
        """Deletion that goes on with z3's core wherever the rest is impossible."""
        left = list(self.core(constraints, range(len(constraints))) or ())
        kept: list[int] = []
        while left:
            last = left.pop()
            smaller = self.core(constraints, [*left, *kept])
            if smaller is None:
                kept.append(last)
            else:
                left = [place for place in left if place in smaller]
                kept = [place for place in kept if place in smaller]
        return tuple(sorted(kept))

    def is_mus(self, constraints: Constraints, places: Sequence[int]) -> bool:
        """Whether these are impossible together, and possible without any one of them."""
        chosen = [constraints[place] for place in places]
        return not self.satisfiable(chosen) and all(
            self.satisfiable([*chosen[:i], *chosen[i + 1 :]]) for i in range(len(chosen))
        )

    def mcs(self, constraints: Constraints) -> tuple[int, ...]:
        """Linear: keep each in turn if it can be kept beside what is kept so far. Gives what cannot."""
        kept: list[Constraint] = []
        set_aside = []
        for place, constraint in enumerate(constraints):
            if self.satisfiable([*kept, constraint]):
                kept.append(constraint)
            else:
                set_aside.append(place)
        return tuple(set_aside)

    def minimum_mcs(self, constraints: Constraints) -> int:
        """The fewest constraints without which the rest can hold."""
        optimizer = z3.Optimize()
        ints = self._prepare(optimizer)
        expressions = [expression(self.instance, ints, constraint) for constraint in constraints]
        for one in expressions:
            optimizer.add_soft(one)
        if not _decided(optimizer):
            raise ValueError("the setting alone is impossible")
        model = optimizer.model()
        return sum(not z3.is_true(model.eval(one, model_completion=True)) for one in expressions)

    def nearest(self, constraints: Constraints, target: Values) -> int:
        """The fewest values that must change for all constraints to hold."""
        optimizer = z3.Optimize()
        ints = self._prepare(optimizer)
        optimizer.add(*(expression(self.instance, ints, constraint) for constraint in constraints))
        for name, value in target.items():
            optimizer.add_soft(ints[name] == value)
        if not _decided(optimizer):
            raise ValueError("there is no satisfying answer")
        model = optimizer.model()
        return sum(model.eval(ints[name], model_completion=True).as_long() != value for name, value in target.items())

    def _prepare(self, solver: Any) -> dict[str, Any]:
        ints = unknowns(self.instance)
        solver.add(*background(self.instance, ints))
        return ints


def _decided(solver: Any) -> bool:
    answer = solver.check()
    if answer == z3.unknown:
        raise RuntimeError(f"the twin does not know: {solver.reason_unknown()}")
    return bool(answer == z3.sat)
