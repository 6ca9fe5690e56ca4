"""Find the cheapest ids to give up so that the rest can hold, for minimum corrections and nearest answers.

This uses implicit hitting sets. While the kept formulas cannot hold together, some id of their core must be given up as
well. The cheapest choice that hits every core and suffices is the cheapest of all. Source: Davies and Bacchus, "Solving
MAXSAT by solving a sequence of simpler SAT instances", CP 2011. The first cores are used as they are. If they do not
settle the question, cores are made minimal, and several are collected between two exact choices. Source: the same
authors, "Postponing optimization to speed up MAXSAT solving", CP 2013.

If the search takes long, `minimum_mcs` returns the greedy correction. The greedy correction is also the answer if it
costs no more than the known lower bound.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import InputError
from holdtrue.solving.engine import Engine, Questions, Soft
from holdtrue.solving.explain.hitting_set import HittingSets
from holdtrue.solving.explain.mss import as_mcs, greedy_mss
from holdtrue.solving.explain.mus import Ask, shrink
from holdtrue.solving.result import (
    BackgroundConflict,
    Core,
    Id,
    Mcs,
    MinimumMcs,
    Satisfiable,
    Unknown,
    Unsatisfiable,
    Witness,
)

PLAIN = 8
"""The number of cores used as they are. They mostly suffice, and minimizing a core takes several questions."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Without `ids` the rest can hold, under `witness`. No cheaper choice suffices."""

    ids: frozenset[Id]
    witness: Witness


class Relaxation:
    """A `Relaxation` searches for the cheapest choice of `ids` to give up, in two stages: `begin`, then `finish`.

    `ask` is called with the kept ids. Of several cheapest choices, it finds the one that keeps the first id if
    possible, then the second, and so on. This does not depend on the engine's cores. `weights` are the costs of giving
    up ids, by default 1.
    """

    def __init__(self, ask: Ask, ids: Sequence[Id], weights: Mapping[Id, int] | None, deadline: Deadline) -> None:
        self._ask = ask
        self._ids = tuple(ids)
        self._sets = HittingSets(self._ids[::-1], weights)
        self._deadline = deadline
        self._given_up: frozenset[Id] = frozenset()

    def cost(self, ids: Iterable[Id]) -> int:
        """Return the cost of giving up these ids."""
        return self._sets.cost(ids)

    @property
    def bound(self) -> int:
        """Return the least cost that is known to be needed so far."""
        return self.cost(self._given_up)

    def learn(self, core: Iterable[Id]) -> bool:
        """Add a core. Return false if none of its ids can be given up."""
        named = [id for id in core if id in self._sets]
        if named:
            self._sets.add(named)
        return bool(named)

    def begin(self) -> Relaxed | Core | Unknown | None:
        """Search with a few plain cores. Return None if they do not settle the question.

        A `Core` that has none of the ids means that giving up all of them does not help.
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
        """Search with minimal cores, from the state that `begin` left. Returns like `begin`."""
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
                    # The next question will show that giving up everything does not help.
                    given_up.update(self._ids)
                postponed = True
            if not postponed:
                return Relaxed(self._given_up, result.witness)

    def _choose(self) -> bool:
        """Choose the cheapest ids that hit all cores so far. Return false if time ran out."""
        cheapest = self._sets.cheapest(self._deadline)
        if cheapest is not None:
            self._given_up = cheapest
        return cheapest is not None

    def _without(self, given_up: Collection[Id]) -> list[Id]:
        return [id for id in self._ids if id not in given_up]


def check_weights(weights: Mapping[Id, int] | None, known: Collection[Id]) -> None:
    """Raise `InputError` for a weight that is not a positive integer, or for a name that is not in `known`."""
    given: Mapping[Id, object] = weights or {}
    for name, weight in given.items():
        if name not in known:
            raise InputError(f"a weight is given for {name!r}, which is not known")
        if not isinstance(weight, int) or weight < 1:
            raise InputError(f"the weight of {name} is no positive integer: {weight!r}")


def minimum_mcs(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    order: Sequence[Id] | None = None,
    *,
    weights: Mapping[Id, int] | None = None,
    fixed: Mapping[str, int] | None = None,
) -> MinimumMcs | Mcs | Unknown | BackgroundConflict:
    """Set aside ids at the least cost so that the rest can hold. `weights` are positive integers, by default 1.

    Of several cheapest corrections, it returns the one that `order` prefers. This one keeps the first id if possible,
    then the second, and so on; ids that `order` does not name come last. It does not depend on the engine. If the
    budget ends before cheaper corrections are ruled out, the result is an `Mcs`. `fixed` values count as background.
    """
    check_weights(weights, soft)
    questions = Questions(engine, soft, budget, fixed)
    whole = questions.check(soft)
    if isinstance(whole, Unknown):
        return whole
    if isinstance(whole, Satisfiable):
        return MinimumMcs(tuple(soft), (), whole.witness, 0)

    def ask(kept: Sequence[Id]) -> Satisfiable | Core | Unknown:
        # This is often the last question already, and `decide` finds a witness at a lower cost.
        result = questions.decide(kept)
        return questions.check(kept) if isinstance(result, Unsatisfiable) else result

    ids = list(dict.fromkeys((*(order or ()), *soft)))
    relaxation = Relaxation(ask, ids, weights, questions.deadline)
    found = relaxation.begin() if relaxation.learn(whole.ids) else whole
    standby: Mcs | Unknown | BackgroundConflict | None = None
    if found is None:
        standby = greedy_mss(engine, soft, questions.budget, order, fixed=fixed)
        if isinstance(standby, Mcs) and relaxation.cost(standby.set_aside) == relaxation.bound:
            # The greedy correction is the most preferred of all, and so of the cheapest.
            return _minimum(standby, relaxation)
        found = relaxation.finish()
    if isinstance(found, Relaxed):
        return _minimum(as_mcs(soft, soft.keys() - found.ids, found.witness), relaxation)
    if isinstance(found, Core):
        return BackgroundConflict()
    return standby if isinstance(standby, Mcs) else found


def _minimum(correction: Mcs, relaxation: Relaxation) -> MinimumMcs:
    cost = relaxation.cost(correction.set_aside)
    return MinimumMcs(correction.kept, correction.set_aside, correction.witness, cost)
