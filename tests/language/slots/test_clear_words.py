"""What words leave no choice of: numbers of people, what corrects, and what only one slot can be meant by."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.candidates import candidates_in
from holdtrue.language.slots.clear_words import surely_said, with_clear_words
from holdtrue.language.slots.slot_world import slot_world
from holdtrue.rules.tools import read_tools
from tests.language.slots.worlds import context, text, tool

RANGE = slot_world(
    read_tools(
        [
            tool(
                "Range.Book",
                "Book a bay",
                "day",
                day=text("Day", format="date"),
                start=text("Begin", format="time"),
                players={"type": "integer", "description": "Number of players"},
                baskets={"type": "integer", "description": "Number of baskets of balls"},
                coach=text("Name of the coach"),
            )
        ]
    ),
    writes={"Range.Book"},
)
"""One day, one time, two numbers of which one counts people, and one name."""


def probabilities(message: str, **held: object) -> dict[tuple[str, object], float]:
    own = context(held=held)
    scored = [(0.5, each) for each in candidates_in(RANGE, message, own)]
    found = with_clear_words(RANGE, message, scored, own)
    return {(each.slot.name, each.value): sure for sure, each in found if each.said == "user"}


@pytest.mark.parametrize("message", ["just 4 of us", "we're 4 now", "we will be 4", "it's four people", "a party of 4"])
def test_who_counts_people_says_nothing_of_other_numbers(message: str) -> None:
    found = probabilities(message)
    assert found["players", 4] > 0.9 and found.get(("baskets", 4), 0.0) < 0.1


@pytest.mark.parametrize("message", ["4 baskets please", "4 please", "one of us is late"])
def test_other_numbers_stay_as_probable_as_they_were(message: str) -> None:
    assert set(probabilities(message).values()) == {0.5}


def test_make_it_replaces_the_only_value_that_it_can() -> None:
    assert probabilities("make it 3 pm", **{"Range.start": "14:00"})["start", "15:00"] > 0.8
    # Of two numbers nobody knows which is meant.
    held = {"Range.players": 2, "Range.baskets": 3}
    assert set(probabilities("make it 5", **held).values()) == {0.5}
    # What nobody has said yet is replaced by nothing.
    assert set(probabilities("make it 3 pm").values()) == {0.5}


def test_a_number_is_no_day_for_what_stands_before_it() -> None:
    found = probabilities("make it 3 people", **{"Range.day": "2023-05-09"})
    assert found.get(("day", "2023-06-03"), 0.0) <= 0.5


def sure(message: str, slot: str) -> float:
    chosen = [(0.6, each) for each in candidates_in(RANGE, message, context()) if each.slot.name == slot]
    return max(probability for probability, _ in surely_said(RANGE, chosen, message))


def test_where_one_slot_alone_can_be_meant_its_value_is_surer() -> None:
    assert sure("Let's play on Tuesday", "day") == pytest.approx(0.8)
    assert sure("with Ines Falk", "coach") == pytest.approx(0.8)
    assert sure("Are you open on Tuesday?", "day") == 0.6
    assert sure("4 please", "players") == 0.6
    # A list means all of them.
    assert sure("on 9 and 10 May", "day") == 0.6
    assert sure("on Tuesday or Wednesday", "day") == 0.6


def test_a_choice_may_say_again_what_holds_for_another_slot() -> None:
    accounts = {name: text(f"The account: {name}", enum=["checking", "savings"]) for name in ("paid_from", "paid_to")}
    bank = slot_world(read_tools([tool("Bank.Move", "Move money", "", **accounts)]), writes={"Bank.Move"})
    own = context(held={"Bank.paid_from": "checking"})
    scored = [(0.9, each) for each in candidates_in(bank, "from checking or to savings", own)]
    found = {each.value: sure for sure, each in with_clear_words(bank, "", scored, own) if each.slot.name == "paid_to"}
    assert found == {"checking": 0.75, "savings": 0.9}


@pytest.mark.parametrize(
    ("asked", "message", "is_answer"),
    [
        ("On which day?", "On May 9th, please", True),
        ("An welchem Tag?", "am 9. Mai bitte", True),
        ("When?", "tomorrow at 10 am", True),
        ("When?", "not tomorrow", False),
        ("When?", "is tomorrow fine?", False),
        ("When?", "my sister comes tomorrow", False),
        ("You have a booking.", "tomorrow", False),
    ],
)
def test_a_question_is_answered_with_a_day_alone(asked: str, message: str, is_answer: bool) -> None:
    own = context(asked, locale="de-DE" if "Tag" in asked else "en-US")
    found = with_clear_words(RANGE, message, [(0.2, each) for each in candidates_in(RANGE, message, own)], own)
    days = [sure for sure, each in found if each.slot.name == "day" and each.said == "user" and each.act == "set"]
    assert (max(days, default=0.0) > 0.8) is is_answer
