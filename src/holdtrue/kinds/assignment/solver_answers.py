"""Find valid answers without the model: the one nearest to a broken answer (its *projection*), or a random one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.budget import Budget, Deadline
from holdtrue.errors import DomainError
from holdtrue.kinds.assignment.method import Distance
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import AllDifferent, Variable
from holdtrue.logic.sorts import drawn_from
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.closest_answer import closest
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import BackgroundConflict, Id, Mcs, Nearest, Satisfiable, Unknown, Unsatisfiable
from holdtrue.world.world import World

IMPOSSIBLE = "the setting alone is impossible, whatever was agreed"
REJECTION_TRIES = 1000


@dataclass(frozen=True, slots=True)
class Projection:
    """A valid answer.

    `values` are its values by variable, and `changed` are the variables that differ from the target. `set_aside` names
    the commitments that it does not keep. If `optimal` is true, it is proved that no valid answer is nearer. Otherwise
    the budget ended first.
    """

    values: Mapping[str, int]
    changed: tuple[str, ...]
    set_aside: tuple[str, ...] = ()
    optimal: bool = True


@dataclass(frozen=True, slots=True)
class NoProjection:
    """No valid answer was found. `reason` says whether the setting is impossible or the budget ended first."""

    reason: str


def project(
    turn: Turn, ledger: Ledger, target: Mapping[str, int] | None, distance: Distance = "changes"
) -> Projection | NoProjection:
    """Return the valid answer nearest to `target`, or without a target the lexicographically first one.

    `turn` has the engine, the variables and the time limit of the whole search. The distance "changes" counts the
    variables that differ, and "difference" adds up the amounts. If the commitments clash, the newest ones win, and the
    others are listed in `set_aside`.
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
    """Return the commitments that a valid answer must keep: all, if that is possible."""
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
    """Return the first valid answer, or any valid one if the budget ends early."""
    deadline = budget.start()
    first = first_witness(engine, soft, budget.until(deadline, 2), order)
    if isinstance(first, Satisfiable):
        return Projection(first.witness, (), set_aside)
    any_one = engine.decide(soft, budget.until(deadline)) if isinstance(first, Unknown) else first
    if isinstance(any_one, Satisfiable):
        return Projection(any_one.witness, (), set_aside, optimal=False)
    return NoProjection(any_one.reason if isinstance(any_one, Unknown) else IMPOSSIBLE)


def random_legal(world: World, engine: Engine, budget: Budget, rng: random.Random) -> Mapping[str, int]:
    """Return a random assignment that keeps the domain's laws and ignores the commitments.

    It is uniform if rejection sampling finds one. If the laws are too strict for that, it is the legal assignment
    nearest to a random one.
    """
    laws = [formula.holds for formula in world.background]
    values: dict[str, int] = {}
    for _ in range(REJECTION_TRIES):
        values = _draw(world, rng)
        if all(law(values) for law in laws):
            return values
    found = nearest(engine, {}, values, budget)
    if not isinstance(found, Nearest):
        raise DomainError(f"no legal answer was found for this setting: {found}")
    return found.witness


def _draw(world: World, rng: random.Random) -> dict[str, int]:
    """Draw a value for every variable. If a law makes the variables of an attribute differ, draw different values."""
    by_attribute: dict[str, list[Variable]] = {}
    for name, variable in world.variables.items():
        by_attribute.setdefault(world.slot(name).attribute, []).append(variable)
    apart = {frozenset(formula.terms) for formula in world.background if isinstance(formula, AllDifferent)}
    values: dict[str, int] = {}
    for own in by_attribute.values():
        choices = drawn_from(own[0].sort)
        names = [variable.name for variable in own]
        if frozenset(own) in apart and len(choices) >= len(own):
            values.update(zip(names, rng.sample(choices, len(own)), strict=True))
        else:
            values.update((variable.name, rng.choice(drawn_from(variable.sort))) for variable in own)
    return values
