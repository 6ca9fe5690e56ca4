"""A yes takes up what was offered, as if the user had said it."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.slot_reader import ScoredSlotReader
from tests.language.slots.worlds import clinic, heard

WORLD = clinic()


async def taken(message: str, offer: str, **held: object) -> dict[str, object]:
    known = heard(offer, held=held, groups=("Clinic",))
    read = await ScoredSlotReader().read(WORLD, message, known)
    return {
        own.slot.slot: own.slot.value for own in read.readings if own.slot is not None and own.source == "assistant"
    }


@pytest.mark.parametrize("yes", ["Yes please.", "sounds good", "sure, that works", "ok, let's do that"])
async def test_a_yes_takes_up_what_was_asked(yes: str) -> None:
    found = await taken(yes, "Shall I book the appointment on May 9th at 2:30 pm?")
    assert found == {"Clinic.day": "2023-05-09", "Clinic.hour": "14:30"}


async def test_the_last_sentence_with_a_value_counts() -> None:
    offer = "Sorry, 11 am is taken. The appointment could be at 11:30 am. Shall I book that?"
    assert (await taken("Yes please", offer, **{"Clinic.hour": "11:00"}))["Clinic.hour"] == "11:30"


async def test_what_is_told_beside_a_question_changes_nothing_that_is_settled() -> None:
    offer = "The dentist has time on May 10th, too. Shall I book the appointment at 3 pm?"
    found = await taken("Yes please", offer, **{"Clinic.day": "2023-05-09", "Clinic.hour": "14:00"})
    assert found == {"Clinic.hour": "15:00"}


@pytest.mark.parametrize("message", ["No thanks.", "Maybe", "What would that cost?", "let me think about it"])
async def test_without_a_yes_nothing_is_taken_up(message: str) -> None:
    assert await taken(message, "Shall I book the appointment on May 9th at 2:30 pm?") == {}


async def test_what_is_impossible_is_no_offer() -> None:
    assert await taken("Yes please", "May 9th is fully booked, unfortunately. Shall I look at other days?") == {}


async def test_of_two_questions_a_yes_says_neither() -> None:
    offer = "Shall I book the appointment on May 9th? Or would May 10th be better?"
    known = heard(offer, groups=("Clinic",))
    read = await ScoredSlotReader().read(WORLD, "Yes please.", known)
    assert all(own.confidence <= 0.5 for own in read.readings)


async def test_a_title_ends_no_sentence_of_an_offer() -> None:
    offer = "Sorry, 5 pm has just gone. 5:45 pm is free, same day with Dr. Brandt. Shall I take that?"
    assert (await taken("Sure, that'll do.", offer, **{"Clinic.hour": "17:00"}))["Clinic.hour"] == "17:45"


async def test_what_an_offer_says_twice_it_asks_about_last() -> None:
    offer = "We only open at 9 am. Would 9 am work for you?"
    assert (await taken("yes that's fine", offer, **{"Clinic.hour": "08:30"}))["Clinic.hour"] == "09:00"


@pytest.mark.parametrize(
    "message",
    ["Wonderful, my dentist is Ines Falk.", "That's helpful. Do you have parking?", "Is he any good?", "Cheers."],
)
@pytest.mark.parametrize("told", ["Your appointment is on May 10th at 3 pm.", "On May 10th at 3 pm she has time."])
async def test_who_says_no_yes_to_what_was_told_changes_nothing(message: str, told: str) -> None:
    held = {"Clinic.day": "2023-05-09", "Clinic.hour": "14:00"}
    assert (await taken(message, told, **held)).keys().isdisjoint(held) or "Wonderful" in message


async def test_a_limit_that_is_told_is_no_offer() -> None:
    assert "Clinic.patients" not in await taken("ok then", "We take up to 5 patients.", **{"Clinic.patients": 6})
