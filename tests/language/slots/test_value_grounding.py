"""Words become values by code, or by their likeness to what a slot can have, or they are refused with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.slots.value_grounding import ground, matches, plain
from tests.language.slots.worlds import NOW, clinic

SLOTS = clinic().slots


@pytest.mark.parametrize(
    ("slot", "quote", "chosen", "value", "grounding"),
    [
        ("Clinic.town", "in Aldermoor please", None, "Aldermoor", "literal"),
        ("Clinic.town", "aldermoor", None, "aldermoor", "literal"),
        ("Clinic.dentist_name", "seen by Ines Falk", None, "Ines Falk", "literal"),
        ("Clinic.speciality", "an orthodontist", None, "Orthodontist", "literal"),
        ("Clinic.speciality", "orthodontists", None, "Orthodontist", "spelling"),
        ("Clinic.speciality", "ortodontist", "Surgeon", "Orthodontist", "spelling"),
        ("Clinic.speciality", "someone for braces", "Orthodontist", "Orthodontist", "chosen"),
        ("Clinic.day", "on the 9th of May", None, "2023-05-09", "code"),
        ("Clinic.hour", "half past two in the afternoon", None, "14:30", "code"),
        ("Clinic.patients", "2 persons", None, 2, "code"),
        ("Clinic.patients", "the two of us", None, 2, "code"),
        ("Clinic.treats_children", "good with kids", True, True, "chosen"),
    ],
)
def test_words_become_values(slot: str, quote: str, chosen: Any, value: Any, grounding: str) -> None:
    found = ground(quote, SLOTS[slot], NOW, "en-US", chosen)
    assert (found.value, found.grounding) == (value, grounding)


@pytest.mark.parametrize(
    ("slot", "quote"),
    [
        ("Clinic.day", "whenever it rains"),
        ("Clinic.hour", "between 2 and 4"),
        ("Clinic.patients", "nine"),
        ("Clinic.patients", "2 or 3"),
        ("Clinic.speciality", "somebody nice"),
        ("Clinic.treats_children", "with my kids"),
        ("Clinic.town", " ?! "),
    ],
)
def test_what_is_not_certain_is_refused_with_a_reason(slot: str, quote: str) -> None:
    found = ground(quote, SLOTS[slot], NOW, "en-US")
    assert found.value is None and found.why


def test_an_ambiguous_time_keeps_what_else_it_can_mean() -> None:
    found = ground("half past two", SLOTS["Clinic.hour"], NOW, "en-US")
    assert {found.value, *found.others} == {"02:30", "14:30"}


def test_values_are_found_by_a_telling_part() -> None:
    values = ("Kitchen speaker", "Bedroom speaker", "TV")
    assert matches("on the speaker in the kitchen", values) == [("Kitchen speaker", "spelling")]
    assert matches("play it on my bedroom device", values) == [("Bedroom speaker", "spelling")]
    assert matches("any speaker", values) == []
    assert matches("in the area", ("Shopping Area", "Place of Worship")) == []
    assert matches("premium economy", ("Economy", "Premium Economy")) == [("Premium Economy", "literal")]


@given(
    st.lists(st.text("abcdefghij ", min_size=1, max_size=12), min_size=1, max_size=5),
    st.text("abcdefghij ", max_size=40),
)
def test_what_is_found_literally_stands_in_the_text(values: list[str], text: str) -> None:
    for value, grounding in matches(text, values):
        assert value in values
        if grounding == "literal":
            assert f" {plain(value)} " in f" {plain(text)} "


def test_plain_text_has_no_marks_and_no_accents() -> None:
    assert plain("  Café-Bar, No. 5! ") == "cafe bar no 5"
