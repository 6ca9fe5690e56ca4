"""What was said, as events: what holds follows from them, and none is ever changed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.ledger.entries import EventKind, Source, Statements

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
