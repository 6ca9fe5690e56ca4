"""What a number counts: money, things, or nothing that is said."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.number_sense import can_count, counted, is_money, sense_of
from holdtrue.language.slots.slot_world import Slot
from holdtrue.language.slots.spans import Span
from holdtrue.rules.types import Number

GUESTS = Slot("Inn", "guests", Number(), "Number of guests")
NIGHTS = Slot("Inn", "nights", Number(), "How long the stay is")
PRICE = Slot("Inn", "price", Number(), "Price of a night")
INN = [GUESTS, NIGHTS, PRICE]


def span_in(text: str, words: str) -> Span:
    at = text.index(words)
    return Span(at, at + len(words), words, "number")


@pytest.mark.parametrize(
    ("text", "words", "sense"),
    [
        ("for $300", "300", "money"),
        ("300 dollars at most", "300", "money"),
        ("under 900 euros", "under 900 euros", "money"),
        ("a party of 40 people", "40", "things"),
        ("10 matte prints", "10", "things"),
        ("18 please", "18", "bare"),
        ("8 is fine", "8", "bare"),
    ],
)
def test_the_words_beside_a_number_say_what_it_counts(text: str, words: str, sense: str) -> None:
    assert sense_of(text, span_in(text, words)) == sense


def test_money_is_known_by_its_name() -> None:
    assert is_money(PRICE) and not is_money(GUESTS)
    assert is_money(Slot("Inn", "nightly", Number(), "Price in pounds"))


@pytest.mark.parametrize(
    ("text", "words", "fits"),
    [
        ("for 40 people", "40", {"guests"}),
        ("3 nights please", "3", {"nights"}),
        ("at most 120 dollars", "120", {"price"}),
        ("12 then", "12", {"guests", "nights", "price"}),
    ],
)
def test_a_number_is_of_slots_that_count_the_same(text: str, words: str, fits: set[str]) -> None:
    assert {own.name for own in INN if can_count(own, text, span_in(text, words), INN)} == fits


def test_what_is_counted_is_a_stem() -> None:
    assert counted("two bags on Friday", span_in("two bags on Friday", "two")) == "bag"
    assert counted("two is enough", span_in("two is enough", "two")) == ""
