"""Projection: deliver the valid answer that changes the least."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.ledger.ledger import Ledger
from holdtrue.methods.turn import Turn
from holdtrue.solving.explain.lexicographic import first_witness
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.nearest import nearest
from holdtrue.solving.result import Mcs, Nearest, Satisfiable, Unsatisfiable


@dataclass(frozen=True, slots=True)
class Projection:
    """A valid answer: its values, which of the target's it changes, and the commitments that it sets aside."""

    values: Mapping[str, int]
    changed: tuple[str, ...]
    set_aside: tuple[str, ...] = ()


def project(turn: Turn, ledger: Ledger, target: Mapping[str, int] | None) -> Projection | None:
    """The valid answer nearest to `target`; without a target, the lexicographically first one.

    On a ledger that cannot be kept whole, the newest statements win, and what they cost is listed in
    `set_aside`. None where the solver gives no answer within its budget, or the setting is impossible.
    """
    engine, budget, soft = turn.verifier.engine, turn.budget, dict(ledger.soft)
    set_aside: tuple[str, ...] = ()
    if isinstance(engine.decide(soft, budget), Unsatisfiable):
        kept = greedy_mss(engine, soft, budget, order=ledger.preference)
        if not isinstance(kept, Mcs):
            return None
        set_aside = kept.set_aside
        soft = {id: formula for id, formula in soft.items() if id not in set_aside}
    if target:
        found = nearest(engine, soft, target, budget)
        return Projection(found.witness, found.changed, set_aside) if isinstance(found, Nearest) else None
    first = first_witness(engine, soft, budget, list(turn.instance.variables))
    return Projection(first.witness, (), set_aside) if isinstance(first, Satisfiable) else None
