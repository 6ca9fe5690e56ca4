"""Enter what was read in a message into the ledger: statements, withdrawals and amendments, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.language.reading import ActiveCommitment, Reading
from holdtrue.ledger.commitment import Proposal
from holdtrue.ledger.ledger import Ledger
from holdtrue.ledger.revision import amend, find_rivals, is_impossible, propose, withdraw
from holdtrue.solving.engine import Engine
from holdtrue.world.world import Constraint


def active_commitments(ledger: Ledger) -> tuple[ActiveCommitment, ...]:
    """Return the active commitments, which a message can take back or change."""
    return tuple(ActiveCommitment(id, one.constraint, ledger.last_turns[id]) for id, one in ledger.active.items())


def take_in(
    ledger: Ledger, engine: Engine, readings: Sequence[Reading], turn: int, budget: Budget
) -> tuple[Reading, ...]:
    """Enter the readings of a message into the ledger, and return them as they came out.

    Statements in a row are proposed together. If the ledger cannot carry out a change, its reading says why.
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
    """Put the constraint in the place of what it replaces; where that is nothing, or not clear, it is a statement.

    What is impossible by itself replaces nothing: what it was to replace would be gone, and nothing could be kept.
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
    """Return rivals that name no other entities: moving Ann to the last day does not undo that she is before Bob."""
    named = set(ledger.instance.entities_in(constraint))
    rivals = find_rivals(ledger, engine, constraint, budget)
    return tuple(id for id in rivals if named.issuperset(ledger.instance.entities_in(ledger.active[id].constraint)))
