"""What a message frees, or takes back, by the name of a slot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.slots.free_words import find_freed
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from tests.language.slots.worlds import clinic, context, heard

WORLD = clinic()


def freed(message: str, **held: object) -> dict[str, str]:
    found = find_freed(WORLD, message, context(held=held, groups=("Clinic",)), [])
    return {own.slot.id: own.act for _, own in found}


@pytest.mark.parametrize(
    "message",
    [
        "Then any day will do.",
        "any day is fine",
        "I don't mind which day.",
        "No preference about the day",
        "whatever day works",
    ],
)
def test_any_of_a_name_frees_its_slot(message: str) -> None:
    assert freed(message) == {"Clinic.day": "free"}


def test_a_kind_of_value_frees_the_only_slot_of_it() -> None:
    assert freed("any time works") == {"Clinic.hour": "free"}
    assert freed("Anytime is fine") == {"Clinic.hour": "free"}


@pytest.mark.parametrize(
    "message",
    [
        "Forget what I said about the day.",
        "never mind the day",
        "ignore the day please",
    ],
)
def test_what_is_forgotten_is_taken_back(message: str) -> None:
    assert freed(message) == {"Clinic.day": "drop"}


def test_a_value_that_is_forgotten_is_taken_back() -> None:
    assert freed("Forget the 3, my sister stays at home", **{"Clinic.patients": 3}) == {"Clinic.patients": "drop"}


@pytest.mark.parametrize(
    "message",
    [
        "Any day but Monday works",
        "any day after the 5th is fine",
        "Does any day work?",
        "don't forget the day",
        "Did you forget the day?",
        "You always ignore my day!",
        "dont forget the day",
        "Please remember not to forget the day.",
        "I don't think any day works.",
        "Would any day work?",
        "Hardly any day works.",
        "I forget the day",
        "any dentist",
        "The day is fine",
    ],
)
def test_what_frees_nothing(message: str) -> None:
    assert freed(message) == {}


async def test_what_is_said_behind_a_freeing_holds() -> None:
    read = await ScoredSlotReader().read(WORLD, "Forget the day. May 9th at 2 pm, please.", heard("On which day?"))
    own = [each.act for each in read.readings if each.slot is not None and each.slot.slot == "Clinic.day"]
    assert own == ["states"]


@given(st.text(max_size=60))
def test_any_text_is_searched(message: str) -> None:
    assert all(own.act in ("free", "drop") for _, own in find_freed(WORLD, message, context(), []))


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("the day doesn't matter to me after all", "free"),
        ("You know what, the day does not really matter", "free"),
        ("my day is not that important", "free"),
        ("leave the day out", "drop"),
        ("and skip the day, please", "drop"),
    ],
)
def test_a_slot_is_freed_in_other_words(message: str, act: str) -> None:
    assert freed(message, **{"Clinic.day": "2023-05-09"}) == {"Clinic.day": act}
