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
    """Return a MUS of `soft`, with ids in their order there, or a `Core` if the budget ended before it was minimal.

    `fixed` values count as background: then the MUS says why they cannot be extended to a whole answer, and
    `BackgroundConflict` that they are impossible by themselves. Later ids are tried for removal first, so that a MUS of
    early commitments tends to be found; the engine's cores may lead to another. `budget.timeout_s` is for all checks
    together, and `budget.conflicts` for each.
    """
    questions = Questions(engine, soft, budget, fixed)
    first = questions.check(soft)
    if not isinstance(first, Core):
        return first
    return as_mus(*shrink(questions.check, [id for id in soft if id in first.ids]))


def shrink(ask: Ask, ids: Sequence[Id]) -> tuple[tuple[Id, ...], bool]:
    """Shrink `ids`, which cannot all hold, to some that still cannot; also return whether each is proved to be needed.

    The ids keep their order, and the last ones are removed first.
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
    """Return what the id clashes with, by a conflict that was sought; nothing where none was found in time."""
    return tuple(other for other in conflict.ids if other != id) if isinstance(conflict, Mus | Core) else ()


def as_mus(ids: tuple[Id, ...], proved: bool) -> Mus | Core | BackgroundConflict:
    """Return the result of `shrink` as the type that says what was proved."""
    if not ids:
        return BackgroundConflict()
    return Mus(ids) if proved else Core(ids)
