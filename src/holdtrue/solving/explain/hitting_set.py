"""Find the cheapest set that has an element of every given set: the cheapest *hitting set*.

A *correction set* has formulas without which the others can hold, so it hits every core. A MUS (minimal unsatisfiable
subset) hits every correction set. So the smallest set of one kind is found by hitting more and more sets of the other.
Source: Reiter, "A theory of diagnosis from first principles", Artificial Intelligence 1987. Small families are searched
by branch and bound, which takes less time than the set-up of a MaxSAT solver. Large families go to RC2 from PySAT
(Ignatiev, Morgado and Marques-Silva, "RC2: an efficient MaxSAT solver", JSAT 2019).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from holdtrue.budget import Deadline
from holdtrue.solving.result import Id

NODE_LIMIT = 500
"""The most branchings, some milliseconds, before MaxSAT is quicker. It also limits the depth of recursion."""

CONFLICTS = 2_000
"""The conflicts of the MaxSAT solver between two looks at the clock."""


class HittingSets:
    """A `HittingSets` holds a growing family of sets over `elements`, and finds the cheapest set that hits them all.

    `weights` are positive integers, by default 1. Of several cheapest sets it returns the one that avoids the last
    element, then the last but one, and so on. So the result depends on the family only, not on the order of additions.
    """

    def __init__(self, elements: Sequence[Id], weights: Mapping[Id, int] | None = None) -> None:
        self._elements = elements
        self._place = {element: place for place, element in enumerate(elements)}
        self._weights = weights or {}
        self._sets: list[int] = []
        self._large = False

    def __contains__(self, element: object) -> bool:
        return element in self._place

    def add(self, elements: Iterable[Id]) -> None:
        """Add one more set to hit. Raises `ValueError` for the empty set, which cannot be hit."""
        new = 0
        for element in elements:
            new |= 1 << self._place[element]
        if not new:
            raise ValueError("nothing hits the empty set")
        self._sets = [known for known in self._sets if known & new != new]
        self._sets.append(new)

    def cost(self, elements: Iterable[Id]) -> int:
        return sum(self._weights.get(element, 1) for element in elements)

    def cheapest(self, deadline: Deadline) -> frozenset[Id] | None:
        """Return the cheapest hitting set, or None if the deadline passed first."""
        costs = self._costs() if self._weights else None
        found = None if self._large else search(self._sets, costs)
        if found is None:
            self._large = True
            found = solve_maxsat([elements_of(one) for one in self._sets], costs or self._costs(), deadline)
            if found is None:
                return None
        return frozenset(self._elements[bit.bit_length() - 1] for bit in elements_of(found))

    def _costs(self) -> dict[int, int]:
        """Return the cost of each element that occurs in a set."""
        together = 0
        for one in self._sets:
            together |= one
        bits = elements_of(together)
        return {bit: self._weights.get(self._elements[bit.bit_length() - 1], 1) for bit in bits}


class _GaveUp(Exception):
    """The search exceeded its limit."""


def search(sets: Collection[int], costs: Mapping[int, int] | None, limit: int = NODE_LIMIT) -> int | None:
    """Return the cheapest hitting set by branch and bound, or None beyond `limit` branchings. Ties go to the smallest
    number.

    A set is the sum of its elements, which are powers of two. Without `costs`, each element costs 1.
    """
    dearest = max(costs.values()) if costs else 1
    best_cost, best, nodes = len(sets) * dearest + 1, 0, 0  # one element for each set is always enough

    def branch(remaining: list[int], chosen: int, cost: int) -> None:
        nonlocal best_cost, best, nodes
        if not remaining:
            if (cost, chosen) < (best_cost, best):
                best_cost, best = cost, chosen
            return
        nodes += 1
        if nodes > limit:
            raise _GaveUp
        # Disjoint sets need one element each. This bounds the cost, and the number too.
        used, least, lowest = 0, cost, chosen
        for one in remaining:
            if not one & used:
                used |= one
                lowest += one & -one
                least += min(map(costs.__getitem__, elements_of(one))) if costs else 1
        if least > best_cost or (least == best_cost and lowest >= best):
            return
        options = elements_of(min(remaining, key=int.bit_count))
        if costs:
            options.sort(key=costs.__getitem__)
        tried = 0
        for bit in options:
            rest = [one & ~tried for one in remaining if not one & bit]
            if 0 not in rest:
                branch(rest, chosen | bit, cost + (costs[bit] if costs else 1))
            tried |= bit

    try:
        branch(sorted(sets, key=int.bit_count), 0, 0)
    except _GaveUp:
        return None
    return best


def elements_of(one: int) -> list[int]:
    """Return the elements of a set that is given as their sum, in ascending order."""
    bits = []
    while one:
        bits.append(one & -one)
        one &= one - 1
    return bits


def solve_maxsat(sets: Collection[Collection[int]], costs: Mapping[int, int], deadline: Deadline) -> int | None:
    """Return the cheapest hitting set by MaxSAT, or None if the deadline passed first. Ties go to the smallest number.

    Elements are powers of two, as in `search`, and the result is the sum of its elements.
    """
    from pysat.formula import WCNF

    number = {bit: place for place, bit in enumerate(costs, 1)}
    formula = WCNF()
    for one in sets:
        formula.append([number[bit] for bit in one])
    for bit, cost in costs.items():
        formula.append([-number[bit]], weight=cost)
    try:
        with _timed_rc2()(formula, deadline) as solver:
            chosen = {literal for literal in solver.compute() if literal > 0}
            # The final assumptions of RC2 hold in exactly the cheapest solutions. Among these, avoid the elements one
            # by one, from the last on.
            decided: list[int] = []
            for bit in sorted(costs, reverse=True):
                literal = number[bit]
                if literal in chosen and solver.allows([*decided, -literal]):
                    chosen = solver.true_variables()
                decided.append(literal if literal in chosen else -literal)
    except TimeoutError:
        return None
    return sum(bit for bit in costs if number[bit] in chosen)


@cache
def _timed_rc2() -> Any:
    """Return RC2 as a class that looks at the clock now and then. PySAT's examples load slowly, so this is lazy."""
    from pysat.examples.rc2 import RC2

    class TimedRC2(RC2):  # type: ignore[misc]  # PySAT comes without types
        """RC2 with a deadline and without timer threads. Raises `TimeoutError`."""

        def __init__(self, formula: object, deadline: Deadline) -> None:
            self.deadline = deadline
            super().__init__(formula)

        def _call_oracle(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> bool:
            while not self.deadline.passed:
                self.oracle.conf_budget(CONFLICTS)
                # With expect_interrupt, PySAT installs no signal handler, which would jump out of the solver.
                result: bool | None = self.oracle.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
                if result is not None:
                    return result
            raise TimeoutError

        def allows(self, literals: Sequence[int]) -> bool:
            """Return whether some cheapest solution has these literals."""
            return self._call_oracle([*self.active_assumps(), *literals])

        def true_variables(self) -> set[int]:
            """Return the variables that are true in the last solution."""
            return {literal for literal in self.oracle.get_model() if literal > 0}

    return TimedRC2
