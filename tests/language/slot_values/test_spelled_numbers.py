"""Numbers in words are read in the languages of Europe, each only as a whole."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_to_num import alpha2digit

from holdtrue.language.requests.spans import LONGEST_WORDS, has_sign, is_searched_whole, spans_in
from holdtrue.language.slot_values.spelled_numbers import (
    LANGUAGES,
    languages_of,
    number_places,
    says_number,
    small_number_at,
    spelled,
    spoken_digits,
)
from holdtrue.language.yes_words import denies

_SAID = [
    ("forty-eight jars at seven twenty each", 48, 0),
    ("forty-eight jars at seven twenty each", 7, 20),
    ("leaving at six euros fifty", 6, 50),
    ("nineteen pounds 50, to your account", 19, 50),
    ("a hundred and twenty at five", 120, 0),
    ("zwanzig gezeichnete für hundertzehn Euro", 110, 0),
    ("soixante-douze pots à six quarante", 6, 40),
    ("vierentwintig potten van zes euro vijfennegentig", 6, 95),
    ("ciento cincuenta al año", 150, 0),
    ("trentasei vasetti a sette e cinquanta", 7, 50),
    ("cem potes, dezasseis de março", 16, 0),
]


@pytest.mark.parametrize(("text", "whole", "cents"), _SAID)
def test_a_number_is_found_in_its_words(text: str, whole: int, cents: int) -> None:
    assert says_number(whole, cents, text)


@pytest.mark.parametrize(
    ("text", "whole", "cents"),
    [
        ("forty-eight jars", 8, 0),
        ("at seven twenty each", 7, 0),
        ("at seven twenty each", 20, 0),
        ("six euros fifty", 6, 0),
        ("a hundred and twenty", 20, 0),
        ("negenentwintig mei", 9, 0),
        ("twenty-six, Sunday the ninth", 20, 0),
        ("twenty-six, forty", 26, 40),
    ],
)
def test_a_part_of_a_number_is_no_number(text: str, whole: int, cents: int) -> None:
    assert not says_number(whole, cents, text)


@pytest.mark.parametrize("language", ["en"])
def test_small_numbers_are_those_that_another_library_reads(language: str) -> None:
    for number in range(13, 60):
        read = {alpha2digit(" ".join(own), language) for own in spelled(number, frozenset({language}))}
        assert f"{number}" in read, (number, read)


def test_a_word_is_a_number_only_in_its_language() -> None:
    assert small_number_at(["to"], 0) == (1, frozenset({2}))
    assert small_number_at(["to"], 0, frozenset({"en"})) is None


def test_an_id_is_told_digit_by_digit() -> None:
    assert [own for _, _, own in spoken_digits("booking four eight two one three, for two")] == ["48213"]
    assert [own for _, _, own in spoken_digits("four six double-oh one; six people")] == ["46001"]
    assert [own for _, _, own in spoken_digits("fünf null eins eins null")] == ["50110"]
    assert not list(spoken_digits("one, two or three"))


def test_numbers_are_found_where_they_begin() -> None:
    assert number_places("On 12 May for twenty-two people") == [3, 14]


_TEXTS = {
    "en": "I would book the table for the two of you on Friday. Is that right?",
    "de": "Ich würde den Tisch für Freitag um acht reservieren, ist das in Ordnung?",
    "fr": "Je réserve donc la table pour vendredi à huit heures, cela vous convient ?",
    "pt": "Renovo até trinta e um de maio, com catorze colmeias no máximo, posso assinar?",
    "nl": "Dan boek ik de tafel voor vrijdag om acht uur, akkoord?",
}


@pytest.mark.parametrize(("language", "text"), _TEXTS.items())
def test_the_language_of_a_text_is_among_those_that_it_may_be_in(language: str, text: str) -> None:
    assert language in languages_of(text) and languages_of(text) < LANGUAGES


def test_a_short_text_may_be_in_any_language() -> None:
    assert languages_of("Park, 10 rms, ok?") == LANGUAGES


def test_a_word_for_not_is_one_in_its_language() -> None:
    assert denies(_TEXTS["pt"]) and not denies(_TEXTS["pt"], languages_of(_TEXTS["pt"]))
    assert denies("There is no table", languages_of("There is no table for you on Friday evening"))


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
