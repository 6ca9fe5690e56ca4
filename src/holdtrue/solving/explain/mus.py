"""A minimal unsatisfiable subset: commitments that cannot hold together, each of them needed for that.

Deletion with core refinement: take one out, ask again; if the rest is still impossible, go on with its core
(Bakker, Dikker, Tempelman and Wognum, IJCAI 1993; refinement: Nadel, "Boosting minimal unsatisfiable core
extraction", FMCAD 2010).
"""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Satisfiable, Unknown


def mus(
    engine: Engine, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
) -> Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """A MUS of `soft`, ids in their order there; `Core` where the budget ended before each was proved needed.

    With `fixed` values, a MUS relative to them: why they cannot be extended to a whole answer. They count as
    background then, and `BackgroundConflict` says that they are impossible by themselves. Later ids are taken
    out first, so that of several MUSes one made of early commitments tends to be found; the engine's cores may
    lead to another. `budget.timeout_s` is for all checks together, `budget.conflicts` for each.
    """
    deadline = budget.start()
    first = engine.check(soft, budget, fixed=fixed)
    if not isinstance(first, Core):
        return first
    candidates = [id for id in soft if id in first.ids]
    kept: list[Id] = []
    unproved: set[Id] = set()
    while candidates:
        last = candidates.pop()
        rest = {id: soft[id] for id in (*candidates, *kept)}
        result = engine.check(rest, budget.until(deadline), fixed=fixed)
        if isinstance(result, Core):
            candidates = [id for id in candidates if id in result.ids]
            kept = [id for id in kept if id in result.ids]
        else:
            kept.append(last)
            if isinstance(result, Unknown):
                unproved.add(last)
    if not kept:
        return BackgroundConflict()
    ids = tuple(id for id in soft if id in kept)
    return Mus(ids) if unproved.isdisjoint(ids) else Core(ids)
