"""The preferred explanation: of all MUSes, the one made of the most preferred commitments.

QuickXplain (Junker, "QUICKXPLAIN: preferred explanations and relaxations for over-constrained problems", AAAI
2004): halves are left out as a whole, so that a small conflict among many commitments is found in few questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.mus import as_mus
from holdtrue.solving.explain.questions import Questions
from holdtrue.solving.result import BackgroundConflict, Core, Id, Mus, Satisfiable, Unknown, Unsatisfiable


def quickxplain(
    engine: Engine,
    soft: Soft,
    budget: Budget,
    *,
    order: Sequence[Id] | None = None,
    fixed: Mapping[str, int] | None = None,
) -> Mus | Core | Satisfiable | Unknown | BackgroundConflict:
    """The MUS that does without the least preferred commitments, ids in the order of `soft`.

    `order` has the most preferred first (by default, and for ids that it does not name, the order of `soft`). The
    MUS avoids the last of them if any does, then the last but one, and so on: it does not depend on the engine.
    `fixed` values count as background. `Core` where the budget ended before each was proved needed.
    """
    questions = Questions(engine, soft, budget, fixed)
    first = questions.check(soft)
    if not isinstance(first, Core):
        return first
    proved = True

    def impossible(ids: Sequence[Id]) -> bool:
        nonlocal proved
        result = questions.decide(ids)
        proved = proved and not isinstance(result, Unknown)
        return isinstance(result, Unsatisfiable)

    def explain(given: list[Id], added: bool, ids: list[Id]) -> list[Id]:
        """What of `ids` is needed for a conflict with `given`; nothing where what was `added` there is enough."""
        if added and impossible(given):
            return []
        if len(ids) == 1:
            return ids
        preferred, others = ids[: len(ids) // 2], ids[len(ids) // 2 :]
        needed = explain([*given, *preferred], True, others)
        return explain([*given, *needed], bool(needed), preferred) + needed

    preference = list(dict.fromkeys((*(order or ()), *soft)))
    # Nothing after the last of the core is needed for a conflict.
    end = max((place for place, id in enumerate(preference, 1) if id in first.ids), default=0)
    found = set(explain([], True, preference[:end])) if end else set()
    return as_mus(tuple(id for id in soft if id in found), proved)
