"""Find a known value in a text as people of many languages write it: a date, a time of day or a number.

What a text may mean is not asked here: only whether it has this value in one of the ways to write it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache

from holdtrue.language.names import without_accents
from holdtrue.language.slot_values.calendar_names import month_names, weekday_names
from holdtrue.language.slot_values.language_words import any_of
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number
from holdtrue.rules.values import to_json

_LANGUAGES = "en de fr es it nl pt pl sv da nb cs fi".split()
"""The languages whose names of months are known here, from the data of the Unicode project."""
_SPACES = "[ \u00a0\u202f]"
_MOST_DIGITS = 15


def is_written(value: object, type: Number | Calendar, text: str) -> bool:
    """Return whether a text has a value of a type.

    >>> from fractions import Fraction
    >>> is_written(Fraction(18000), Number(), "18 000,00 EUR"), is_written(Fraction(18), Number(), "18.5 or 118")
    (True, False)
    """
    pattern = _pattern(value, type)
    return pattern is not None and pattern.search(_folded(text)) is not None


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return without_accents(text.casefold())


@lru_cache(maxsize=1024)
def _pattern(value: object, type: Number | Calendar) -> re.Pattern[str] | None:
    shown = to_json(value, type)
    if isinstance(type, Number):
        forms = list(_numbers(shown))
    elif type.kind == "date" and isinstance(shown, str):
        forms = list(_dates(date.fromisoformat(shown)))
    elif type.kind == "time" and isinstance(shown, str):
        forms = list(_times(shown))
    else:
        forms = []
    return re.compile(rf"(?<![\d.,/:-])(?:{'|'.join(forms)})(?![\w/:]|[.,-]\d)") if forms else None


def _numbers(shown: object) -> Iterator[str]:
    """Yield a number with any sign between thousands, and either sign before the decimals."""
    if isinstance(shown, bool) or not isinstance(shown, int | float) or abs(shown) >= 10**_MOST_DIGITS or shown < 0:
        return
    whole, _, rest = format(Decimal(str(shown)), "f").partition(".")
    rest = rest.rstrip("0")
    grouped = f"{int(whole):,}".split(",")
    wholes = [whole, *(sign.join(grouped) for sign in (r"\.", ",", "['\u2019]", _SPACES) if len(grouped) > 1)]
    decimals = f"[.,]{rest}0*" if rest else "(?:[.,]0{1,2})?"
    yield from (f"{each}{decimals}" for each in wholes)


def _dates(day: date) -> Iterator[str]:
    before = rf",?{_SPACES}?(?:de{_SPACES}|del{_SPACES})?"
    year = rf"(?:{before}{day.year}|(?!{before}(?:19|20)\d\d))"  # A day without a year may be this one.
    months = _names(month_names, day.month)
    number = rf"0?{day.day}(?:st|nd|rd|th|er|\.|º|o)?"
    yield rf"{number}{_SPACES}?(?:of{_SPACES}|de{_SPACES})?(?:{months})\.?{year}"
    yield rf"(?:{months})\.?{_SPACES}(?:the{_SPACES})?{number}{year}"
    for sign in (r"\.", "/", "-"):
        ends = rf"(?:{_SPACES}?(?:{day.year}|{day.year % 100:02})|(?!{_SPACES}?\d))"
        yield rf"0?{day.day}{sign}{_SPACES}?0?{day.month}{sign}{ends}"
        yield rf"{day.year}{sign}0?{day.month}{sign}0?{day.day}"
    yield rf"0?{day.month}/0?{day.day}/(?:{day.year}|{day.year % 100:02})"
    # Without a year only the day of the week tells a day from a month.
    weekday = _names(weekday_names, day.weekday())
    for day_and_month in (rf"0?{day.day}[./]0?{day.month}", rf"0?{day.month}/0?{day.day}"):
        yield rf"(?<!\w)(?:{weekday})\.?,?{_SPACES}{day_and_month}"


def _names(table: Callable[[str], Mapping[str, int]], number: int) -> str:
    """Return a pattern of all names of a month, or of a day of the week, by its number in a table of each language."""
    return any_of({name for language in _LANGUAGES for name, own in table(language).items() if own == number})


def _times(shown: str) -> Iterator[str]:
    hour, minute = shown.split(":")[:2]
    yield rf"0?{int(hour)}{_SPACES}?[:.h]{_SPACES}?{minute}(?:{_SPACES}?h)?"
    yield f"{int(hour):02}{minute}"
