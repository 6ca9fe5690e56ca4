"""Enter the readings of a message: statements, withdrawals and amendments into the ledger, newcomers into the world.

A *newcomer* is a name in a message that is not yet an entity. If a newcomer would break an earlier commitment, nobody
joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.errors import DomainError, RecordError, SettingsError
from holdtrue.language.asking_back import Question, ask_to_join
from holdtrue.language.reading import ActiveCommitment, Reading
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.ledger.restore import restore
from holdtrue.ledger.revision import amend, find_rivals, is_impossible, propose, withdraw
from holdtrue.record import Satisfiability
from holdtrue.solving.engine import CountedEngine, Engine
from holdtrue.solving.route import counted_engine
from holdtrue.verification.verifier import Verifier
from holdtrue.verification.words import quote
from holdtrue.world.answer import Unparsed
from holdtrue.world.instance import Instance, with_entity
from holdtrue.world.world import Constraint, Setting


def active_commitments(ledger: Ledger) -> tuple[ActiveCommitment, ...]:
    """Return the active commitments, which a message can withdraw or amend."""
    return tuple(ActiveCommitment(id, one.constraint, ledger.last_turns[id]) for id, one in ledger.active.items())


def take_in(
    ledger: Ledger, engine: Engine, readings: Sequence[Reading], turn: int, budget: Budget
) -> tuple[Reading, ...]:
    """Enter the readings of a message into the ledger, and return them with their results.

    Consecutive statements are proposed together. If the ledger cannot carry out a change, its reading says why.
    """
    taken: list[Reading] = []
    statements: list[Proposal] = []
    for reading in readings:
        if reading.constraint is None or reading.status == "rejected":
            taken.append(reading)
        elif reading.act == "states":
            statements.append(_proposal(reading, reading.constraint))
            taken.append(reading)
        else:
            propose(ledger, engine, statements, turn, budget)
            statements = []
            change = _withdraw if reading.act == "withdraws" else _amend
            taken.append(change(ledger, engine, reading, reading.constraint, turn, budget))
    if statements or not any(reading.act != "states" for reading in taken):
        propose(ledger, engine, statements, turn, budget)
    return tuple(taken)


def _proposal(reading: Reading, constraint: Constraint) -> Proposal:
    return Proposal(constraint, confidence=reading.confidence, doubtful=reading.status == "doubtful")


def _withdraw(
    ledger: Ledger, engine: Engine, reading: Reading, constraint: Constraint, turn: int, budget: Budget
) -> Reading:
    found = ledger.find(constraint)
    if found is None:
        return replace(reading, status="rejected", reason="it was not agreed, so there is nothing to take back")
    withdraw(ledger, engine, found.id, turn, budget, reading.sentence)
    return reading


def _amend(
    ledger: Ledger, engine: Engine, reading: Reading, constraint: Constraint, turn: int, budget: Budget
) -> Reading:
    """Replace a commitment by the constraint. If there is none to replace, or several, enter the constraint as a
    statement.

    A constraint that is impossible by itself replaces nothing. Otherwise the old one would be lost, and nothing gained.
    """
    proposal = _proposal(reading, constraint)
    replaced = None if reading.replaces is None else ledger.find(reading.replaces)
    if replaced is not None and not proposal.doubtful and is_impossible(ledger, engine, constraint, budget):
        why = f'"{ledger.instance.sentence(constraint)}" is impossible in this setting, so that {replaced.id} stays'
        return replace(reading, status="rejected", reason=why)
    old = (replaced.id,) if replaced else _named_rivals(ledger, engine, constraint, budget)
    if len(old) == 1:
        amend(ledger, engine, old[0], proposal, turn, budget, reading.sentence)
        return reading
    propose(ledger, engine, [proposal], turn, budget)
    unclear = f"it clashes with {', '.join(old)}; which of them it replaces is not clear" if old else reading.reason
    return replace(reading, act="states", reason=unclear)


def _named_rivals(ledger: Ledger, engine: Engine, constraint: Constraint, budget: Budget) -> tuple[str, ...]:
    """Return the active commitments that rule the constraint out and name no further entities.

    Moving Ann to the last day does not withdraw that she is before Bob.
    """
    named = set(ledger.instance.entities_in(constraint))
    rivals = find_rivals(ledger, engine, constraint, budget)
    return tuple(id for id in rivals if named.issuperset(ledger.instance.entities_in(ledger.active[id].constraint)))


@dataclass(frozen=True, slots=True)
class Joined:
    """The parts of a conversation that depend on its instance, made anew with one more entity."""

    instance: Instance
    ledger: Ledger
    engine: CountedEngine
    verifier: Verifier


def let_join(instance: Setting, ledger: Ledger, verifier: Verifier, name: str) -> Joined:
    """Return the new parts of a conversation after `name` has joined its entities.

    Every event of the ledger must fit the new instance. Commitments that could be kept before must not be proved
    impossible now. Raises `SettingsError` with the reason if `name` cannot join. Nothing is changed.
    """
    if not isinstance(instance, Instance):
        raise SettingsError(f"{name!r} cannot join: this world has no entities, as instances of domains have")
    if (known := instance.find_entity(name)) is not None:
        raise SettingsError(f"{name!r} cannot join: {known} is there already")
    try:
        made = with_entity(instance, name)
        kept = restore(made, ledger.events)
    except DomainError as error:
        raise SettingsError(f"{name!r} cannot join: {error}") from error
    except RecordError as error:
        raise SettingsError(f"{name!r} cannot join, for what was said would mean nothing then: {error}") from error
    engine = counted_engine(list(made.variables.values()), made.background)
    joined = Joined(made, kept, engine, Verifier(made, engine, verifier.budget))
    _check_room(joined, ledger, verifier, name)
    return joined


def ask_who_joins(
    instance: Setting,
    ledger: Ledger,
    verifier: Verifier,
    readings: Sequence[Reading],
    asked_before: Sequence[str],
    turn: int,
    number: int,
) -> tuple[Question, ...]:
    """Return questions about letting the unknown names in the readings join, or () if not all of them can.

    `number` is the number of the first question.
    """
    if not isinstance(instance, Instance):
        return ()
    questions = ask_to_join(instance, readings, asked_before, turn, number)
    current: Setting = instance
    try:
        for one in questions:
            joined = let_join(current, ledger, verifier, str(one.joins))
            current, ledger, verifier = joined.instance, joined.ledger, joined.verifier
    except SettingsError:
        return ()
    return questions


def _check_room(joined: Joined, ledger: Ledger, verifier: Verifier, name: str) -> None:
    """Raise `SettingsError` if commitments that can be kept now are proved impossible with the new entity."""
    nothing = Unparsed("there is no answer yet")
    after = joined.verifier.verify(joined.ledger, nothing)
    if after.basis is not Satisfiability.UNSAT:
        return
    if verifier.verify(ledger, nothing).basis is Satisfiability.UNSAT:
        return  # the commitments already clashed before, and the verdict reports that
    clash = "; ".join(quote(joined.ledger.active, after.mus or ()))
    held = f"what was agreed could not be kept: {clash}" if clash else "the laws of the domain leave no room"
    raise SettingsError(f"{name!r} cannot join: {held}")
