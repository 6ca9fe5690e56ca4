"""Read a user's words as the value of an argument: by code, and completely or not at all.

The meaning depends on the time of the words and on a locale.

>>> from datetime import datetime
>>> from holdtrue.rules.types import DURATION
>>> now = datetime(2019, 3, 1, 9, 17)
>>> read_slot_value("half past two in the afternoon", Calendar("time"), now).shown
('14:30',)
>>> read_slot_value("übermorgen", Calendar("date"), now, "de-DE").shown
('2019-03-03',)
>>> read_slot_value("half past two", Calendar("time"), now).shown
('02:30', '14:30')
>>> read_slot_value("sometime next week", Calendar("date"), now).why
"'sometime next week' is no date that can be read whole"
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache, cached_property, lru_cache

from holdtrue.errors import InputError
from holdtrue.language.slot_values.language_words import Words, fold, stripped, words_of
from holdtrue.language.slot_values.spoken_amounts import AmountReader, Measured, is_number_word
from holdtrue.language.slot_values.spoken_moments import DateReader, TimeReader
from holdtrue.logic.units import ONE, SECOND, Unit, unit
from holdtrue.logic.value_sorts import Calendar, Value, int_if_whole
from holdtrue.rules.types import Number, Type, in_words, without_null
from holdtrue.rules.values import show

LOCALES = ("en-US", "en-GB", "de-DE", "es-ES")
LONGEST = 200
"""The largest number of characters of a value."""


@dataclass(frozen=True, slots=True)
class SlotValue:
    """A `SlotValue` holds all meanings of a text as the value of an argument.

    Attributes:
        type: The type of the argument.
        values: All possible values of the type, the likeliest first. A single one is certain. It is empty if the text
            was not read.
        why: The reason why there is no single value.
    """

    type: Type
    values: tuple[Value, ...]
    why: str = ""

    @property
    def value(self) -> Value | None:
        """Return the value, or None if it is not certain."""
        return self.values[0] if len(self.values) == 1 else None

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the values in their JSON form."""
        return tuple(show(own, self.type) for own in self.values)


_PART = re.compile(r"[^\W\d_]+")
_MINUS = re.compile(r"(?:[-\u2212]|minus |negative |menos )(?=[\w$\u20ac\u00a3])")
_MONEY = frozenset(unit(name) for name in ("EUR", "USD", "GBP", "CHF", "JPY"))
_POUND, _WEIGHT = unit("GBP"), unit("lb")


@dataclass(frozen=True, eq=False)
class _Readers:
    """The readers of a locale, each made at its first use."""

    words: Words
    locale: str

    @cached_property
    def dates(self) -> DateReader:
        return DateReader(self.words, day_first=self.locale not in self.words.month_first)

    @cached_property
    def times(self) -> TimeReader:
        return TimeReader(self.words)

    @cached_property
    def amounts(self) -> AmountReader:
        return AmountReader(self.words)


def read_slot_value(text: str, type: Type, now: datetime, locale: str = "en-US") -> SlotValue:
    """Return the meanings of a text as a date, a time of day, a duration, an amount or a number.

    `now` is the time of the words, local to the speaker. A text with more than its value is refused, and an ambiguous
    text gives all its values. Raises `InputError` for another type, and for a locale that is not in `LOCALES`.
    """
    readers = _readers(locale)
    own = without_null(type)
    other_digits = not text.isascii() and any(own.isdigit() and not own.isascii() for own in text)  # '10²' is not 102.
    folded = fold(text) if len(text) <= LONGEST and not other_digits else ""
    for said in dict.fromkeys((folded, stripped(folded, readers.words))):
        values = _values(readers, said, own, now) if said else ()
        if values:
            why = "" if len(values) == 1 else f"{text!r} can mean {' or '.join(show(each, own) for each in values)}"
            return SlotValue(own, values, why)
    return SlotValue(own, (), f"{text[:LONGEST]!r} is no {in_words(own).split(' ', 1)[1]} that can be read whole")


@lru_cache(maxsize=8192)
def is_of_value(word: str, locale: str) -> bool:
    """Return whether a word can be part of a date, a time or an amount."""
    words = _readers(locale).words
    parts = (folded := fold(word), *_PART.findall(folded))
    return any(map(str.isdigit, word)) or any(own in words.vocabulary or is_number_word(own, words) for own in parts)


def is_article(text: str, locale: str) -> bool:
    """Return whether a text is an article, which counts nothing by itself."""
    words = _readers(locale).words
    return stripped(fold(text), words) in words.articles


def has_unit(text: str, locale: str) -> bool:
    """Return whether a text is an amount with a unit, such as money, and no plain number."""
    readers = _readers(locale)
    return any(of != ONE for _, of in readers.amounts.read(stripped(fold(text), readers.words)))


def _values(readers: _Readers, said: str, type: Type, now: datetime) -> tuple[Value, ...]:
    match type:
        case Calendar("date"):
            return tuple(own.toordinal() for own in readers.dates.read(said, now.date()))
        case Calendar("time"):
            return tuple(minutes * 60 for minutes in readers.times.read(said))
        case Number():
            minus = _MINUS.match(said)
            amounts = readers.amounts.read(said if minus is None else said[minus.end() :])
            signed = ((-number if minus else number, of) for number, of in amounts)
            found = (_in_unit(_as_money(own, type, said), type) for own in signed)
            return tuple(own for own in found if own is not None)
    raise InputError(f"only dates, times of day, durations, amounts and numbers are read here, not {in_words(type)}")


def _in_unit(measured: Measured, type: Number) -> Value | None:
    """Return an amount in the unit of a type; None if it does not fit.

    A bare number is in that unit, except for durations.
    """
    number, of = measured
    wanted = type.sort.unit
    value = _converted(number, of, wanted)
    if value is None or (type.sort.step is not None and (value / type.sort.step).denominator != 1):
        return None
    outside = (type.low is not None and value < type.low) or (type.high is not None and value > type.high)
    return None if outside else int_if_whole(value)


def _as_money(measured: Measured, type: Number, said: str) -> Measured:
    """Return an amount in pounds as money if the type is money; the word also names a weight."""
    number, of = measured
    return (number, type.sort.unit) if type.sort.unit == _POUND and of == _WEIGHT and "lb" not in said else measured


def _converted(number: Fraction, of: Unit, wanted: Unit) -> Fraction | None:
    if of == wanted:
        return number
    if of == ONE:
        return None if wanted == SECOND else number
    if wanted == ONE:
        # A price is mostly declared as a plain number, and people add the currency.
        return number if of in _MONEY else None
    return number * of.factor / wanted.factor if of.dimension == wanted.dimension else None


@cache
def _readers(locale: str) -> _Readers:
    if locale not in LOCALES:
        raise InputError(f"values are read in {', '.join(LOCALES)}, not in {locale!r}")
    return _Readers(words_of(locale.split("-")[0]), locale)
