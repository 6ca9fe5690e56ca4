"""Explanations by looking at all subsets of all assignments' truths: the twins of the clever ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Soft
from tests.solving.brute import Values, witnesses

Ids = tuple[str, ...]


class Theory:
    """The soft formulas that each assignment satisfies, for all assignments that the background allows."""

    def __init__(
        self,
        variables: Sequence[Variable],
        background: Iterable[Formula],
        soft: Soft,
        fixed: Values | None = None,
    ) -> None:
        self.ids = tuple(soft)
        self.truths = {
            frozenset(id for id, formula in soft.items() if evaluate(formula, values))
            for values in witnesses(variables, background, fixed)
        }

    def possible(self, ids: Collection[str]) -> bool:
        return any(truths.issuperset(ids) for truths in self.truths)

    def muses(self) -> list[Ids]:
        """All MUSes, the smallest first, then by the places of their ids."""
        found: list[Ids] = []
        for size in range(len(self.ids) + 1):
            for ids in combinations(self.ids, size):
                if not self.possible(ids) and not any(set(known) <= set(ids) for known in found):
                    found.append(ids)
        return found

    def mcses(self) -> list[Ids]:
        """All minimal corrections, in the same order."""
        found: list[Ids] = []
        for size in range(len(self.ids) + 1):
            for ids in combinations(self.ids, size):
                if self.suffices(ids) and not any(set(known) <= set(ids) for known in found):
                    found.append(ids)
        return found

    def suffices(self, aside: Collection[str]) -> bool:
        """Whether the rest is possible without these."""
        return self.possible([id for id in self.ids if id not in aside])


def late_first(ids: Collection[str], order: Sequence[str]) -> list[bool]:
    """A key by which the set that avoids the last in `order` comes first, then the last but one, and so on."""
    return [id in ids for id in reversed(order)]


def early_first(ids: Collection[str], order: Sequence[str]) -> list[bool]:
    """A key by which the set that avoids the first in `order` comes first, then the second, and so on."""
    return [id in ids for id in order]


def cost(ids: Collection[str], weights: Mapping[str, int]) -> int:
    return sum(weights.get(id, 1) for id in ids)
