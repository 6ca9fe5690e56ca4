"""Ledgers of commitments and of statements, and how they come back from their events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError, RecordError
from holdtrue.ledger.entries import Event, EventKind, Source, Statement, Statements
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.ledger.restore import restore, restore_entries
from holdtrue.record import EventRecord
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.seating import SEATING


@pytest.fixture
def table() -> Instance:
    return SEATING.instance(["Ann", "Bob", "Cy", "Dee"])


def enter(ledger: Ledger, type: str, *args: str | int, turn: int = 1, doubtful: bool = False) -> str:
    proposal = Proposal(ledger.instance.constraint(type, args), doubtful=doubtful, confidence=0.4 if doubtful else 1.0)
    return ledger.enter(ledger.draft(proposal, turn), turn).entry.id


def test_a_confident_restatement_lifts_the_doubt(table: Instance) -> None:
    ledger = Ledger(table)
    id = enter(ledger, "adjacent", "Ann", "Bob", doubtful=True)
    enter(ledger, "adjacent", "Ann", "Bob")
    assert not ledger.active[id].doubtful
    assert ledger.active[id].confidence == 1.0
    enter(ledger, "adjacent", "Ann", "Bob", doubtful=True)
    assert not ledger.active[id].doubtful


def test_withdraw_and_amend_are_events_and_end_a_commitment(table: Instance) -> None:
    ledger = Ledger(table)
    first, second = enter(ledger, "at_position", "Ann", 1), enter(ledger, "at_position", "Bob", 2)
    ledger.withdraw(first, 2, "changed my mind")
    replacement = ledger.draft(Proposal(table.constraint("at_position", ["Bob", 3])), 3)
    ledger.amend(second, replacement, 3)
    assert [c.sentence for c in ledger.active.values()] == ["Bob must sit at position 3"]
    kinds = [event.kind.value for event in ledger.events]
    assert kinds == ["added", "added", "withdrawn", "amended", "added"]
    assert ledger.events[3].because == (replacement.id,)


def test_withdrawing_what_is_not_there_names_what_is(table: Instance) -> None:
    ledger = Ledger(table)
    enter(ledger, "at_position", "Ann", 1)
    with pytest.raises(InputError, match=r"no active commitment 'C009'; active: C001"):
        ledger.withdraw("C009", 1)


def test_amended_by_what_holds_already_names_the_one_that_holds(table: Instance) -> None:
    ledger = Ledger(table)
    first, second = enter(ledger, "at_position", "Ann", 1), enter(ledger, "at_position", "Ann", 2)
    replacement = ledger.draft(Proposal(table.constraint("at_position", ["Ann", 2])), 2)
    amended, entered = ledger.amend(first, replacement, 2, "Ann sits at 2 instead")
    assert (amended.because, amended.reason) == ((second,), "Ann sits at 2 instead")
    assert entered.kind is EventKind.RESTATED and list(ledger.active) == [second]
    assert ledger.next_id == "C003"


def test_a_commitment_was_last_said_when_it_was_added_or_restated(table: Instance) -> None:
    ledger = Ledger(table)
    first, second = enter(ledger, "adjacent", "Ann", "Bob"), enter(ledger, "adjacent", "Bob", "Cy")
    enter(ledger, "adjacent", "Bob", "Ann", turn=3)
    ledger.put_aside(second, 4, "because")
    ledger.enter(ledger.known[second], 5)
    assert ledger.last_turns == {first: 3, second: 1}


def test_a_ledger_without_what_a_later_one_takes_back(table: Instance) -> None:
    before = Ledger(table)
    first, second, third = (enter(before, "at_position", name, 1 + i) for i, name in enumerate(["Ann", "Bob", "Cy"]))
    after = before.fork()
    new = enter(after, "adjacent", "Ann", "Bob")
    after.withdraw(first, 2)
    after.withdraw(new, 2)
    after.put_aside(second, 2, "revision's, not the user's")
    shown = before.without(after.events[len(before.events) :])
    assert list(shown.active) == [second, third] and list(before.active) == [first, second, third]
    assert before.without(()) is before


def test_the_confident_and_the_newest_are_kept_first(table: Instance) -> None:
    ledger = Ledger(table)
    old, doubtful = enter(ledger, "at_position", "Ann", 1), enter(ledger, "at_position", "Bob", 2, doubtful=True)
    new, later = enter(ledger, "at_position", "Cy", 3), enter(ledger, "at_position", "Dee", 4, doubtful=True)
    assert ledger.preference == [new, old, later, doubtful]
    ledger.withdraw(new, 2)
    assert ledger.preference == [old, later, doubtful]


STEPS = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(Source), st.booleans()), max_size=20)


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_what_holds_is_what_was_said_and_has_not_ended(steps: list[tuple[int, Source, bool]]) -> None:
    ledger, held = Statements(), dict[str, str]()
    for turn, (number, source, ends) in enumerate(steps, start=1):
        id, before = f"U{number}", tuple(ledger.events)
        if ends and id in held:
            ledger.end(EventKind.WITHDRAWN, id, turn)
            del held[id]
        elif id not in held:
            ledger.add(id, f"sentence {turn}", turn, source)
            held[id] = f"sentence {turn}"
        assert tuple(ledger.events[: len(before)]) == before
        assert {id: event.sentence for id, event in ledger.active.items()} == held
        assert not set(ledger.taken_back) & set(held.values())
    assert ledger.sentences(*Source) == held


def test_a_fork_is_a_conversation_of_its_own() -> None:
    ledger = Statements()
    ledger.add("P1", "Rex is a dog", 0, Source.CONTEXT)
    fork = ledger.fork()
    event = fork.end(EventKind.SET_ASIDE, "P1", 2, ("U2.1",))
    assert (event.entry.sentence, event.because, event.turn) == ("Rex is a dog", ("U2.1",), 2)
    assert "P1" in ledger.active and not fork.active
    assert not fork.taken_back, "it was not the user who took it back"


def test_what_is_said_again_is_not_taken_back() -> None:
    ledger = Statements()
    ledger.add("U1.1", "Tom sleeps", 1, Source.USER)
    ledger.end(EventKind.WITHDRAWN, "U1.1", 2)
    assert [*ledger.taken_back] == ["Tom sleeps"]
    ledger.add("U3.1", "Tom sleeps", 3, Source.USER)
    assert not [*ledger.taken_back]
    assert ledger.sentences(Source.USER) == {"U3.1": "Tom sleeps"}


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
