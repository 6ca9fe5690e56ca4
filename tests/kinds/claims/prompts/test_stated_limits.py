"""Closed sorts and ranges are those that a text states, and no others."""

from __future__ import annotations

import pytest

from holdtrue.kinds.claims.prompts.stated_limits import stated_counts, with_stated_limits
from holdtrue.logic.fol.vocabulary import Entity, Function, Vocabulary

GUESTS = tuple(Entity(name, "guest") for name in ("Ann", "Bob", "Cy"))
BOOKS = tuple(Entity(name, "book") for name in ("RedBook", "BlueBook", "GreenBook"))


@pytest.mark.parametrize(
    "text",
    [
        "There are three guests: Ann, Bob and Cy.",
        "There are three guests. Ann likes Bob, and Cy sleeps.",
        "There are exactly three guests, Ann, Bob and Cy.",
        "The three guests are Ann, Bob and Cy.",
        "The hotel has three late guests: Ann, Bob and Cy.",
        "There were 3 guests in all. Ann, Bob and Cy slept.",
        "The only guests are Ann, Bob and Cy.",
        "Three guests, namely Ann, Bob and Cy, were invited.",
    ],
)
def test_a_text_that_says_that_the_named_things_are_all(text: str) -> None:
    assert stated_counts(GUESTS, text) == {"guest": 3}


@pytest.mark.parametrize(
    "text",
    [
        "Three guests came: nobody knows them. Ann, Bob and Cy are guests.",
        "Ann, Bob and Cy are guests. Exactly three guests came late.",
        "There are at least three guests: Ann, Bob and Cy.",
        "There are four guests: Ann, Bob, Cy and another one.",
        "There are three guests in the garden. Ann, Bob and Cy are in the house.",
        "There are three other guests.",
        "Three of the guests, Ann, Bob and Cy, came.",
        "The only guests in black are Ann and Bob.",
        "About three guests are expected: Ann, Bob and Cy.",
        "There are three rooms. Ann, Bob and Cy slept.",
    ],
)
def test_a_text_that_does_not(text: str) -> None:
    assert stated_counts(GUESTS, text) == {}


def limited(text: str, function: Function, things: tuple[Entity, ...] = BOOKS) -> Function:
    return with_stated_limits(Vocabulary(things, (), (function,)), text).functions[0]


PLACE = Function("place", ("book",), meaning="place of x from the left", result="whole")


def test_an_order_of_as_many_as_there_are() -> None:
    text = "On a shelf, there are three books: a red book, a blue book and a green book."
    found = limited(text, PLACE)
    assert (found.low, found.high, found.distinct) == (1, 3, True)
    assert with_stated_limits(Vocabulary(BOOKS), text).closed == ("book",)


@pytest.mark.parametrize(
    "text, function",
    [
        ("The red book is left of the blue book.", PLACE),
        ("On a shelf, there are four books: a red book, a blue book and a green book.", PLACE),
        (
            "There are three books: a red book, a blue book and a green book. The red one is older.",
            Function("pages", ("book",), meaning="number of pages of x", result="page"),
        ),
        (
            "There are three books in a row: a red book, a blue book and a green book.",
            Function("age", ("book",), meaning="age of x", result="year"),
        ),
    ],
)
def test_any_other_function_stays_open(text: str, function: Function) -> None:
    assert limited(text, function) == function


def test_things_that_are_numbered_in_the_text() -> None:
    house = Function("house", ("thing",), meaning="number of the house of x", result="whole")
    found = limited("The houses are numbered 1 to 5 from left to right.", house, (Entity("Tea"), Entity("Ann")))
    assert (found.low, found.high, found.distinct) == (1, 5, False)
