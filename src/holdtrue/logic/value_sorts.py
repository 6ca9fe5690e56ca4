"""This module defines the sorts of amounts with units, dates, times of day and moments.

The value of an amount is an exact number in its unit. The value of a date is its day number, where 0001-01-01 is 1. The
value of a time is a number of seconds since midnight, and that of a moment since 0001-01-01T00:00.

>>> read_sort("whole day"), str(read_sort("EUR(2)"))
(Amount(unit=Unit(name='day', dimension=(('time', 1),), factor=Fraction(86400, 1)), step=Fraction(1, 1)), 'EUR(2)')
>>> DATE.show(read_calendar("2026-03-01").value)
'2026-03-01'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import gcd
from typing import Literal

from holdtrue.errors import FormulaError
from holdtrue.logic.units import DAY, ONE, SECOND, Unit, known_unit, unit

Value = int | Fraction
"""The exact value of a sort, which is never a float."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An `Amount` is the sort of the numbers in a unit that are multiples of `step`; a `step` of None allows all.

    A `step` of 1 means whole numbers, and 1/100 means two decimals.
    """

    unit: Unit = ONE
    step: Fraction | None = None

    def show(self, value: Value) -> str:
        """Return the value as text: `12.50 EUR`, `1/3`."""
        return show_amount(value, self.unit, _scale(self.step) or 0)

    def __str__(self) -> str:
        if self.step == 1:
            return f"whole {self.unit}" if self.unit.name else "whole"
        scale = _scale(self.step)
        name = self.unit.name or "number"
        return name if scale is None else f"{name}({scale})"


@dataclass(frozen=True, slots=True)
class Calendar:
    """A `Calendar` is the sort of dates, times of day or moments. The `zone` of a local moment is ""."""

    kind: Literal["date", "time", "moment"]
    zone: str = ""

    @property
    def unit(self) -> Unit:
        """Return the unit of the difference of two values."""
        return DAY if self.kind == "date" else SECOND

    def show(self, value: Value) -> str:
        """Return the value in ISO 8601: `2026-03-01`, `14:30`, `2026-03-01T14:30`; else as kind and number."""
        whole = int(value)
        try:
            if whole != value:
                raise ValueError
            return self._written(whole)
        except (ValueError, OverflowError):
            return f"{self.kind} {value}"

    def _written(self, value: int) -> str:
        if self.kind == "date":
            return date.fromordinal(value).isoformat()
        if self.kind == "time":
            if not 0 <= value < 86400:
                raise ValueError
            return _clock(value)
        days, seconds = divmod(value, 86400)
        return f"{(date.fromordinal(days + 1)).isoformat()}T{_clock(seconds)}{self.zone}"

    def __str__(self) -> str:
        return f"{self.kind} {self.zone}" if self.zone else self.kind


DATE, TIME, MOMENT = Calendar("date"), Calendar("time"), Calendar("moment")
WHOLE = Amount(ONE, Fraction(1))
NUMBER = Amount()
ValueSort = Amount | Calendar

_MOST_SHOWN = 30
"""A number with more decimal places is shown as a fraction."""
_SORT = re.compile(r"(?P<whole>whole\b)?\s*(?P<unit>[^()]*?)\s*(?:\((?P<scale>[0-9]{1,2})\))?")


def read_sort(text: str) -> ValueSort | None:
    """Return the sort of a text, or None for a word that is none of these sorts.

    The texts are `number`, `whole`, `decimal(2)`, a known unit (`kg`, `EUR(2)`, `mg/kg`, `EUR/night`), `whole UNIT`,
    `date`, `time` and `moment`. A new unit needs `whole` before it, or a scale such as `(2)`. Raises `FormulaError` for
    a wrong unit.
    """
    words = text.split()
    if words and words[0] in ("date", "time", "moment") and len(words) <= (2 if words[0] == "moment" else 1):
        return Calendar(words[0], words[1] if len(words) == 2 else "")  # type: ignore[arg-type]
    if words in (["hours"], ["minutes"], ["duration"]):
        return Amount(SECOND if words == ["duration"] else unit(words[0]))
    match = _SORT.fullmatch(text.strip())
    if match is None:
        return None
    name = match["unit"]
    plain = name in ("", "number", "decimal")
    step = Fraction(1, 10 ** int(match["scale"])) if match["scale"] else Fraction(1) if match["whole"] else None
    if plain:
        return Amount(ONE, step) if text.strip() else None
    if step is None and not known_unit(name):
        return None
    return Amount(unit(name), step)


def is_value_sort(text: str) -> bool:
    """Return whether a text names one of these sorts."""
    try:
        return read_sort(text) is not None
    except FormulaError:
        return False


@dataclass(frozen=True, slots=True)
class Number:
    """A `Number` is an exact number in a unit, such as 12.5 or 70 kg."""

    value: Value
    unit: Unit = ONE


@dataclass(frozen=True, slots=True)
class Instant:
    """An `Instant` is a date, time of day or moment that was read from a text."""

    value: int
    sort: Calendar


_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
CALENDAR_PATTERN = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?Z?)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?!\d)"
)
"""The pattern of dates, times and moments in formulas."""
_WRITTEN = re.compile(rf"(?:{_DATE})?(?P<t>T)?(?:{_CLOCK})?(?P<zone>Z)?")


def read_calendar(text: str) -> Instant:
    """Return the date, time or moment of a text in ISO 8601. Raises `FormulaError` if it does not exist."""
    match = _WRITTEN.fullmatch(text)
    if match is None or bool(match["t"]) != bool(match["year"] and match["hour"]) or not text:
        raise FormulaError(f"{text!r:.40} is no date, time or moment")
    seconds = 0
    if match["hour"]:
        hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
        if minute > 59 or second > 59 or hour * 3600 + minute * 60 + second > 86400:
            raise FormulaError(f"there is no time {text}")
        seconds = hour * 3600 + minute * 60 + second
    if not match["year"]:
        return Instant(seconds, TIME)
    try:
        day = date(int(match["year"]), int(match["month"]), int(match["day"])).toordinal()
    except ValueError as error:
        raise FormulaError(f"there is no day {text}") from error
    return (
        Instant((day - 1) * 86400 + seconds, Calendar("moment", match["zone"] or ""))
        if match["t"]
        else Instant(day, DATE)
    )


def show_amount(value: Value, of: Unit, places: int = 0) -> str:
    """Return a number with its unit, as `show_number` writes it."""
    number = show_number(value, places)
    if of.name == "%":
        return f"{number}%"
    return f"{number} {of}" if of.name else number


def number_text(value: Value, unit: Unit) -> str:
    """Return a number with its unit for a formula, as a quotient if it has no exact decimal: `1 kg / 3`."""
    exact = Fraction(value)
    text = show_amount(exact, unit)
    if "/" not in show_number(exact):
        return text
    return f"{show_amount(exact.numerator, unit)} / {exact.denominator}"


def show_number(value: Value, places: int = 0) -> str:
    """Return a number as an exact decimal with at least `places` decimal places, or else as a fraction `1/3`."""
    needed = decimal_places(value)
    if needed is None or needed > max(places, _MOST_SHOWN):
        return f"{value.numerator}/{value.denominator}"
    return decimal_text(value, max(places, needed))


def common_divisor(one: Fraction, other: Fraction) -> Fraction:
    """Return the greatest number of which both are multiples; it is never negative."""
    return Fraction(
        gcd(one.numerator * other.denominator, other.numerator * one.denominator), one.denominator * other.denominator
    )


def int_if_whole(value: Value) -> Value:
    """Return a number, as an int if it is whole."""
    return value.numerator if value.denominator == 1 else value


def decimal_places(value: Value) -> int | None:
    """Return the number of decimal places of a number, or None if no decimal is exact."""
    rest, powers = value.denominator, [0, 0]
    for place, base in enumerate((2, 5)):
        while rest % base == 0:
            rest //= base
            powers[place] += 1
    return max(powers) if rest == 1 else None


def decimal_text(value: Value, places: int) -> str:
    """Return a number as a decimal with exactly `places` places; the number must have such a decimal."""
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if value < 0 else text


def _scale(step: Fraction | None) -> int | None:
    """Return the number of decimal places of a step that is a power of ten, or None."""
    if step is None or step.numerator != 1:
        return None
    text = str(step.denominator)
    return len(text) - 1 if text.strip("0") == "1" else None


def _clock(seconds: int) -> str:
    hour, rest = divmod(seconds, 3600)
    minute, second = divmod(rest, 60)
    return f"{hour:02d}:{minute:02d}" + (f":{second:02d}" if second else "")


WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
"""The days of the week, by the day number modulo 7."""
