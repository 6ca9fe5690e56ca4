"""Rebuild a ledger from recorded events, and check each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from holdtrue.errors import InputError, RecordError
from holdtrue.ledger.commitment import Commitment
from holdtrue.ledger.entries import LEAVES, Event, EventKind
from holdtrue.ledger.ledger import Ledger
from holdtrue.world.world import World


def restore(instance: World, events: Iterable[Event[Commitment]]) -> Ledger:
    """Return the ledger after these events.

    Raises `RecordError` with the number of the first event that cannot follow the ones before it, or that names
    something the instance does not have.
    """
    ledger, turn = Ledger(instance), 0
    for number, event in enumerate(events, start=1):
        try:
            if event.turn < turn:
                raise RecordError(f"turn {event.turn} comes after turn {turn}")
            _check(ledger, event)
        except InputError as error:
            raise RecordError(f"event {number} ({event.kind.value} {event.entry.id}): {error}") from error
        ledger.append(event)
        turn = event.turn
    for number, event in enumerate(ledger.events, start=1):
        unknown = [id for id in event.because if id not in ledger.known]
        if unknown:
            raise RecordError(f"event {number}: there is no commitment {unknown[0]!r}")
    return ledger


def _check(ledger: Ledger, event: Event[Commitment]) -> None:
    instance, commitment = ledger.instance, event.entry
    made, id = commitment.constraint, commitment.id
    if instance.canonical(instance.constraint(made.type, made.args)) != made:
        raise RecordError(f"{made.type}{made.args} is not in normal form")
    if not 0 <= commitment.confidence <= 1:
        raise RecordError(f"a confidence of {commitment.confidence} is not in 0..1")
    known, active = ledger.known.get(id), id in ledger.active
    if event.kind in (EventKind.ADDED, EventKind.REJECTED):
        if id != ledger.next_id:
            raise RecordError(f"the next commitment would be {ledger.next_id}")
        if commitment.turn != event.turn:
            raise RecordError(f"the commitment is of turn {commitment.turn}, and the event of turn {event.turn}")
    elif known is None or known.constraint != made:
        raise RecordError("no earlier event brought this constraint in")
    elif active != (event.kind is EventKind.RESTATED or event.kind in LEAVES):
        raise RecordError(f"the commitment is {'active' if active else 'not active'} at this point")
    elif commitment != _carried(known, event):
        raise RecordError("the commitment is not as the events before left it")
    if event.kind in (EventKind.ADDED, EventKind.REINSTATED) and ledger.find(made) is not None:
        raise RecordError("an active commitment says the same")


def _carried(known: Commitment, event: Event[Commitment]) -> Commitment:
    """The commitment as the event may hold it: only saying it again lifts doubt."""
    if event.kind is not EventKind.RESTATED:
        return known
    again = event.entry
    surer = max(known.confidence, again.confidence)
    return replace(known, confidence=surer, doubtful=known.doubtful and again.doubtful)
