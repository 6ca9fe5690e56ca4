"""Cheapest hitting sets of large families, by MaxSAT.

RC2 (Ignatiev, Morgado and Marques-Silva, "RC2: an efficient MaxSAT solver", JSAT 2019) from PySAT.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from holdtrue.budget import Deadline

CONFLICTS = 2_000
"""Conflicts of the solver between two looks at the clock."""


def solve(sets: Collection[Collection[int]], costs: Mapping[int, int], deadline: Deadline) -> int | None:
    """The cheapest hitting set, of several the smallest number; None where the deadline passed first.

    Elements are powers of two, as in `hitting_set.search`; a number is the sum of its elements.
    """
    number = {bit: place for place, bit in enumerate(costs, 1)}
    formula = WCNF()
    for one in sets:
        formula.append([number[bit] for bit in one])
    for bit, cost in costs.items():
        formula.append([-number[bit]], weight=cost)
    try:
        with _TimedRC2(formula, deadline) as solver:
            chosen = {literal for literal in solver.compute() if literal > 0}
            # What RC2 assumes at its end holds in all cheapest solutions, and in no other. Among these, element by
            # element from the last one on: can it be done without?
            decided: list[int] = []
            for bit in sorted(costs, reverse=True):
                literal = number[bit]
                if literal in chosen and solver.allows([*decided, -literal]):
                    chosen = solver.true_variables()
                decided.append(literal if literal in chosen else -literal)
    except TimeoutError:
        return None
    return sum(bit for bit in costs if number[bit] in chosen)


class _TimedRC2(RC2):  # type: ignore[misc]  # PySAT comes without types
    """RC2 that looks at the clock now and then, without timer threads; raises `TimeoutError`."""

    def __init__(self, formula: WCNF, deadline: Deadline) -> None:
        self.deadline = deadline
        super().__init__(formula)

    def _call_oracle(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool:
        while not self.deadline.passed:
            self.oracle.conf_budget(CONFLICTS)
            # expect_interrupt only spares PySAT its own signal handler, which jumps out of the solver.
            result: bool | None = self.oracle.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
            if result is not None:
                return result
        raise TimeoutError

    def allows(self, literals: Sequence[int]) -> bool:
        """Return whether some cheapest solution has these literals."""
        return self._call_oracle([*self.active_assumps(), *literals])

    def true_variables(self) -> set[int]:
        """Return the variables that are true in the solution found last."""
        return {literal for literal in self.oracle.get_model() if literal > 0}
