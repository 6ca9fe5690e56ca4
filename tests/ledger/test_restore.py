"""A ledger from events that were written down."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import RecordError
from holdtrue.ledger.entries import Event, EventKind, Source, Statement, Statements
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.ledger.restore import restore, restore_entries
from holdtrue.record import EventRecord
from holdtrue.world.instance import Constraint
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Ann", "Bob", "Cy", "Dee"])


def written() -> list[Event[Commitment]]:
    """Every kind of event there is."""
    ledger = Ledger(TABLE)

    def said(type: str, *args: str | int, doubtful: bool = False) -> Proposal:
        return Proposal(TABLE.constraint(type, args), doubtful=doubtful)

    proposals = [
        said("at_position", "Ann", 1),
        said("adjacent", "Bob", "Ann"),
        said("adjacent", "Ann", "Bob"),
        said("left_of", "Cy", "Dee", doubtful=True),
    ]
    for turn, proposal in enumerate(proposals, start=1):
        ledger.enter(ledger.draft(proposal, turn), turn)
    ledger.reject(ledger.draft(said("at_position", "Bob", 1), 4), 4, "clashes", ("C001",))
    ledger.put_aside("C003", 5, "gives way", ("C001",))
    ledger.enter(ledger.known["C003"], 6)
    ledger.withdraw("C001", 7, "forget that")
    ledger.amend("C002", ledger.draft(said("at_position", "Bob", 2), 8), 8)
    return ledger.events


EVENTS = written()


def test_a_ledger_comes_back_as_it_was() -> None:
    ledger, again = Ledger(TABLE, EVENTS), restore(TABLE, EVENTS)
    assert {event.kind for event in EVENTS} == set(EventKind)
    assert (again.events, again.active, again.known, again.last_turns) == (
        ledger.events,
        ledger.active,
        ledger.known,
        ledger.last_turns,
    )


def with_constraint(event: Event[Commitment], type: str, *args: str | int) -> Event[Commitment]:
    return replace(event, entry=replace(event.entry, constraint=Constraint(type, args)))


@pytest.mark.parametrize(
    ("number", "event", "says"),
    [
        (1, with_constraint(EVENTS[0], "near", "Ann"), "unknown constraint type 'near'"),
        (1, with_constraint(EVENTS[0], "at_position", "Zoe", 1), "'Zoe' is none of"),
        (1, with_constraint(EVENTS[0], "at_position", "ann", 1), "is not in normal form"),
        (2, with_constraint(EVENTS[1], "adjacent", "Bob", "Ann"), "is not in normal form"),
        (1, replace(EVENTS[0], entry=replace(EVENTS[0].entry, id="C002")), "would be C001"),
        (1, replace(EVENTS[0], entry=replace(EVENTS[0].entry, confidence=1.5)), "is not in 0..1"),
        (1, replace(EVENTS[0], kind=EventKind.WITHDRAWN), "no earlier event"),
        (2, replace(EVENTS[1], turn=0), "turn 0 comes after turn 1"),
        (3, with_constraint(EVENTS[2], "adjacent", "Bob", "Cy"), "no earlier event brought this constraint in"),
        (3, replace(EVENTS[2], kind=EventKind.REINSTATED), "the commitment is active at this point"),
        (3, replace(EVENTS[2], kind=EventKind.ADDED), "would be C003"),
        (7, replace(EVENTS[6], kind=EventKind.RESTATED), "the commitment is not active at this point"),
        (
            1,
            replace(EVENTS[0], entry=replace(EVENTS[0].entry, turn=3)),
            "is of turn 3, and the event of turn 1",
        ),
        (7, replace(EVENTS[6], entry=replace(EVENTS[6].entry, sentence="x")), "not as the events before"),
        (3, replace(EVENTS[2], entry=replace(EVENTS[2].entry, turn=3)), "not as the events before"),
        (8, replace(EVENTS[7], entry=replace(EVENTS[7].entry, doubtful=True)), "not as the events before"),
        (8, replace(EVENTS[7], because=("C009",)), "there is no commitment 'C009'"),
    ],
)
def test_an_event_that_cannot_be_is_named(number: int, event: Event[Commitment], says: str) -> None:
    events = [*EVENTS[: number - 1], event, *EVENTS[number:]]
    with pytest.raises(RecordError, match=rf"event {number}\b.*{says}"):
        restore(TABLE, events)


def test_what_is_active_already_cannot_be_added() -> None:
    twice = replace(EVENTS[1], entry=replace(EVENTS[0].entry, id="C002", turn=2))
    with pytest.raises(RecordError, match="an active commitment says the same"):
        restore(TABLE, [EVENTS[0], twice])


def statement_ledger() -> Statements:
    """Statements with every event that they have."""
    ledger = Statements()
    for number, source in enumerate((Source.CONTEXT, Source.USER, Source.ASSISTANT)):
        ledger.add(f"S{number}", f"Sentence {number}.", number, source)
    ledger.end(EventKind.SET_ASIDE, "S2", 2, ("S1",))
    ledger.end(EventKind.WITHDRAWN, "S1", 3)
    ledger.end(EventKind.AMENDED, "S0", 3)
    return ledger


def statement(books: Statements, record: EventRecord) -> Statement:
    return Statement(record.id, record.sentence, record.turn, Source(record.source), record.confidence)


RECORDS = [event.record() for event in statement_ledger().events]


def test_entries_come_back_from_the_records_of_their_events() -> None:
    again = restore_entries(Statements(), RECORDS, statement)
    assert (again.events, again.known, again.active, again.set_aside) == (
        statement_ledger().events,
        statement_ledger().known,
        statement_ledger().active,
        statement_ledger().set_aside,
    )
    withdrawn = replace(RECORDS[3], kind="withdrawn", turn=4, because=())
    assert not restore_entries(Statements(), [*RECORDS, withdrawn], statement).set_aside, "also what is set aside"
    back = replace(RECORDS[3], kind="reinstated", turn=4, because=())
    assert list(restore_entries(Statements(), [*RECORDS, back], statement).active) == ["S2"]


@pytest.mark.parametrize(
    ("number", "change", "says"),
    [
        (2, {"turn": -1}, "turn -1 comes after turn 0"),
        (2, {"id": "S0"}, "not as the events before left it"),
        (2, {"kind": "lost"}, "'lost' is not a valid EventKind"),
        (2, {"source": "nobody"}, "'nobody' is not a valid Source"),
        (2, {"type": "ENTAILED"}, "not as the events before left it"),
        (2, {"confidence": -0.5}, "is not in 0..1"),
        (2, {"because": ("S9",)}, "there is no commitment 'S9'"),
        (4, {"sentence": "Another."}, "not as the events before left it"),
        (4, {"kind": "reinstated"}, "not as the events before left it"),
        (5, {"id": "S9"}, "not as the events before left it"),
        (6, {"id": "S2"}, "not as the events before left it"),
    ],
)
def test_a_record_that_cannot_follow_is_named(number: int, change: dict[str, Any], says: str) -> None:
    records = [*RECORDS[: number - 1], replace(RECORDS[number - 1], **change), *RECORDS[number:]]
    with pytest.raises(RecordError, match=rf"event {number}\b.*{says}"):
        restore_entries(Statements(), records, statement)


def test_what_is_no_entry_can_be_a_reason_where_it_is_named() -> None:
    records = [replace(RECORDS[0], because=("P1",))]
    assert restore_entries(Statements(), records, statement, {"P1"}).events[0].because == ("P1",)
