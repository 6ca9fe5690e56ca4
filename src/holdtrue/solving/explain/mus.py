"""A minimal unsatisfiable subset: commitments that cannot hold together, each of them needed for that.

Deletion with core refinement: take one out, ask again; if the rest is still impossible, go on with its core
(Bakker, Dikker, Tempelman and Wognum, IJCAI 1993; refinement: Nadel, "Boosting minimal unsatisfiable core
extraction", FMCAD 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.shared_deadline import Questions
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Satisfiable, Unknown

Ask = Callable[[Sequence[Id]], Satisfiable | Core | Unknown]
"""Can these hold together? A core may name other ids too, which are not in question."""


def mus(
    engine: Engine, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
) -> Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """A MUS of `soft`, ids in their order there; `Core` where the budget ended before each was proved needed.

    With `fixed` values, a MUS relative to them: why they cannot be extended to a whole answer. They count as
    background then, and `BackgroundConflict` says that they are impossible by themselves. Later ids are taken
    out first, so that of several MUSes one made of early commitments tends to be found; the engine's cores may
    lead to another. `budget.timeout_s` is for all checks together, `budget.conflicts` for each.
    """
    questions = Questions(engine, soft, budget, fixed)
    first = questions.check(soft)
    if not isinstance(first, Core):
        return first
    return as_mus(*shrink(questions.check, [id for id in soft if id in first.ids]))


def shrink(ask: Ask, ids: Sequence[Id]) -> tuple[tuple[Id, ...], bool]:
    """Some of the `ids`, which cannot all hold, that still cannot; and whether each was proved needed for that.

    They keep their order. The last ones are taken out first.
    """
    candidates = list(ids)
    kept: list[Id] = []
    unproved: set[Id] = set()
    while candidates:
        last = candidates.pop()
        result = ask((*candidates, *kept))
        if isinstance(result, Core):
            core = set(result.ids)
            candidates = [id for id in candidates if id in core]
            kept = [id for id in kept if id in core]
        else:
            kept.append(last)
            if isinstance(result, Unknown):
                unproved.add(last)
    return tuple(reversed(kept)), unproved.isdisjoint(kept)


def others(conflict: object, id: Id) -> tuple[Id, ...]:
    """What the id clashes with, by a conflict that was sought; nothing where none was found in time."""
    return tuple(other for other in conflict.ids if other != id) if isinstance(conflict, Mus | Core) else ()


def as_mus(ids: tuple[Id, ...], proved: bool) -> Mus | Core | BackgroundConflict:
    """What `shrink` found, by its type."""
    if not ids:
        return BackgroundConflict()
    return Mus(ids) if proved else Core(ids)
