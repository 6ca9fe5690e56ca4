"""Find the values that an English text states: numbers, amounts with units, money, dates, times, moments and ranges.

Code reads them exactly and with their places, so that no model has to write a number. An incomplete or ambiguous value
becomes a doubt.

>>> [found.formula for found in read_values("Refunds above €1,250 within 30 days, by 5 pm.").values]
['1250 EUR', '30 day', '17:00']
>>> read_values("It is due on 03/04/2026.").doubts[0].why
'it does not show which is the day and which the month'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Instant, Number
from holdtrue_claims.values.calendar_words import read_instant, with_year
from holdtrue_claims.values.single_values import MINUS, SingleValues, ValueDoubt, ValueText, plain
from holdtrue_claims.values.unit_words import read_rate


@dataclass(frozen=True, slots=True)
class ValuesRead:
    """`ValuesRead` are the `values` of a text in order, and the doubtful places."""

    values: tuple[ValueText, ...] = ()
    doubts: tuple[ValueDoubt, ...] = ()


def read_values(text: str) -> ValuesRead:
    """Return the values that a text states. Never raises. The time is linear in the length of the text, except for a
    few lookups.
    """
    return _read_sentence(text) if len(text) <= _A_SENTENCE else _Reading(text[:LONGEST]).read()


@lru_cache(maxsize=1024)
def _read_sentence(text: str) -> ValuesRead:
    # Prompts and their examples request the values of the same sentences again and again.
    return _Reading(text).read()


def value_parts(text: str) -> Iterator[str | ValueText]:
    """Yield a text in parts: its values except ordinals and labels, and the text around them."""
    at = 0
    for own in read_values(text).values:
        if own.role == "value":
            yield text[at : own.start]
            yield own
            at = own.end
    yield text[at:]


_A_SENTENCE = 1000
LONGEST = 100_000
"""The number of characters of a text that are searched for values."""

_START = re.compile(
    r"(?<![\w.,])(?:(?=[\d½⅓⅔¼¾⅕⅛⅜])|(?=[A-Za-z])|(?=US\$|[€$£¥]\s?\d)|(?=[-\u2212]\d))|(?<=[€$£¥])(?=\d)|(?<=[(\"'“])(?=\d)"
)
_TO = re.compile(r"\s+(?:to|until|till|through|and)\s+(?:the\s+)?|\s?[-\u2013\u2014]\s?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|approximately|approx\.|circa|ca\.|nearly|almost|some|just over|just under|well over"
    r"|well under|more or less)\s+(?:an?\s+)?$|~\s?$",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:a quarter(?! (?:of|to|past)\b)|a few|several|a couple of|a handful of|dozens of|hundreds of"
    r"|thousands of|a number of)\b",
    re.IGNORECASE,
)
_QUARTER = "a quarter is a part of a whole, or three months"


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self._single = SingleValues(text)
        self.values: list[ValueText] = []
        self.doubts: list[ValueDoubt] = []

    def read(self) -> ValuesRead:
        end = 0
        for start in _starts(self._text):
            if start < end:
                continue
            if end > 0 and not self._text[end:start].strip() and MINUS.match(self._text, start):
                continue  # A subtracted value is not negative.
            end = max(end, self._take(start))
        self.doubts += [
            ValueDoubt(match[0], *match.span(), _QUARTER if match[0][2:] == "quarter" else "it is not said how many")
            for match in _VAGUE.finditer(self._text)
        ]
        order = sorted(self.doubts, key=lambda doubt: doubt.start)
        return ValuesRead(tuple(self.values), tuple(order))

    def _take(self, start: int) -> int:
        """Read the value or range at a place, and return its end; the place itself if there is none."""
        first = self._single.read(start)
        if first is None:
            return start
        second = self._other_end(first)
        if second is not None:
            return second
        self._keep(first)
        return first.end

    def _keep(self, found: ValueText | ValueDoubt) -> None:
        if isinstance(found, ValueDoubt):
            self.doubts.append(found)
            return
        self.values.append(found)
        about = _ABOUT.search(self._text, max(0, found.start - 20), found.start)
        if about is not None and found.role == "value":
            whole = self._text[about.start() : found.end]
            self.doubts.append(ValueDoubt(whole, about.start(), found.end, "it is not said how near it is"))

    def _other_end(self, first: ValueText | ValueDoubt) -> int | None:
        """Keep both ends of a range and return its end, or None if there is none."""
        link = _TO.match(self._text, first.end)
        if link is None:
            return None
        between = _BETWEEN.search(self._text, max(0, first.start - 16), first.start) is not None
        if ("and" in link[0].casefold()) != between:
            return None
        second = self._single.read(link.end(), signed=False)
        if second is None or isinstance(second, ValueDoubt) or second.role == "label":
            return None
        low = self._low(first, second)
        high = self._high(low, second) if low is not None else None
        if low is not None and high is not None and high.value != second.value:
            low = self._low(low, high)
        if low is None or high is None or not _ordered(low.value, high.value):
            return self._hyphened(first, link, second)
        if "-" in link[0] and _is_bare(low) and _is_bare(high) and not high.noun:
            return self._hyphened(first, link, second)
        if isinstance(high.value, Number) and not low.noun:
            low = replace(low, noun=high.noun)
        self._keep(low)
        self._keep(high)
        return high.end

    def _hyphened(self, first: ValueText | ValueDoubt, link: re.Match[str], second: ValueText) -> int | None:
        """Report digits with a hyphen that may be no range: 555-1234 may be a phone number."""
        if link[0] != "-" or not self._text[first.start].isdigit() or not self._text[second.start].isdigit():
            return None
        if isinstance(first, ValueText) and first.role == "label":
            self._keep(replace(first, end=second.end, text=self._text[first.start : second.end]))
            return second.end
        text = self._text[first.start : second.end]
        self.doubts.append(ValueDoubt(text, first.start, second.end, "it may be a range, a difference or a name"))
        return second.end

    def _low(self, first: ValueText | ValueDoubt, second: ValueText) -> ValueText | None:
        """Return the lower end, with the unit, month or half of the day that only the upper end has."""
        if isinstance(second.value, Instant):
            return self._low_instant(first, second.value)
        if isinstance(first, ValueDoubt) or not isinstance(first.value, Number):
            return None
        if ONE not in (first.value.unit, second.value.unit):
            # In 'between 500 and 700 euros a month' the denominator belongs to both.
            per = second.value.unit / first.value.unit
            if per.dimension and all(power < 0 for _, power in per.dimension):
                return replace(first, value=Number(first.value.value, second.value.unit))
        if first.value.unit == ONE and not first.noun and first.role == "value":
            return replace(first, value=Number(plain(first.value.value * _scale_of(second)), second.value.unit))
        return first

    def _low_instant(self, first: ValueText | ValueDoubt, high: Instant) -> ValueText | None:
        if isinstance(first, ValueText) and isinstance(first.value, Instant):
            return first
        if isinstance(first, ValueDoubt):
            choices = [own for own in first.choices if isinstance(own, Instant) and own.sort == high.sort]
            if high.sort.kind == "date":
                found = read_instant(self._text, first.start)
                year = date.fromordinal(high.value).year if high.value > 0 else 1
                choices = [own for own in (with_year(found, year).value if found else None,) if own is not None]
            below = [own for own in choices if own.value < high.value]
            return ValueText(below[-1], first.text, first.start, first.end) if len(below) == 1 else None
        number = first.value
        assert isinstance(number, Number)
        if first.noun or number.unit != ONE or first.role == "label" or Fraction(number.value).denominator != 1:
            return None
        value = _day_or_hour(int(number.value), high)
        return None if value is None else replace(first, value=value, role="value")

    def _high(self, low: ValueText, high: ValueText) -> ValueText | None:
        """Return the upper end, with money whose sign precedes only the lower end."""
        if isinstance(low.value, Instant) or isinstance(high.value, Instant):
            same = isinstance(low.value, Instant) and isinstance(high.value, Instant)
            return high if same and low.value.sort == high.value.sort else None  # type: ignore[union-attr]
        if high.value.unit == ONE and low.value.unit != ONE:
            if high.noun or self._text[low.start : low.start + 1] not in "€$£¥UEG":
                return None
            rate = read_rate(self._text, high.end, low.value.unit.name)
            if rate is None or rate.unit is None or not isinstance(low.value, Number):
                return replace(high, value=Number(high.value.value, low.value.unit))
            return replace(
                high,
                value=Number(plain(high.value.value * rate.factor), rate.unit),
                end=rate.end,
                text=self._text[high.start : rate.end],
            )
        return high if low.value.unit.dimension == high.value.unit.dimension else None


def _day_or_hour(number: int, high: Instant) -> Instant | None:
    """Return the day of the month, or the full hour, for a bare number before a date or a time."""
    if high.sort.kind == "date":
        last = date.fromordinal(high.value)
        return Instant(high.value - last.day + number, high.sort) if 0 < number < last.day else None
    if high.sort.kind != "time" or not 0 <= number <= 24:
        return None
    hours = [number * 3600] if number > 12 else [number % 12 * 3600, number % 12 * 3600 + 43200]
    below = [hour for hour in hours if hour < high.value]
    # From 9 to 11 am: the last hour before the upper end, in the same half of the day if possible.
    same_half = [hour for hour in below if hour // 43200 == high.value // 43200]
    return Instant((same_half or below)[-1], high.sort) if below else None


def _scale_of(high: ValueText) -> Fraction:
    """Return the factor of the upper number that belongs to both ends: 2 to 3 million."""
    match = re.search(r"\b(hundred|thousand|million|billion|dozen)\b", high.text, re.IGNORECASE)
    if match is None or not re.match(r"[€$£¥]?\d[\d.,]*\s", high.text):
        return Fraction(1)
    return Fraction(
        {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}[match[1].casefold()]
    )


def _ordered(low: Number | Instant, high: Number | Instant) -> bool:
    if isinstance(low, Number) and isinstance(high, Number):
        return low.value * low.unit.factor < high.value * high.unit.factor
    return isinstance(low, Instant) and isinstance(high, Instant) and low.value < high.value


def _is_bare(found: ValueText) -> bool:
    return isinstance(found.value, Number) and found.value.unit == ONE


def _starts(text: str) -> Iterator[int]:
    """Yield the places where a value may begin: at words, numbers and signs of money."""
    for match in _START.finditer(text):
        yield match.start()
