"""Sorts of values that are no things: amounts with their unit, dates, times of day and moments.

The value of an amount is an exact number of its unit; that of a date the number of its day (0001-01-01 is 1), that of a
time the seconds since midnight, and that of a moment the seconds since 0001-01-01T00:00.

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
from typing import Literal

from holdtrue.errors import FormulaError
from holdtrue.logic.units import DAY, ONE, SECOND, Unit, known_unit, unit

Value = int | Fraction
"""A value of a sort, exactly; nothing is ever a float."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An `Amount` is a number of `unit`; only multiples of `step` are possible, or any number where it is None.

    `step` 1 makes whole numbers, 1/100 decimals with a scale of two.
    """

    unit: Unit = ONE
    step: Fraction | None = None

    def show(self, value: Value) -> str:
        """Return the value in words: `12.50 EUR`, `1/3`."""
        return show_amount(value, self.unit, _scale(self.step) or 0)

    def __str__(self) -> str:
        if self.step == 1:
            return f"whole {self.unit}" if self.unit.name else "whole"
        scale = _scale(self.step)
        name = self.unit.name or "number"
        return name if scale is None else f"{name}({scale})"


@dataclass(frozen=True, slots=True)
class Calendar:
    """A `Calendar` sort holds dates, times of day or moments; a moment has a `zone`, or "" where it is local."""

    kind: Literal["date", "time", "moment"]
    zone: str = ""

    @property
    def unit(self) -> Unit:
        """Return the unit in which two values of this sort differ."""
        return DAY if self.kind == "date" else SECOND

    def show(self, value: Value) -> str:
        """Return the value as it is written: `2026-03-01`, `14:30`, `2026-03-01T14:30`; a number where none fits."""
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

_SORT = re.compile(r"(?P<whole>whole\b)?\s*(?P<unit>[^()]*?)\s*(?:\((?P<scale>[0-9]{1,2})\))?")


def read_sort(text: str) -> ValueSort | None:
    """Return the sort of values that a text names; None for a word that may be the sort of things.

    `number`, `whole`, `decimal(2)`, a known unit (`kg`, `EUR(2)`, `mg/kg`, `EUR/night`), `whole UNIT`, `date`, `time`,
    `moment`. A unit of one's own has to be marked by `whole` or a scale. Raises `FormulaError` where a unit is none.
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
    """Return whether a text names a sort of values where nothing else is called so."""
    try:
        return read_sort(text) is not None
    except FormulaError:
        return False


@dataclass(frozen=True, slots=True)
class Number:
    """An exact number of a unit, such as 12.5 or 70 kg."""

    value: Value
    unit: Unit = ONE


@dataclass(frozen=True, slots=True)
class Instant:
    """An `Instant` is a written date, time of day or moment: its sort and its value."""

    value: int
    sort: Calendar


_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
CALENDAR_PATTERN = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?Z?)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?!\d)"
)
"""How dates, times and moments are written in formulas."""
_WRITTEN = re.compile(rf"(?:{_DATE})?(?P<t>T)?(?:{_CLOCK})?(?P<zone>Z)?")


def read_calendar(text: str) -> Instant:
    """Return a written date, time or moment (ISO 8601). Raises `FormulaError` for a day that does not exist."""
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
    """Return a number with its unit, as a decimal where it is one, with at least so many places, else as a fraction."""
    number = show_number(value, places)
    if of.name == "%":
        return f"{number}%"
    return f"{number} {of}" if of.name else number


def number_text(value: Value, unit: Unit) -> str:
    """Write a number with its unit as formulas have it; a fraction without decimals is a quotient: `1 kg / 3`."""
    exact = Fraction(value)
    text = show_amount(exact, unit)
    if "/" not in show_number(exact):
        return text
    return f"{show_amount(exact.numerator, unit)} / {exact.denominator}"


def show_number(value: Value, places: int = 0) -> str:
    """Return a number as a decimal where it has one, with at least so many places, else as a fraction `1/3`."""
    exact = Fraction(value)
    scale = places
    while scale < 30 and (exact * 10**scale).denominator != 1:
        scale += 1
    scaled = exact * 10**scale
    if scaled.denominator != 1:
        return f"{exact.numerator}/{exact.denominator}"
    digits = str(abs(scaled.numerator)).rjust(scale + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}" if scale else f"{sign}{digits}"


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
"""The days of the week, by their numbers: the number of a day, counted from 1 January of year 1, modulo 7."""
