"""Read one value at a place of a text: a number, an amount, a date, a time, or an ordinal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from holdtrue.logic.units import ONE, Unit, unit
from holdtrue.logic.value_sorts import TIME, Instant, Number, number_text
from holdtrue_claims.values.calendar_words import CalendarText, read_instant
from holdtrue_claims.values.number_words import NumberText, read_number, read_ordinal
from holdtrue_claims.values.unit_words import money_sign, read_rate, read_unit

Role = Literal["value", "ordinal", "label"]
"""An `ordinal` is a position (the third), and a `label` is part of a name (order 4711)."""


@dataclass(frozen=True, slots=True)
class ValueText:
    """A `ValueText` is a value from `start` to `end` of a text. `noun` is the noun that a bare number counts."""

    value: Number | Instant
    text: str
    start: int
    end: int
    role: Role = "value"
    noun: str = ""

    @property
    def formula(self) -> str:
        """Return the value in the notation of formulas: `240 EUR`, `2026-03-01`."""
        return formula_of(self.value)


@dataclass(frozen=True, slots=True)
class ValueDoubt:
    """A `ValueDoubt` is a place with an uncertain value, the reason in words, and the possible values."""

    text: str
    start: int
    end: int
    why: str
    choices: tuple[Number | Instant, ...] = ()


def formula_of(value: Number | Instant) -> str:
    """Return a value in the notation of formulas."""
    return number_text(value.value, value.unit) if isinstance(value, Number) else value.sort.show(value.value)


MINUS = re.compile(r"(?:[-\u2212]|minus\s+)(?=\d|[€$£¥])", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\b(?:order|invoice|room|gate|flight|section|article|clause|paragraph|page|chapter|rule|line|table|platform"
    r"|version|bus|train|route|ticket|case|apartment|phase|number|account|customer|patient|contract|claim|bed|ward|seat"
    r"|building|floor|terminal|track|lane|channel|step|stage|group|team|class|year|premise|no\.?|nr\.?)\s+|#\s?)$",
    re.IGNORECASE,
)
_ONE_UNIT = re.compile(r"an?\s+(?=[a-z])", re.IGNORECASE)
_ONE_UNITS = re.compile(
    r"(?:week|day|hour|minute|month|year|kilo|kilogram|litre|liter|metre|meter|mile|fortnight|decade|century)\b"
)
_OFTEN = re.compile(r"(?:once|twice|thrice)\b", re.IGNORECASE)
_HALF_UNIT = re.compile(r"(?:half\s+an?|(?P<count>an?|three)\s+quarters?\s+of\s+an?)\s+(?=[a-z])", re.IGNORECASE)
_AND_HALF = re.compile(r"\s+and\s+(?:(?P<half>a\s+half)|(?:a\s+)?(?P<quarter>a\s+quarter)|three\s+quarters)\b")
_GLUE = re.compile(r",?\s+(?P<and>and\s+)?")
_NOUN = re.compile(r"[ -](?P<noun>[a-z]{3,})\b")
_NO_NOUNS = frozenset(
    "and are but can did does each for from had has have must may might per she than that the then they this until was "
    "were when where which will with not who its his her our their shall should could would also both all any due off "
    "only more less fewer other further later earlier before after above below over under within into onto".split()
)
_NO_ONE = re.compile(
    r"\b(?:no|any|every|some|each|this|that|the|which|another|other|last|next|only)[ -]$", re.IGNORECASE
)
_NO_AMOUNT = re.compile(r"\s*(?:another\b|of\b|by one\b|['’]s\b)", re.IGNORECASE)
_AT = re.compile(r"\bat\s+$", re.IGNORECASE)
_SMALLER = (("hour", "minute"), ("minute", "s"), ("hour", "s"), ("foot", "inch"))
_MILLIONS = re.compile(r"\s?(k|m|bn|mn)\b|\s+(thousand|million|billion)\b", re.IGNORECASE)


class SingleValues:
    """A `SingleValues` reads values of one text, each at its place."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, at: int, *, signed: bool = True) -> ValueText | ValueDoubt | None:
        """Return the value at a place, or the doubt about it; None if there is no value."""
        if at >= len(self._text):
            return None  # In '1 -' the second value is missing.
        instant = read_instant(self._text, at)
        if instant is not None:
            return self._instant(at, instant)
        minus = MINUS.match(self._text, at) if signed else None
        start = minus.end() if minus is not None else at
        if self._text[at].isdigit() and (found := self._ordinal(at)) is not None:
            return found
        often = self._often(at) or self._half_unit(at)
        return often or self._amount(at, start, negative=minus is not None) or self._ordinal(at)

    def _instant(self, at: int, found: CalendarText) -> ValueText | ValueDoubt:
        text = self._text[at : found.end]
        if found.value is None:
            return ValueDoubt(text, at, found.end, found.why, found.choices)
        if found.value.sort.kind == "time" and found.value.sort.zone:
            return ValueDoubt(text, at, found.end, "a time of day in a zone needs its date")
        return ValueText(found.value, text, at, found.end)

    def _ordinal(self, at: int) -> ValueText | ValueDoubt | None:
        found = read_ordinal(self._text, at)
        if found is None:
            return None
        text = self._text[at : found.end]
        if found.value is None:
            return ValueDoubt(text, at, found.end, found.why)
        return ValueText(Number(plain(found.value)), text, at, found.end, "ordinal")

    def _often(self, at: int) -> ValueText | None:
        """Return a frequency: once a day, twice per week."""
        match = _OFTEN.match(self._text, at)
        rate = read_rate(self._text, match.end(), "times") if match is not None else None
        if match is None or rate is None or rate.unit is None:
            return None
        count = Fraction(("once", "twice", "thrice").index(match[0].casefold()) + 1)
        return self._made(at, rate.end, count * rate.factor, rate.unit, "")

    def _half_unit(self, at: int) -> ValueText | ValueDoubt | None:
        """Return an amount without a number word: half an hour, three quarters of an hour, or a week."""
        match = _HALF_UNIT.match(self._text, at)
        value = (
            Fraction(1, 2)
            if match is None or match["count"] is None
            else Fraction(3 if match["count"][0] in "tT" else 1, 4)
        )
        if match is None:
            match, value = _ONE_UNIT.match(self._text, at), Fraction(1)
            if match is None or not _ONE_UNITS.match(self._text, match.end()):
                return None
        measured = read_unit(self._text, match.end())
        if measured is None or measured.unit is None:
            return None
        return self._compound(at, measured.end, value * measured.factor, measured.unit, "")

    def _amount(self, at: int, start: int, *, negative: bool) -> ValueText | ValueDoubt | None:
        money = money_sign(self._text, start)
        number = read_number(self._text, money[1] if money is not None else start)
        if number is None:
            return None
        if number.value is None:
            return self._doubtful(at, number, money)
        word = self._text[start : number.end].casefold()
        if word == "one" and (
            _NO_ONE.search(self._text, max(0, at - 9), at) or _NO_AMOUNT.match(self._text, number.end)
        ):
            return None
        value = -number.value if negative else number.value
        if money is not None:
            return self._money(at, number.end, value, money[0])
        if not negative and self._text[start].isdigit() and self._is_label(at, number):
            return ValueText(Number(plain(value)), self._text[at : number.end], at, number.end, "label")
        measured = read_unit(self._text, number.end)
        if measured is not None and measured.unit is None:
            choices = tuple(Number(plain(value * factor), own) for own, factor in measured.choices)
            return ValueDoubt(self._text[at : measured.end], at, measured.end, measured.why, choices)
        if measured is not None and measured.unit is not None:
            return self._compound(at, measured.end, value * measured.factor, measured.unit, "")
        if self._text[number.end : number.end + 1].isalpha() and self._text[number.end - 1].isdigit():
            return ValueDoubt(self._text[at : number.end + 1], at, number.end, "letters stand directly behind it")
        return self._bare(at, number.end, value)

    def _doubtful(self, at: int, number: NumberText, money: tuple[str, int] | None) -> ValueDoubt:
        of = unit(money[0]) if money is not None else ONE
        measured = read_unit(self._text, number.end) if money is None else None
        end = number.end
        if measured is not None and measured.unit is not None:
            of, end = measured.unit, measured.end
        choices = tuple(Number(plain(own), of) for own in number.choices)
        return ValueDoubt(self._text[at:end], at, end, number.why, choices)

    def _is_label(self, at: int, number: NumberText) -> bool:
        """Return whether a number is part of a name: order 4711, but not order 5 kg."""
        if _LABEL.search(self._text, max(0, at - 14), at) is None:
            return False
        return read_unit(self._text, number.end) is None

    def _money(self, at: int, end: int, value: Fraction, name: str) -> ValueText | ValueDoubt:
        many = _MILLIONS.match(self._text, end)
        if many is not None:
            word = (many[1] or many[2]).casefold()
            value, end = value * {"k": 1000, "t": 1000, "m": 10**6, "b": 10**9}[word[0]], many.end()
        rate = read_rate(self._text, end, name)
        if rate is not None and rate.unit is not None:
            return self._made(at, rate.end, value * rate.factor, rate.unit, "")
        return self._compound(at, end, value, unit(name), "")

    def _bare(self, at: int, end: int, value: Fraction) -> ValueText | ValueDoubt:
        """Return a number without a unit, with its noun and the denominator of the noun."""
        hour = _AT.search(self._text, max(0, at - 4), at)
        match = _NOUN.match(self._text, end)
        noun = "" if read_number(self._text, end + 1) is not None else self._noun(end)
        if hour is not None and not noun and value.denominator == 1 and 1 <= value <= 12:
            choices = tuple(Instant(int(value) % 12 * 3600 + half, TIME) for half in (0, 43200))
            return ValueDoubt(self._text[at:end], at, end, "it may be a time of day", (*choices, Number(int(value))))
        if match is not None and noun:
            rate = read_rate(self._text, match.end(), noun)
            if rate is not None and rate.unit is not None:
                return self._made(at, rate.end, value * rate.factor, rate.unit, "")
        return self._made(at, end, value, ONE, noun) if noun else self._undivided(at, end, value, ONE, noun)

    def _compound(self, at: int, end: int, value: Fraction, of: Unit, noun: str) -> ValueText | ValueDoubt:
        """Return an amount, with an addition in a smaller unit: 1 hour 45 minutes, an hour and a half."""
        half = _AND_HALF.match(self._text, end)
        if half is not None:
            part = Fraction(1, 2) if half["half"] else Fraction(1, 4) if half["quarter"] else Fraction(3, 4)
            return self._made(at, half.end(), value + part, of, noun)
        glue = _GLUE.match(self._text, end)
        number = read_number(self._text, glue.end()) if glue is not None and value >= 0 else None
        measured = read_unit(self._text, number.end) if number is not None and number.value is not None else None
        if number is None or number.value is None or measured is None:
            return self._undivided(at, end, value, of, noun)
        if measured.unit is None:
            cents = [factor for own, factor in measured.choices if own == of and factor == Fraction(1, 100)]
            added = number.value * cents[0] if cents else None
        else:
            added = _in_smaller(number.value * measured.factor, measured.unit, of, measured.factor)
        if added is None:
            return self._made(at, end, value, of, noun)
        return self._made(at, measured.end, value + added, of, noun)

    def _undivided(self, at: int, end: int, value: Fraction, of: Unit, noun: str) -> ValueText | ValueDoubt:
        """Return an amount. It is doubtful if a number without a unit follows at once, as in six euros eighty."""
        number = read_number(self._text, end + 1) if self._text[end : end + 1] == " " else None
        if number is None or number.value is None or self._text[end + 1 : number.end].casefold() == "one":
            return self._made(at, end, value, of, noun)
        is_other = any(read(self._text, end + 1) for read in (read_instant, read_ordinal))
        if is_other or read_unit(self._text, number.end) is not None or self._noun(number.end):
            return self._made(at, end, value, of, noun)
        choices = (Number(plain(value), of),)
        return ValueDoubt(self._text[at : number.end], at, number.end, "the next number has no unit", choices)

    def _noun(self, end: int) -> str:
        """Return the noun counted by a number that ends here; "" for none."""
        match = _NOUN.match(self._text, end)
        return match["noun"] if match is not None and match["noun"] not in _NO_NOUNS else ""

    def _made(self, at: int, end: int, value: Fraction, of: Unit, noun: str) -> ValueText:
        return ValueText(Number(plain(value), of), self._text[at:end], at, end, noun=noun)


def _in_smaller(amount: Fraction, smaller: Unit, of: Unit, factor: Fraction) -> Fraction | None:
    """Return an amount of a smaller unit in the larger one, or None if they do not form one amount."""
    if smaller == of:
        return amount if factor < 1 else None
    if any(unit(large) == of and unit(small) == smaller for large, small in _SMALLER):
        return amount * smaller.factor / of.factor
    return None


def plain(value: Fraction | int) -> Fraction | int:
    """Return a whole number as an integer, and others as a fraction."""
    return int(value) if Fraction(value).denominator == 1 else Fraction(value)
