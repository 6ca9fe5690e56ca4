"""Find what to give up at the lowest cost so that the rest can hold: for minimum corrections and nearest answers.

Implicit hitting sets: as long as what is kept is impossible, something of its core has to be given up as well, and
the cheapest choice that takes something of every core and suffices is the cheapest of all (Davies and Bacchus,
"Solving MAXSAT by solving a sequence of simpler SAT instances", CP 2011). The first cores are taken as they come.
Where they do not settle it, cores are made minimal, and several are collected between two exact choices (the same,
"Postponing optimization to speed up MAXSAT solving", CP 2013).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import OUT_OF_TIME, Deadline
from holdtrue.errors import InputError
from holdtrue.solving.explain.hitting_set import HittingSets
from holdtrue.solving.explain.mus import Ask, shrink
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Witness

PLAIN = 8
"""So many cores are taken as they come: that settles most questions, and making a core minimal costs several more."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Without `ids` the rest can hold, under `witness`; nothing cheaper suffices."""

    ids: frozenset[Id]
    witness: Witness


class Relaxation:
    """A `Relaxation` searches for the cheapest choice of `ids` to give up, in two stages.

    `ask` is given the ids that are kept. Of several cheapest choices it is the one that keeps the first of the
    ids, if one of them does, then the second, and so on: whatever cores the engine finds. `weights` are what
    giving up an id costs, one where not given.
    """

    def __init__(self, ask: Ask, ids: Sequence[Id], weights: Mapping[Id, int] | None, deadline: Deadline) -> None:
        self._ask = ask
        self._ids = tuple(ids)
        self._sets = HittingSets(self._ids[::-1], weights)
        self._deadline = deadline
        self._given_up: frozenset[Id] = frozenset()

    def cost(self, ids: Iterable[Id]) -> int:
        """Return what giving up these costs."""
        return self._sets.cost(ids)

    @property
    def bound(self) -> int:
        """Return the least cost of what has to be given up, as far as was asked."""
        return self.cost(self._given_up)

    def learn(self, core: Iterable[Id]) -> bool:
        """Take in a core of ids, impossible with what is not negotiable; False where none of them is one to give up."""
        named = [id for id in core if id in self._sets]
        if named:
            self._sets.add(named)
        return bool(named)

    def begin(self) -> Relaxed | Core | Unknown | None:
        """Search the easy way, by a few plain cores; None where they do not settle it.

        `Core`, with none of the ids in it, where giving up all of them does not help.
        """
        for _ in range(PLAIN):
            if not self._choose():
                return Unknown(OUT_OF_TIME)
            result = self._ask(self._without(self._given_up))
            if isinstance(result, Satisfiable):
                return Relaxed(self._given_up, result.witness)
            if isinstance(result, Unknown) or not self.learn(result.ids):
                return result
        return None

    def finish(self) -> Relaxed | Core | Unknown:
        """Search the thorough way, from where `begin` left off."""
        while True:
            if not self._choose():
                return Unknown(OUT_OF_TIME)
            given_up, postponed = set(self._given_up), False
            while not isinstance(result := self._ask(self._without(given_up)), Satisfiable):
                if isinstance(result, Unknown):
                    return result
                named = [id for id in result.ids if id in self._sets]
                if not named:
                    return result
                needed, _ = shrink(self._ask, named)
                if needed:
                    self._sets.add(needed)
                    given_up.add(needed[-1])
                else:
                    # The next question will say that giving up everything does not help.
                    given_up.update(self._ids)
                postponed = True
            if not postponed:
                return Relaxed(self._given_up, result.witness)

    def _choose(self) -> bool:
        """Give up the cheapest for all cores so far; False where time ran out first."""
        cheapest = self._sets.cheapest(self._deadline)
        if cheapest is not None:
            self._given_up = cheapest
        return cheapest is not None

    def _without(self, given_up: Collection[Id]) -> list[Id]:
        return [id for id in self._ids if id not in given_up]


def check_weights(weights: Mapping[Id, int] | None, known: Collection[Id]) -> None:
    """Raise `InputError` for a weight that is no positive integer, or of something that is not known."""
    given: Mapping[Id, object] = weights or {}
    for name, weight in given.items():
        if name not in known:
            raise InputError(f"a weight is given for {name!r}, which is not known")
        if not isinstance(weight, int) or weight < 1:
            raise InputError(f"the weight of {name} is no positive integer: {weight!r}")
