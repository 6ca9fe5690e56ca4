"""Rebuild a ledger from recorded events, and check each event."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from holdtrue.errors import InputError, RecordError
from holdtrue.ledger.entries import LEAVES, Entries, Event, EventKind
from holdtrue.ledger.ledger import Commitment, Ledger
from holdtrue.record import EventRecord
from holdtrue.world.world import World

Books = TypeVar("Books", bound=Entries[Any])


def restore(instance: World, events: Iterable[Event[Commitment]]) -> Ledger:
    """Return the ledger after these events.

    Raises `RecordError`, with the number of the event, if an event cannot follow the earlier ones or does not fit the
    instance.
    """
    return _in_order(Ledger(instance), events, _check)


def restore_entries(
    books: Books,
    records: Iterable[EventRecord],
    make: Callable[[Books, EventRecord], Any],
    others: Container[str] = (),
) -> Books:
    """Add the events of these records to empty `books`, and return them. Raises `RecordError` like `restore`.

    `make` returns the new entry of a record, and raises `InputError` or `ValueError` for an invalid one. `others` are
    ids that events may name besides entries.
    """

    def event_of(books: Books, record: EventRecord) -> Event[Any]:
        kind, id = EventKind(record.kind), record.id
        if not 0 <= record.confidence <= 1:
            raise RecordError(f"a confidence of {record.confidence} is not in 0..1")
        if kind in LEAVES:
            # The user can also withdraw an entry that is set aside.
            entry: Any = books.active.get(id) or (books.set_aside.get(id) if kind is EventKind.WITHDRAWN else None)
        elif kind is EventKind.REINSTATED:
            entry = books.set_aside.get(id)
        else:
            entry = None if id in books.known else make(books, record)
        event = Event(kind, record.turn, entry, record.reason, record.because)
        if entry is None or event.record() != record:
            raise RecordError("this is not as the events before left it")
        return event

    return _in_order(books, records, event_of, others)


def _in_order(
    books: Books, steps: Iterable[Any], event_of: Callable[[Books, Any], Event[Any]], others: Container[str] = ()
) -> Books:
    """Add one event for each step, which is an event or a record, and check the order of turns and the reasons."""
    turn = 0
    for number, each in enumerate(steps, start=1):
        try:
            if each.turn < turn:
                raise RecordError(f"turn {each.turn} comes after turn {turn}")
            event = event_of(books, each)
        except (InputError, ValueError) as error:
            record = each.record() if isinstance(each, Event) else each
            raise RecordError(f"event {number} ({record.kind} {record.id}): {error}") from error
        books.append(event)
        turn = event.turn
    for number, event in enumerate(books.events, start=1):
        unknown = [id for id in event.because if id not in books.known and id not in others]
        if unknown:
            raise RecordError(f"event {number}: there is no commitment {unknown[0]!r}")
    return books


def _check(ledger: Ledger, event: Event[Commitment]) -> Event[Commitment]:
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
    return event


def _carried(known: Commitment, event: Event[Commitment]) -> Commitment:
    """Return the commitment that the event must have: unchanged, unless it was restated."""
    if event.kind is not EventKind.RESTATED:
        return known
    again = event.entry
    surer = max(known.confidence, again.confidence)
    return replace(known, confidence=surer, doubtful=known.doubtful and again.doubtful)
