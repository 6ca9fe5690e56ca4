"""Every slot is offered every value that a message, or an offer before it, can give it."""

from __future__ import annotations

from holdtrue.language.slots.candidates import Candidate, candidates_in, with_view
from holdtrue.language.slots.slot_reading import SlotEvent, SlotReading
from tests.language.slots.worlds import clinic, context
from tests.patience import counted

WORLD = clinic()


def of(found: list[Candidate], slot: str, said: str = "user") -> list[object]:
    return [own.value for own in found if own.slot.id == slot and own.said == said and own.act == "set"]


def test_values_are_candidates_for_slots_of_their_type() -> None:
    found = candidates_in(WORLD, "On May 9th at 2:30 pm with Ines Falk, for 2 kids, an orthodontist", context())
    assert of(found, "Clinic.day") == ["2023-05-09"]
    assert of(found, "Clinic.hour") == ["14:30"]
    assert "Ines Falk" in of(found, "Clinic.dentist_name") and "Ines Falk" in of(found, "Taxi.address")
    assert of(found, "Clinic.patients") == [2]
    assert of(found, "Clinic.speciality") == ["Orthodontist"]


def test_a_time_of_twelve_hours_is_by_day() -> None:
    assert of(candidates_in(WORLD, "at 11:15", context()), "Clinic.hour") == ["11:15"]
    assert of(candidates_in(WORLD, "half past two", context()), "Clinic.hour") == ["14:30"]
    assert of(candidates_in(WORLD, "at 8", context()), "Clinic.hour") == ["08:00", "20:00"]


def test_flags_are_spoken_of_by_their_names() -> None:
    assert of(candidates_in(WORLD, "She has to treat children", context()), "Clinic.treats_children") == [True]
    assert of(candidates_in(WORLD, "She need not treat children", context()), "Clinic.treats_children") == [False]


def test_offers_of_earlier_messages_are_candidates_too() -> None:
    talk = context("It costs 80 euros.", earlier=("Ines Falk is a dentist in Aldermoor.",))
    found = candidates_in(WORLD, "Fine, I take that one", talk)
    assert "Ines Falk" in of(found, "Clinic.dentist_name", "assistant")
    assert {own.age for own in found if own.value == "Ines Falk"} == {1}


def test_what_holds_already_is_no_candidate() -> None:
    found = candidates_in(WORLD, "In Aldermoor!", context(held={"Clinic.town": "aldermoor"}))
    assert of(found, "Clinic.town") == []
    assert "Aldermoor" in of(found, "Taxi.address")


def test_any_value_frees_a_slot() -> None:
    found = candidates_in(WORLD, "Any day will do", context())
    assert {own.slot.id for own in found if own.act == "free"} == set(WORLD.slots)
    assert not [own for own in candidates_in(WORLD, "On Friday", context()) if own.act == "free"]


def test_what_only_a_model_sees_joins() -> None:
    view = SlotReading((SlotEvent("set", "Clinic.town", "old mill", "old mill", "user", "literal"),))
    found = with_view(WORLD, "near the old mill", [], context(), view)
    assert [(own.value, own.span and own.span.text) for own in found] == [("old mill", "old mill")]
    held = context(held={"Clinic.town": "Old Mill"})
    assert with_view(WORLD, "near the old mill", [], held, view) == []


def test_a_long_message_has_boundedly_many_candidates() -> None:
    with counted() as calls:
        found = candidates_in(WORLD, "Ann Bee likes Cee Dee on May 9th and 4 more " * 250, context())
    assert len(found) < 5_000 and calls.made < 5_000_000
