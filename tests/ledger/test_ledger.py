"""Ledgers of commitments and of statements."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.ledger.entries import EventKind, Source, Statements
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.world.instance import Instance
from holdtrue.world.seating import SEATING


@pytest.fixture
def table() -> Instance:
    return SEATING.instance(["Ann", "Bob", "Cy", "Dee"])


def enter(ledger: Ledger, type: str, *args: str | int, turn: int = 1, doubtful: bool = False) -> str:
    proposal = Proposal(ledger.instance.constraint(type, args), doubtful=doubtful, confidence=0.4 if doubtful else 1.0)
    return ledger.enter(ledger.draft(proposal, turn), turn).entry.id


def test_ids_count_from_one_and_keep_the_order_of_entry(table: Instance) -> None:
    ledger = Ledger(table)
    assert [enter(ledger, "at_position", "Ann", 1), enter(ledger, "adjacent", "Bob", "Cy")] == ["C001", "C002"]
    assert list(ledger.active) == ["C001", "C002"]
    assert list(ledger.soft) == ["C001", "C002"]


def test_the_same_thing_said_in_another_order_is_merged(table: Instance) -> None:
    ledger = Ledger(table)
    first = enter(ledger, "adjacent", "Bob", "Ann", turn=1)
    assert enter(ledger, "adjacent", "Ann", "Bob", turn=2) == first
    assert list(ledger.active) == [first]
    assert [event.kind for event in ledger.events] == [EventKind.ADDED, EventKind.RESTATED]
    assert ledger.active[first].sentence == "Bob must sit next to Ann"  # as it was said first


def test_direction_matters_for_asymmetric_types(table: Instance) -> None:
    ledger = Ledger(table)
    assert enter(ledger, "left_of", "Ann", "Bob") != enter(ledger, "left_of", "Bob", "Ann")


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


def test_a_withdrawn_thing_can_be_said_again_under_a_new_id(table: Instance) -> None:
    ledger = Ledger(table)
    first = enter(ledger, "at_position", "Ann", 1)
    ledger.withdraw(first, 2)
    again = enter(ledger, "at_position", "Ann", 1, turn=3)
    assert again != first and list(ledger.active) == [again]


def test_withdrawing_what_is_not_there_names_what_is(table: Instance) -> None:
    ledger = Ledger(table)
    enter(ledger, "at_position", "Ann", 1)
    with pytest.raises(InputError, match=r"no active commitment 'C009'; active: C001"):
        ledger.withdraw("C009", 1)


def test_a_ledger_is_its_events(table: Instance) -> None:
    ledger = Ledger(table)
    first = enter(ledger, "at_position", "Ann", 1)
    enter(ledger, "adjacent", "Ann", "Bob", doubtful=True)
    enter(ledger, "adjacent", "Bob", "Ann")
    ledger.withdraw(first, 2)
    again = Ledger(table, ledger.events)
    assert again.active == ledger.active and again.soft == ledger.soft and again.events == ledger.events


def test_a_fork_is_independent(table: Instance) -> None:
    ledger = Ledger(table)
    enter(ledger, "at_position", "Ann", 1)
    fork = ledger.fork()
    enter(fork, "at_position", "Bob", 2)
    assert len(ledger.active) == 1 and len(fork.active) == 2


def test_amended_by_what_holds_already_names_the_one_that_holds(table: Instance) -> None:
    ledger = Ledger(table)
    first, second = enter(ledger, "at_position", "Ann", 1), enter(ledger, "at_position", "Ann", 2)
    replacement = ledger.draft(Proposal(table.constraint("at_position", ["Ann", 2])), 2)
    amended, entered = ledger.amend(first, replacement, 2, "Ann sits at 2 instead")
    assert (amended.because, amended.reason) == ((second,), "Ann sits at 2 instead")
    assert entered.kind is EventKind.RESTATED and list(ledger.active) == [second]
    assert ledger.next_id == "C003"


def test_amended_by_itself_it_holds_under_a_new_id(table: Instance) -> None:
    ledger = Ledger(table)
    first = enter(ledger, "at_position", "Ann", 1)
    again = ledger.draft(Proposal(table.constraint("at_position", ["Ann", 1])), 2)
    amended, _ = ledger.amend(first, again, 2)
    assert amended.because == ("C002",) and list(ledger.active) == ["C002"]


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
