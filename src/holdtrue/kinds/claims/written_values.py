"""Find the numbers, amounts, dates and times that a sentence writes: what a formula of it has to have as well.

Only what is written plainly is found. Whoever has a better reader of values hands in its function instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction

from holdtrue.errors import FormulaError
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.units import ONE, Unit, known_unit, unit
from holdtrue.logic.value_sorts import DATE, TIME, Instant, read_calendar

Written = Number | Instant
ReadValues = Callable[[str], tuple[Written, ...]]

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_TENS = dict(zip("thirty forty fifty sixty seventy eighty ninety".split(), range(30, 100, 10), strict=True))
_NUMBER_WORDS = {word: number for number, word in enumerate(_WORDS)} | _TENS | {"hundred": 100, "dozen": 12}
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(rf"{name}|{name[:3]}\b\.?" for name in _MONTHS)
_SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}
_ISO = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_DAY_FIRST = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})(?:,? (?P<year>\d{{4}}))", re.I
)
_MONTH_FIRST = re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})", re.I)
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)|\b(?P<full>\d{1,2}:\d{2})\b", re.I
)
_NUMBER = re.compile(
    r"(?P<sign>[€$£¥])?\s?(?<![\w.])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<percent>\s?%| percent\b)?"
    rf"|\b(?P<word>{'|'.join(_NUMBER_WORDS)})\b",
    re.I,
)
_UNIT = re.compile(r"[\s-]*(?P<unit>[€$£]|[A-Za-zµ]+(?:/[A-Za-z]+)?)")


def written_values(text: str) -> tuple[Written, ...]:
    """Return the values that a text writes, dates and times first; a bare number has no unit."""
    found: list[Written] = []
    rest = text
    for pattern, make in ((_ISO, _iso), (_DAY_FIRST, _dated), (_MONTH_FIRST, _dated), (_CLOCK, _clock)):
        for match in pattern.finditer(rest):
            value = make(match)
            if value is not None:
                found.append(value)
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    return tuple(dict.fromkeys((*found, *_numbers(rest))))


def _numbers(text: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        value = _NUMBER_WORDS[match["word"].lower()] if match["word"] else Fraction(match["digits"].replace(",", ""))
        if match["percent"]:
            yield Number(value, unit("%"))
            continue
        if match["sign"]:
            yield Number(value, unit(_SIGNS[match["sign"]]))
            continue
        yield Number(value, _unit_after(text, match.end()))


def _unit_after(text: str, end: int) -> Unit:
    behind = _UNIT.match(text, end)
    if behind is None:
        return ONE
    name = _SIGNS.get(behind["unit"], behind["unit"])
    plain = len(name) > 1 or name in "gmlht"
    try:
        return unit(name) if plain and known_unit(name) and name.lower() not in ("to", "in", "mi") else ONE
    except FormulaError:
        return ONE


def _iso(match: re.Match[str]) -> Instant | None:
    try:
        return read_calendar(match[0])
    except FormulaError:
        return None


def _dated(match: re.Match[str]) -> Instant | None:
    month = next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(match["month"].lower()[:3]))
    try:
        return Instant(date(int(match["year"]), month, int(match["day"])).toordinal(), DATE)
    except ValueError:
        return None


def _clock(match: re.Match[str]) -> Instant | None:
    if match["full"]:
        return _iso(match)
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if not 1 <= hour <= 12 or minute > 59:
        return None
    hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
    return Instant(hour * 3600 + minute * 60, TIME)
