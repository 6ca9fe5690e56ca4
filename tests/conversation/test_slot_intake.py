"""The ledger decides what a reading of a slot does: it adds, amends, waives, withdraws, or changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation.slot_intake import take_slot
from holdtrue.language.reading import Act, Reading, SettledSlot
from holdtrue.ledger.entries import Source
from holdtrue.ledger.slot_ledger import SlotLedger


def reading(slot: str, value: str | int | None, act: Act = "states", **more: str) -> Reading:
    status = more.get("status", "accepted")
    source = "assistant" if more.get("source") == "assistant" else "user"
    return Reading("said so", status, act=act, slot=SettledSlot(slot, value), confidence=0.8, source=source)  # type: ignore[arg-type]


def test_another_value_amends_without_any_cue() -> None:
    ledger = SlotLedger()
    assert take_slot(ledger, reading("Clinic.hour", "14:00"), 1) == "add"
    assert take_slot(ledger, reading("Clinic.hour", "14:00"), 2) is None
    assert take_slot(ledger, reading("Clinic.hour", "15:00"), 3) == "amend"
    assert ledger.values == {"Clinic.hour": "15:00"}
    assert take_slot(ledger, reading("Clinic.hour", None, "frees"), 4) == "waive"
    assert take_slot(ledger, reading("Clinic.hour", None, "frees"), 5) is None
    assert take_slot(ledger, reading("Clinic.hour", "9:00"), 6) == "amend"
    assert take_slot(ledger, reading("Clinic.hour", None, "withdraws"), 7) == "withdraw"
    assert take_slot(ledger, reading("Clinic.hour", None, "withdraws"), 8) is None
    assert ledger.values == {}


def test_only_what_is_accepted_is_taken_and_an_offer_is_the_assistants() -> None:
    ledger = SlotLedger()
    assert take_slot(ledger, reading("Clinic.hour", "14:00", status="doubtful"), 1) is None
    assert take_slot(ledger, Reading("no slot", "accepted"), 1) is None
    assert take_slot(ledger, reading("Clinic.hour", None), 1) is None
    assert take_slot(ledger, reading("Clinic.hour", "14:00", source="assistant"), 1) == "add"
    (entry,) = ledger.active.values()
    assert (entry.source, entry.confidence, entry.quote) == (Source.ASSISTANT, 0.8, "said so")


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from((1, 2, None)), st.sampled_from(("states", "frees", "withdraws"))
        )
    )
)
def test_the_last_reading_of_a_slot_is_what_holds(said: list[tuple[str, int | None, Act]]) -> None:
    ledger, held = SlotLedger(), dict[str, int]()
    for turn, (slot, value, act) in enumerate(said, 1):
        take_slot(ledger, reading(slot, value, act), turn)
        if act != "states":
            held.pop(slot, None)
        elif value is not None:
            held[slot] = value
    assert ledger.values == held
