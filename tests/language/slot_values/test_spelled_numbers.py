"""Numbers in words are known in the languages of Europe, each only as a whole."""

from __future__ import annotations

import pytest
from text_to_num import alpha2digit

from holdtrue.language.slot_values.spelled_numbers import (
    number_places,
    says_number,
    small_number_at,
    spelled,
    spoken_digits,
)

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
