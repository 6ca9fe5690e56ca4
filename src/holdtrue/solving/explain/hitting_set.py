"""The cheapest set that has something of every given set.

A correction set has something of every core and a MUS something of every correction set (Reiter, "A theory of
diagnosis from first principles", Artificial Intelligence 1987), so the smallest of one kind is found by hitting
more and more sets of the other. Few small sets are searched by an own branch and bound, which is done before a
MaxSAT solver is set up; from some size on that is left to one (`maxsat`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from holdtrue.budget import Deadline
from holdtrue.solving.result import Id

NODE_LIMIT = 500
"""Branchings, some milliseconds of them, after which a MaxSAT solver is quicker. The search may nest as deep."""


class HittingSets:
    """`HittingSets` hold a growing family of sets over `elements`, and find the cheapest set that hits them all.

    `weights` are positive integers, one where not given. Of several cheapest sets it is the one that avoids the
    last of the elements, then the last but one, and so on: it depends on the family only, not on its history.
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
        """Add one more set to hit; raises `ValueError` where there is nothing in it to hit it with."""
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
        """Return the cheapest hitting set, or None where time ran out first."""
        costs = self._costs() if self._weights else None
        found = None if self._large else search(self._sets, costs)
        if found is None:
            from holdtrue.solving.explain.maxsat import solve  # heavy, and hardly ever needed

            self._large = True
            found = solve([elements_of(one) for one in self._sets], costs or self._costs(), deadline)
            if found is None:
                return None
        return frozenset(self._elements[bit.bit_length() - 1] for bit in elements_of(found))

    def _costs(self) -> dict[int, int]:
        """Return what each element of the sets costs."""
        together = 0
        for one in self._sets:
            together |= one
        bits = elements_of(together)
        return {bit: self._weights.get(self._elements[bit.bit_length() - 1], 1) for bit in bits}


class _GaveUp(Exception):
    """The search is not done within its limits."""


def search(sets: Collection[int], costs: Mapping[int, int] | None, limit: int = NODE_LIMIT) -> int | None:
    """The cheapest hitting set by branch and bound, of several the smallest number; None beyond `limit` branchings.

    Sets are the sums of their elements, which are powers of two; without `costs`, each element costs one.
    """
    dearest = max(costs.values()) if costs else 1
    best_cost, best, nodes = len(sets) * dearest + 1, 0, 0  # an element for each set always does

    def branch(remaining: list[int], chosen: int, cost: int) -> None:
        nonlocal best_cost, best, nodes
        if not remaining:
            if (cost, chosen) < (best_cost, best):
                best_cost, best = cost, chosen
            return
        nodes += 1
        if nodes > limit:
            raise _GaveUp
        # Sets that share nothing need an element each: the bound on the cost, and on the number too.
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
    """The elements of a set given as their sum, the first one first."""
    bits = []
    while one:
        bits.append(one & -one)
        one &= one - 1
    return bits
