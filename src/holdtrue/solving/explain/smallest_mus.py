"""A smallest MUS: no fewer commitments clash.

By implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal
hitting set dualization", CP 2015): a MUS has something of every correction set, so the smallest set that has
something of all correction sets found so far is a smallest MUS as soon as it is impossible.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.hitting_set import HittingSets
from holdtrue.solving.explain.mss import grow
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.explain.shared_deadline import Questions
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, SmallestMus, Unknown


def smallest_mus(
    engine: Engine, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
) -> SmallestMus | Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """A MUS with the fewest ids of all, in the order of `soft`.

    Of several it is the one that avoids the last id, if one of them does, then the last but one, and so on,
    whatever the engine. It is only a `Mus` where the budget ended before fewer were ruled out, or a `Core` where
    it ended before. `fixed` values count as background.
    """
    questions = Questions(engine, soft, budget, fixed)
    some = mus(engine, soft, questions.budget, fixed=fixed)
    if not isinstance(some, Mus):
        return some
    sets = HittingSets(tuple(soft))
    while True:
        smallest = sets.cheapest(questions.deadline)
        if smallest is None:
            return some
        ids = tuple(id for id in soft if id in smallest)
        result = questions.decide(ids)
        if isinstance(result, Unknown):
            return some
        if not isinstance(result, Satisfiable):
            return SmallestMus(ids)
        grown = grow(questions, ids, (id for id in soft if id not in smallest), result.witness)
        if isinstance(grown, Unknown):
            return some
        sets.add(soft.keys() - grown[0])
