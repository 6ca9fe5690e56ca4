"""Read the unit after a number: in words or signs, money included, and rates (`mg per kg`, `euros a night`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from holdtrue.logic.units import ONE, Unit, known_unit, unit


@dataclass(frozen=True, slots=True)
class UnitText:
    """A `UnitText` is a unit in a text that ends at `end`. The counted amount is `factor` of the unit.

    If the unit is ambiguous, `unit` is None, `choices` are the possible units with their factors, and `why` explains
    the doubt.
    """

    unit: Unit | None
    end: int
    factor: Fraction = Fraction(1)
    choices: tuple[tuple[Unit, Fraction], ...] = ()
    why: str = ""


_CODES = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN "
    "NOK NZD PEN PHP PKR PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split()
)
SIGNS = {"€": "EUR", "US$": "USD", "$": "USD", "£": "GBP", "¥": "JPY"}
"""Signs of money, which precede or follow a number."""
_PHRASES: dict[str, str] = {
    "per cent": "%",
    "percentage point": "percentage_point",
    "working day": "working_day",
    "business day": "working_day",
    "work day": "working_day",
    "workday": "working_day",
    "calendar day": "day",
    "consecutive day": "day",
    "full day": "day",
    "calendar week": "week",
    "calendar month": "month",
    "calendar year": "year",
    "square metre": "m*m",
    "square meter": "m*m",
    "square kilometre": "km*km",
    "square kilometer": "km*km",
    "sq m": "m*m",
    "m²": "m*m",
    "km²": "km*km",
    "m2": "m*m",
    "cubic metre": "m*m*m",
    "cubic meter": "m*m*m",
    "m³": "m*m*m",
    "pound sterling": "GBP",
    "pounds sterling": "GBP",
    "us dollar": "USD",
    "swiss franc": "CHF",
    "euro cent": "eurocent",
    "kmh": "km/hour",
    "kph": "km/hour",
    "mph": "mile/hour",
    "degrees celsius": "celsius",
    "degree celsius": "celsius",
    "°c": "celsius",
    "° c": "celsius",
    "percent": "%",
    "%": "%",
}
"""Phrases that the table of units lacks, in the singular."""
_FACTORS: dict[str, tuple[str, int]] = {"fortnight": ("day", 14), "decade": ("year", 10), "century": ("year", 100)}
_PER_TIMES = ("second", "minute", "hour", "day", "week", "month", "year")
_OF_ITS_OWN = "night person piece head guest item unit kilo"
_PHRASE = re.compile(
    "|".join(rf"{re.escape(name)}s?" for name in sorted(_PHRASES, key=len, reverse=True)), re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-zµ][\w-]*|[€£$¥]")
_GAP = re.compile(r"[  ]?-?(?=\S)|\s+")
_SLASH = re.compile(r"\s?/\s?")
_PER = re.compile(r"\s+(?:per|for each|for every)\s+(?:(?P<count>\d{1,6})\s)?\s*")
_EACH = re.compile(
    rf"\s+(?:an?|each|every)\s+(?={'|'.join(_PER_TIMES)}|{'|'.join(_OF_ITS_OWN.split())}|kg\b|litre\b|liter\b|mile\b)",
    re.IGNORECASE,
)
_TIMES = frozenset("times time".split())
_LETTERS = frozenset("m g l s h t d".split())


def read_unit(text: str, at: int) -> UnitText | None:
    """Return the unit at a place of a text, directly after a number, with its denominators."""
    found = _single(text, at)
    if found is None or found.unit is None:
        return found
    return _with_rates(text, found)


def read_rate(text: str, at: int, noun: str) -> UnitText | None:
    """Return the unit of a counted noun with a denominator: `times a week`, `points per game`; None without one."""
    found = _with_rates(text, UnitText(unit("time" if noun in _TIMES else noun), at))
    return found if found.end > at else None


def money_sign(text: str, at: int) -> tuple[str, int] | None:
    """Return the money of a sign or a code before a number, with the place of the number."""
    match = re.compile(r"(US\$|[€$£¥]|[A-Z]{3}(?=\s?\d))\s?(?=\d)").match(text, at)
    if match is None:
        return None
    name = SIGNS.get(match[1], match[1])
    return (name, match.end()) if name in _CODES else None


def _single(text: str, at: int) -> UnitText | None:
    """Return one unit without denominators; a space or a hyphen may precede it."""
    gap = _GAP.match(text, at)
    start = gap.end() if gap is not None else at
    phrase = _PHRASE.match(text, start)
    if phrase is not None and not text[phrase.end() : phrase.end() + 1].isalnum():
        said = phrase[0].casefold()
        return UnitText(unit(_PHRASES.get(said) or _PHRASES[said.removesuffix("s")]), phrase.end())
    match = _WORD.match(text, start)
    if match is None:
        return None
    word, end = match[0], match.end()
    if "-" in word:
        # In a 30-day period, and also in kWh-meter, only the part before the hyphen counts.
        word, end = word.partition("-")[0], start + word.index("-")
    return _named(text, word, end, spaced=start > at)


def _named(text: str, word: str, end: int, *, spaced: bool) -> UnitText | None:
    small = word.casefold()
    if word in SIGNS or word in _CODES:
        return UnitText(unit(SIGNS.get(word, word)), end)
    if small.removesuffix("s") in _FACTORS:
        name, factor = _FACTORS[small.removesuffix("s")]
        return UnitText(unit(name), end, Fraction(factor))
    if small in ("pound", "pounds"):
        return _pounds(text, end)
    if small in ("cent", "cents"):
        return _cents(text, end)
    if small in ("penny", "pence"):
        return UnitText(unit("GBP"), end, Fraction(1, 100))
    if small in ("quarter", "quarters"):
        return None
    if len(word) == 1 and word not in _LETTERS:
        return None
    if len(word) == 3 and word.isupper() and not known_unit(small):
        return None
    if known_unit(word) and (len(word) > 1 or not spaced or word != "d"):
        return UnitText(unit(word), end)
    return None


def _pounds(text: str, end: int) -> UnitText:
    """Return pounds as money or a mass; a sign of either kind in the text decides."""
    money, mass = "£" in text or "GBP" in text or "pence" in text, re.search(r"\blbs?\b|\bounces?\b", text) is not None
    if money != mass:
        return UnitText(unit("GBP" if money else "lb"), end)
    choices = ((unit("GBP"), Fraction(1)), (unit("lb"), Fraction(1)))
    return UnitText(None, end, choices=choices, why="pounds are money or a mass")


def _cents(text: str, end: int) -> UnitText:
    """Return cents of the money that the text names. Without money there, or with two kinds, they are doubtful."""
    of = {
        name
        for name, words in (("EUR", r"€|EUR|\beuros?\b"), ("USD", r"\$|USD|\bdollars?\b"))
        if re.search(words, text)
    }
    choices = tuple((unit(name), Fraction(1, 100)) for name in sorted(of or {"EUR", "USD"}))
    if len(choices) == 1:
        return UnitText(choices[0][0], end, Fraction(1, 100))
    return UnitText(None, end, choices=choices, why="it is not said of which money the cents are")


def _with_rates(text: str, found: UnitText) -> UnitText:
    while found.unit is not None and (rate := _rate(text, found, found.unit)) is not None:
        found = rate
    return found


def _rate(text: str, found: UnitText, of: Unit) -> UnitText | None:
    """Return the unit with one more denominator, or None if none follows."""
    slash = _SLASH.match(text, found.end)
    per = None if slash else _PER.match(text, found.end)
    each = None if slash or per else _EACH.match(text, found.end)
    link = slash or per or each
    if link is None:
        return None
    count = Fraction(per["count"]) if per is not None and per["count"] else Fraction(1)
    own = _single(text, link.end())
    if own is None or own.unit is None:
        word = re.compile(r"[a-z][a-z]+").match(text, link.end())
        if word is None or word[0] in ("the", "cent"):
            return None
        own = UnitText(unit(word[0]), word.end())
    if not count or own.unit is None or own.unit == ONE:
        return None
    return UnitText(of / own.unit, own.end, found.factor / count / own.factor)
