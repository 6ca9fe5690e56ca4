"""The ledger of slots decides what a reading does: it adds, amends, restates, frees or takes back."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.slot_ledger import SlotLedger

SLOTS = ("Hotel.city", "Hotel.nights", "Hotel.breakfast")
VALUES = st.sampled_from(["Paris", "paris ", "Lyon", 1, 2, True, False, 1.5])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from(SLOTS), VALUES),
        st.tuples(st.just("free"), st.sampled_from(SLOTS), st.none()),
        st.tuples(st.just("drop"), st.sampled_from(SLOTS), st.none()),
    )
)


def test_another_value_amends_without_any_cue() -> None:
    ledger = SlotLedger()
    ledger.set("Hotel.city", "Paris", 1, quote="in Paris")
    event = ledger.set("Hotel.city", "Lyon", 2)
    assert [own.kind for own in ledger.events] == [EventKind.ADDED, EventKind.AMENDED, EventKind.ADDED]
    assert event.because == ("S001",)
    assert ledger.values == {"Hotel.city": "Lyon"}


def test_the_same_value_again_changes_nothing() -> None:
    ledger = SlotLedger()
    ledger.set("Hotel.city", "Paris", 1)
    assert ledger.set("Hotel.city", "paris", 2).kind is EventKind.RESTATED
    assert ledger.values == {"Hotel.city": "Paris"}
    ledger.set("Hotel.nights", 1, 2)
    assert ledger.set("Hotel.nights", True, 3).kind is EventKind.ADDED  # a flag is no number


def test_a_freed_slot_has_no_value_and_can_be_set_again() -> None:
    ledger = SlotLedger()
    ledger.set("Hotel.city", "Paris", 1)
    ledger.free("Hotel.city", 2)
    assert ledger.values == {} and ledger.by_slot["Hotel.city"].sentence == "Hotel.city may be anything"
    assert ledger.free("Hotel.city", 3).kind is EventKind.RESTATED
    ledger.set("Hotel.city", "Lyon", 4)
    assert ledger.values == {"Hotel.city": "Lyon"}
    assert ledger.drop("Hotel.city", 5) is not None
    assert ledger.drop("Hotel.city", 6) is None


@given(STEPS)
def test_the_ledger_holds_what_a_plain_dictionary_would(steps: list[tuple[str, str, object]]) -> None:
    ledger, held = SlotLedger(), dict[str, object]()
    for turn, (verb, slot, value) in enumerate(steps, 1):
        if verb == "set":
            ledger.set(slot, value, turn)  # type: ignore[arg-type]
            old = held.get(slot)
            if not (str(old).strip().casefold() == str(value).strip().casefold() and isinstance(old, type(value))):
                held[slot] = value
        else:
            (ledger.free if verb == "free" else ledger.drop)(slot, turn)
            held.pop(slot, None)
    assert ledger.values == held
    assert len({entry.slot for entry in ledger.active.values()}) == len(ledger.active)
    assert SlotLedger(ledger.events).values == held


@given(
    st.sampled_from(["at_least", "more_than"]),
    st.integers(0, 9),
    st.sampled_from(["at_most", "less_than"]),
    st.integers(0, 9),
)
def test_a_newer_limit_takes_the_place_of_one_that_leaves_nothing_beside_it(
    low: Any, least: int, high: Any, most: int
) -> None:
    ledger = SlotLedger()
    ledger.set("n", least, 1, relation=low)
    ledger.set("n", most, 2, relation=high)
    kept = [*ledger.active.values()]
    possible = any(all(own.allows(value / 2) for own in kept) for value in range(-4, 24))
    assert possible
    both = any(
        (value > least if low == "more_than" else value >= least)
        and (value < most if high == "less_than" else value <= most)
        for value in (half / 2 for half in range(-4, 24))
    )
    assert (len(kept) == 2) is both


def test_saying_it_again_counts_the_surer_of_both_and_the_users_words_over_an_offer() -> None:
    ledger = SlotLedger()
    ledger.set("n", 4, 1, quote="maybe 4", confidence=0.5)
    ledger.set("n", 4, 2, quote="for 4?", confidence=0.9, source=Source.ASSISTANT)
    (entry,) = ledger.active.values()
    assert (entry.turn, entry.quote, entry.confidence, entry.source) == (1, "maybe 4", 0.9, Source.USER)
    ledger.set("n", 4, 3, quote="yes, 4", confidence=1.0)
    (entry,) = ledger.active.values()
    assert (entry.turn, entry.quote, entry.confidence) == (3, "yes, 4", 1.0)
