"""A value is found in a text in any way in which people write it, and never as a part of another one."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.requests.written_values import is_written
from holdtrue.logic.value_sorts import DATE, Calendar
from holdtrue.rules.types import Number

LOCALES = st.sampled_from(["en_US", "en_GB", "de_DE", "de_CH", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "sv_SE"])
TIME = Calendar("time")


@given(st.integers(0, 10**9), LOCALES)
def test_a_number_is_found_as_any_of_these_languages_writes_it(cents: int, locale: str) -> None:
    number = Fraction(cents, 100)
    text = format_decimal(float(number), format="#,##0.00", locale=locale)
    assert is_written(number, Number(), f"({text} EUR)")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_number_is_no_part_of_another_one(one: int, other: int) -> None:
    assert is_written(Fraction(one), Number(), f"it is {other}.") is (one == other)
    assert not is_written(Fraction(one), Number(), f"it is 1{one}, {one}7, {one}:30 or -{one}")


@pytest.mark.parametrize("text", ["40,00 \u20ac", "40.00 EUR", "\u20ac40", "40 \u20ac", "40,- \u20ac", "40,0"])
def test_forty_euros_are_found_as_they_are_written(text: str) -> None:
    assert is_written(Fraction(40), Number(), f"Das kostet {text}!")


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), LOCALES, st.sampled_from(["long", "medium", "short"]))
def test_a_date_is_found_as_any_of_these_languages_writes_it(day: date, locale: str, width: str) -> None:
    assert is_written(day.toordinal(), DATE, f"({format_date(day, width, locale=locale)})")


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.dates(date(1990, 1, 1), date(2060, 12, 31)))
def test_a_date_is_written_in_no_other_one(one: date, other: date) -> None:
    assert is_written(one.toordinal(), DATE, f"On {other:%B} {other.day}, {other.year}.") is (one == other)


@pytest.mark.parametrize("text", ["19:30", "19.30 Uhr", "19h30", "19 h 30", "1930"])
def test_a_time_is_found_as_it_is_written(text: str) -> None:
    assert is_written(19 * 3600 + 30 * 60, TIME, f"um {text}")
    assert not is_written(9 * 3600 + 30 * 60, TIME, f"um {text}")


@pytest.mark.parametrize("text", ["jeudi 3/12", "do 3.12", "Thu 12/3", "3 Dec, 0645", "jueves, 3 de diciembre"])
def test_a_day_without_a_year_is_found_where_no_other_day_is_meant(text: str) -> None:
    assert is_written(date(2026, 12, 3).toordinal(), DATE, f"{text}, ok?")


@pytest.mark.parametrize("text", ["3/12", "vendredi 3/12", "jeudi 3/11", "3 Dec, 2027"])
def test_a_day_that_can_be_another_one_is_not_found(text: str) -> None:
    assert not is_written(date(2026, 12, 3).toordinal(), DATE, f"{text}, ok?")
