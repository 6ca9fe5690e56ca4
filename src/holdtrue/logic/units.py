"""This module defines units of measure, with their dimensions and conversion factors.

>>> unit("mg/kg").dimension == unit("%").dimension, unit("week").factor / unit("day").factor
(True, Fraction(7, 1))
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from holdtrue.errors import FormulaError

Dimension = tuple[tuple[str, int], ...]
"""The base dimensions with their exponents, sorted by name: (("length", 1), ("time", -1)) for a speed, () for a number.
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A `Unit` has a name, a dimension, and the factor that converts it to the base units of the dimension.

    Units with the same dimension and factor are equal: `%` times `kg` is 10 g.
    """

    name: str = field(compare=False)
    dimension: Dimension
    factor: Fraction

    def __str__(self) -> str:
        return self.name

    def __mul__(self, other: Unit) -> Unit:
        return _named(_joined(self.name, other.name), self, other, 1)

    def __truediv__(self, other: Unit) -> Unit:
        # A name is read from left to right, so a division by `m*m` becomes `/m/m`.
        name = f"{self.name}/{other.name.translate(_INVERSE)}" if other.name else self.name
        return _named(name, self, other, -1)


_INVERSE = str.maketrans("*·/", "//*")
ONE = Unit("", (), Fraction(1))
"""The unit of plain numbers."""


_POWER = re.compile("([a-z]{1,2})([23\u00b2\u00b3])")
"""The symbol of an area or a volume: m2, cm\u00b3."""


def unit(text: str) -> Unit:
    """Return the unit of a text such as `kg`, `EUR`, `mg/kg` or `EUR/night`; any other word is a new unit.

    Known units have a symbol, a word and a plural. Raises `FormulaError` unless the text is words with `/` or `*`
    between them.
    """
    return _unit(text.strip())


@cache
def _unit(text: str) -> Unit:
    if text in ("", "1"):
        return ONE
    found = ONE
    for sign, name in re.findall(r"(^|[*/·])\s*([^*/·]*)", text):
        own = _single(name.strip(), text)
        found = found / own if sign == "/" else found * own
    return Unit(text if len(re.findall(r"[*/·]", text)) else found.name, found.dimension, found.factor)


def _single(name: str, text: str) -> Unit:
    if name == "1":
        return ONE
    known = _known(name)
    if known is not None:
        return known
    if (power := _POWER.fullmatch(name)) and (base := KNOWN.get(power[1])) and base.dimension == (("length", 1),):
        exponent = 2 if power[2] in "2\u00b2" else 3
        return Unit(name, (("length", exponent),), base.factor**exponent)
    if not _WORD.fullmatch(name):
        raise FormulaError(f"{text!r:.60} is no unit: {name!r:.40} is no word")
    if CURRENCY.fullmatch(name):
        return Unit(name, ((name, 1),), Fraction(1))
    word = _folded(name)
    # A new unit may be a plural: `nights` is the unit `night`.
    word = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    return Unit(word, ((word, 1),), Fraction(1))


def known_unit(name: str) -> bool:
    """Return whether a name is certainly a unit: one in the table, a currency, or a quotient of units."""
    parts = [part.strip() for part in re.split(r"[*/·]", name)] if "/" in name else [""]
    quotient = all(part == "1" or _known(part) or _WORD.fullmatch(part) for part in parts)
    return quotient or CURRENCY.fullmatch(name) is not None or _known(name) is not None


def _known(name: str) -> Unit | None:
    small = _folded(name)
    singular = small[:-1] if len(small) > 2 and small.endswith("s") else small
    return KNOWN.get(name) or KNOWN.get(small) or KNOWN.get(singular)


def _folded(name: str) -> str:
    """Return the name in lower case, except short symbols with a capital M, which means mega or million."""
    return name if len(name) <= 2 and name.startswith("M") else name.casefold()


def _named(name: str, one: Unit, other: Unit, exponent: int) -> Unit:
    powers = Counter(dict(one.dimension))
    for base, power in other.dimension:
        powers[base] += exponent * power
    dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Unit(name, dimension, one.factor * other.factor**exponent)


def _joined(left: str, right: str) -> str:
    return f"{left}*{right}" if left and right else left or right


CURRENCY = re.compile(r"[A-Z]{3}")
_WORD = re.compile(r"[^\W\d][\w-]*")
_TABLE = (
    ("time", "1/1000", "ms millisecond"),
    ("time", "1", "s second sec"),
    ("time", "60", "minute min"),
    ("time", "3600", "hour h hr"),
    ("time", "86400", "day d"),
    ("time", "604800", "week"),
    ("calendar", "1", "month"),
    ("calendar", "3", "quarter"),
    ("calendar", "12", "year"),
    ("mass", "1/1000000", "mg milligram milligramme"),
    ("mass", "1/1000000000", "µg ug mcg microgram"),
    ("mass", "1/1000", "g gram gramme"),
    ("mass", "1", "kg kilogram kilo"),
    ("mass", "1000", "t tonne"),
    ("length", "1/1000", "mm millimetre millimeter"),
    ("length", "1/100", "cm centimetre centimeter"),
    ("length", "1", "m metre meter"),
    ("length", "1000", "km kilometre kilometer"),
    ("length", "0.0254", "inch inches"),
    ("length", "0.3048", "foot feet ft"),
    ("length", "1609.344", "mile miles mi"),
    ("mass", "0.45359237", "lb pound-weight"),
    ("volume", "1/1000", "ml millilitre milliliter"),
    ("volume", "1/100", "cl centilitre"),
    ("volume", "1", "l litre liter"),
    ("energy", "1", "kWh kilowatt-hour"),
    ("data", "1", "MB megabyte"),
    ("data", "1000", "GB gigabyte"),
    ("data", "1000000", "TB terabyte"),
    ("EUR", "1", "EUR euro €"),
    ("EUR", "1/100", "eurocent"),
    ("USD", "1", "USD dollar $"),
    ("GBP", "1", "GBP £"),
    ("CHF", "1", "CHF franc"),
    ("JPY", "1", "JPY yen ¥"),
    ("", "1/100", "% percent"),
)
KNOWN: dict[str, Unit] = {
    name: Unit(names.split()[0], ((base, 1),) if base else (), Fraction(factor))
    for base, factor, names in _TABLE
    for name in names.split()
}
DAY = KNOWN["day"]
SECOND = KNOWN["s"]
MONTH = KNOWN["month"]
