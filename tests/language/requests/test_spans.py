"""The spans of a text are the longest runs of words that say a value, each on its own place."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.requests.spans import LONGEST_WORDS, has_sign, is_searched_whole, spans_in

NOW = datetime(2026, 3, 2, 9)
WORDS = "a table for four at half past 7 pm on Friday the 6th of March , 9 to 11 am - 40 euros 5:30 tomorrow .".split()


def told(text: str, locale: str = "en-US") -> list[tuple[str, str]]:
    return [(own.kind, own.text) for own in spans_in(text, NOW, locale)]


@given(st.lists(st.sampled_from(WORDS), max_size=25))
def test_spans_stand_in_the_text_in_their_order_and_share_no_place(words: list[str]) -> None:
    text = " ".join(words)
    found = spans_in(text, NOW, "en-US")
    assert all(text[own.start : own.end] == own.text for own in found)
    assert all(one.end <= other.start and not one.overlaps(other.start, other.end) for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A table for four on Friday, 6 March", [("number", "for four"), ("date", "on Friday, 6 March")]),
        ("the 2 pm show", [("time", "2 pm")]),
        ("from 6 to 8 March", [("number", "from 6"), ("date", "8 March")]),
        ("6-8 March", []),
        ("at 8 euros each", [("number", "at 8 euros")]),
        ("from 9 to 11 am", [("time", "9"), ("time", "11 am")]),
        ("room 12 at 5:30", [("number", "12"), ("time", "at 5:30")]),
        ("nothing of that", []),
    ],
)
def test_the_longest_words_that_say_a_value_are_one_span(text: str, expected: list[tuple[str, str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(("text", "signed"), [("5 % of it", True), ("20 \u00b0 outside", True), ("40 of it", False)])
def test_a_sign_belongs_to_its_number(text: str, signed: bool) -> None:
    assert [has_sign(text, own) for own in spans_in(text, NOW, "en-US")] == [signed]


def test_a_text_of_too_many_words_is_not_searched_whole() -> None:
    assert is_searched_whole("so " * LONGEST_WORDS, NOW, "en-US")
    assert not is_searched_whole("so " * (LONGEST_WORDS + 1), NOW, "en-US")
    assert not is_searched_whole("5 " * 500, NOW, "en-US")
