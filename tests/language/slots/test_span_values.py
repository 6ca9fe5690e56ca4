"""What a span means by the talk around it."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.candidates import candidates_in
from tests.language.slots.worlds import clinic, context

WORLD = clinic()


def of(message: str, slot: str, assistant: str | None = None, **held: object) -> list[object]:
    found = candidates_in(WORLD, message, context(assistant, held=held))
    return [own.value for own in found if own.slot.id == slot and own.said == "user" and own.act == "set"]


def test_a_day_of_the_week_is_the_one_that_was_offered() -> None:
    offer = "Would Tuesday, May 16th, suit you?"
    assert of("Tuesday is good, but later", "Clinic.day", offer) == ["2023-05-16"]
    assert of("the 16th works", "Clinic.day", offer) == ["2023-05-16"]
    assert of("Tuesday is good", "Clinic.day") == ["2023-05-09"]


def test_a_bare_number_is_the_hour_that_was_offered() -> None:
    offer = "8 pm would still be possible."
    assert of("8 is fine", "Clinic.hour", offer) == ["20:00"]
    assert of("8 is fine", "Clinic.patients", offer) == []


def test_who_changes_a_time_means_the_same_half_of_the_day() -> None:
    assert of("quarter past six", "Clinic.hour", **{"Clinic.hour": "06:45"}) == ["06:15"]
    assert of("quarter past six", "Clinic.hour", **{"Clinic.hour": "18:45"}) == ["18:15"]


@pytest.mark.parametrize("message", ["to 5 Park Row", "at 12 Mill Lane", "the other 2 can wait", "my Pixel 5"])
def test_a_number_in_a_name_counts_nothing(message: str) -> None:
    assert of(message, "Clinic.patients") == []


def test_a_day_of_that_week_is_in_the_week_of_the_day_that_holds() -> None:
    held = {"Clinic.day": "2023-06-14"}
    assert of("make it the Thursday of that week", "Clinic.day", **held) == ["2023-06-15"]
    assert of("make it Thursday", "Clinic.day", **held) == ["2023-05-11"]


@pytest.mark.parametrize(
    ("message", "counts"),
    [
        ("the one on the terrace sounds lovely", False),
        ("one of those please", False),
        ("I'll have a monthly one", False),
        ("another one just like it", False),
        ("that one goes to Anna", False),
        ("just the one", True),
        ("one please", True),
        ("for one", True),
        ("one patient", True),
    ],
)
def test_one_counts_something_or_stands_for_it(message: str, counts: bool) -> None:
    assert (1 in of(message, "Clinic.patients")) is counts


@pytest.mark.parametrize("message", ["3, the 2 was from an old list", "3! no idea where the 2 came from"])
def test_what_is_told_of_is_not_asked_for(message: str) -> None:
    assert of(message, "Clinic.patients") == [3]


def test_a_greeting_wishes_nothing_in_the_morning() -> None:
    assert of("Morning. Tuesday please", "Clinic.hour") == []
    assert of("Good evening, Tuesday please", "Clinic.hour") == []
    assert of("At 9 in the morning, please", "Clinic.hour") == ["09:00"]
