"""What to set aside so that the rest can hold: the preferred correction, or one with as little as possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.budget import Budget
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.minimum_mcs import minimum_mcs
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.result import BackgroundConflict, Id, Mcs, MinimumMcs, Unknown

Correction = MinimumMcs | Mcs | Unknown | BackgroundConflict


def correct(
    engine: Engine, soft: Soft, confidence: Mapping[Id, float], budget: Budget, *, minimum: bool = False
) -> Correction:
    """A correction of `soft`; its witness satisfies all that is kept, and its type says what was proved.

    The greedy one keeps the most confident that can be kept, then the next, and so on (VERGE, algorithm 1): an `Mcs`,
    of which nothing can be spared, though there may be a smaller one. With `minimum` nothing smaller suffices
    (`MinimumMcs`; an `Mcs` where the budget ended before that was proved), and confidence chooses among equals.
    """
    order = by_confidence(soft, confidence)
    if minimum:
        return minimum_mcs(engine, soft, budget, order)
    return greedy_mss(engine, soft, budget, order)


def by_confidence(ids: Iterable[Id], confidence: Mapping[Id, float]) -> list[Id]:
    """The most confident first; equals keep their order, and what nobody is confident of comes last."""
    return sorted(ids, key=lambda id: -confidence.get(id, 0.0))
