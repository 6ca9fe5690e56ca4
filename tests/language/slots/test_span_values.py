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
