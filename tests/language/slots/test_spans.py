"""Spans that can be values: code reads the longest ones whole, names are found whole and in parts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.slots.spans import (
    _OF_NO_VALUE,
    LONGEST_TEXT,
    LONGEST_WORDS,
    MOST_SPANS,
    _search,
    is_searched_whole,
    spans_in,
)
from tests.language.slots.worlds import NOW
from tests.patience import count_calls, counted


def coded(text: str, locale: str = "en-US") -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (own.kind, own.text, own.values) for own in spans_in(text, NOW, locale) if own.kind not in ("name", "words")
    ]


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("see her next Monday, please", "date", ("2023-05-08", "2023-05-15")),
        ("make it half past two in the afternoon if you can", "time", ("14:30",)),
        ("for four people", "number", ("4",)),
        ("I pay one thousand three hundred and eighty dollars.", "number", ()),
        ("a table at 7 pm", "time", ("19:00",)),
        ("from 12 May", "date", ("2023-05-12",)),
    ],
)
def test_the_longest_span_is_read_whole(text: str, kind: str, values: tuple[str, ...]) -> None:
    found = coded(text)
    assert [own[0] for own in found] == [kind]
    assert not values or found[0][2] == values


def test_articles_and_joining_words_are_no_values() -> None:
    assert coded("a car and an appointment") == []
    assert [own[1] for own in coded("one four star room")] == ["one", "four"]


def test_a_bare_number_is_no_date_and_no_time() -> None:
    assert [own[0] for own in coded("two of them, and 11")] == ["number", "number"]


def names(text: str) -> list[str]:
    return [own.text for own in spans_in(text, NOW, "en-US") if own.kind == "name"]


def test_names_are_found_whole_and_in_their_parts() -> None:
    assert names("I like Dr. Paula M. Ode in Aldermoor.")[-1] == "Aldermoor"
    assert {"Mouse and Moon", "Mouse", "Moon"} <= set(names("play Mouse and Moon"))
    assert "Long Field" in names("To Long Field please")
    assert names('call it "my big day"') == ["my big day"]
    assert "Alder" in names("Look in Alder, Kent") and "Alder, Kent" not in names("Look in Alder, Kent")


def test_names_in_small_letters_are_words() -> None:
    found = [own.text for own in spans_in("find some halal food in sunnyfield", NOW, "en-US") if own.kind == "words"]
    assert {"halal food", "sunnyfield"} <= set(found)


@given(st.text(max_size=300), st.sampled_from(("en-US", "de-DE", "es-ES")))
def test_every_span_is_where_it_says(text: str, locale: str) -> None:
    for own in spans_in(text, NOW, locale):
        assert text[own.start : own.end] == own.text and own.text


@pytest.mark.parametrize("text", ["Aa " * 3_000, "one two " * 2_000, "May 5 " * 2_000, "x" * 50_000, "A. " * 5_000])
def test_long_texts_have_few_spans_and_take_little_work(text: str) -> None:
    with counted() as calls:
        assert len(_search.__wrapped__(text, NOW, "en-US")[0]) <= MOST_SPANS
    assert calls.made < 1_000_000


def test_a_text_that_is_cut_is_told() -> None:
    value = " on Friday"
    assert is_searched_whole("x" * 1_000 + value, NOW, "en-US")
    assert coded("x" * 1_000 + value) != []
    assert not is_searched_whole("x" * LONGEST_TEXT + value, NOW, "en-US")
    assert not is_searched_whole("so " * LONGEST_WORDS + value, NOW, "en-US")
    assert not is_searched_whole("5 " * MOST_SPANS, NOW, "en-US")


def test_twice_the_words_are_searched_with_twice_the_work() -> None:
    def work(number: int) -> int:
        words = " ".join(chr(97 + at % 23) + chr(97 + at % 19) + chr(97 + at % 7) for at in range(number))
        return count_calls(lambda: _search.__wrapped__(words, NOW, "en-US"))

    assert work(200) < 3 * work(100)


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "de-DE", "es-ES"])
def test_words_that_end_a_run_are_in_no_form_of_a_value(locale: str) -> None:
    from holdtrue.language.slot_values.language_words import fold
    from holdtrue.language.slot_values.slot_value import _readers

    own = _readers(locale).words
    tables = (own.months, own.weekdays, own.days, own.ordinals, own.parts, own.times, own.units, own.lengths)
    lists = (own.before, own.behind, own.articles, own.halves, own.links, *own.dates.values(), *own.clocks.values())
    used = " ".join(word for each in (*tables, *lists) for word in each)
    assert not {fold(word) for word in _OF_NO_VALUE} & set(re.findall(r"[\w']+", used))


@pytest.mark.parametrize("words", ["the Friday one", "the Monday first thing", "Tuesday two o'clock"])
def test_a_word_for_a_number_behind_a_day_is_no_day_of_a_month(words: str) -> None:
    days = [own for own in coded(words) if own[0] == "date"]
    assert [own[1].split()[-1] for own in days] == [words.replace("the ", "").split()[0]]


def test_a_day_of_a_month_behind_a_day_is_one() -> None:
    assert [own[2] for own in coded("Friday 12")] == [("2023-05-12",)]
    assert [own[2] for own in coded("Wednesday seventeen")] == [("2023-05-17",)]
