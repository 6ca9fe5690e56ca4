"""Projection: replace an answer that breaks commitments by the nearest answer that keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.kinds.assignment.method import Distance
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.ledger.ledger import Ledger
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.closest_answer import closest
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import BackgroundConflict, Id, Mcs, Nearest, Satisfiable, Unknown, Unsatisfiable

IMPOSSIBLE = "the setting alone is impossible, whatever was agreed"


@dataclass(frozen=True, slots=True)
class Projection:
    """A valid answer that was found.

    `values` are its values by variable, `changed` the variables that differ from the target, and `set_aside` the
    commitments that it does not keep. If `optimal`, it is proved that no valid answer is nearer; otherwise the budget
    ended before that was known.
    """

    values: Mapping[str, int]
    changed: tuple[str, ...]
    set_aside: tuple[str, ...] = ()
    optimal: bool = True


@dataclass(frozen=True, slots=True)
class NoProjection:
    """No valid answer was found; `reason` says whether the setting is impossible or the budget ended first."""

    reason: str


def project(
    turn: Turn, ledger: Ledger, target: Mapping[str, int] | None, distance: Distance = "changes"
) -> Projection | NoProjection:
    """Return the valid answer nearest to `target`; without a target, the lexicographically first one.

    `turn` has the engine, the variables and the time limit, which is for all of this together. The distance "changes"
    counts the variables that differ, and "difference" adds up by how much numbers differ. If the ledger cannot be kept
    as a whole, the newest statements win, and the commitments that give way are listed in `set_aside`.
    """
    engine, deadline = turn.verifier.engine, turn.budget.start()
    kept = _keep(engine, ledger, turn.budget, deadline)
    if isinstance(kept, NoProjection):
        return kept
    soft = {id: ledger.soft[id] for id in kept}
    set_aside = tuple(id for id in ledger.soft if id not in soft)
    left = turn.budget.until(deadline)
    if not target:
        return _first(engine, soft, left, list(turn.instance.variables), set_aside)
    find = closest if distance == "difference" else nearest
    found = find(engine, soft, target, left)
    if isinstance(found, Nearest):
        return Projection(found.witness, found.changed, set_aside, found.optimal)
    return NoProjection(found.reason if isinstance(found, Unknown) else IMPOSSIBLE)


def _keep(engine: Engine, ledger: Ledger, budget: Budget, deadline: Deadline) -> tuple[Id, ...] | NoProjection:
    """The commitments that a valid answer has to keep: all, if that is possible."""
    whole = engine.decide(ledger.soft, budget.until(deadline, 2))
    if not isinstance(whole, Unsatisfiable):
        return tuple(ledger.soft)
    found = greedy_mss(engine, ledger.soft, budget.until(deadline), order=ledger.preference)
    if isinstance(found, Mcs):
        return found.kept
    return NoProjection(IMPOSSIBLE if isinstance(found, BackgroundConflict) else found.reason)


def _first(
    engine: Engine, soft: Soft, budget: Budget, order: list[str], set_aside: tuple[Id, ...]
) -> Projection | NoProjection:
    """The first valid answer; any one, not proved the first, where the budget ends early."""
    deadline = budget.start()
    first = first_witness(engine, soft, budget.until(deadline, 2), order)
    if isinstance(first, Satisfiable):
        return Projection(first.witness, (), set_aside)
    any_one = engine.decide(soft, budget.until(deadline)) if isinstance(first, Unknown) else first
    if isinstance(any_one, Satisfiable):
        return Projection(any_one.witness, (), set_aside, optimal=False)
    return NoProjection(any_one.reason if isinstance(any_one, Unknown) else IMPOSSIBLE)
