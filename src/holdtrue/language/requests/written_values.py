"""Find a known date, time of day or number in a text, as people of many languages write it.

The text may also have other meanings. Only the presence of this value, in one of the ways to write it, matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache

from holdtrue.language.names import without_accents
from holdtrue.language.requests.written_moments import dates_in, times_in
from holdtrue.language.slot_values.spelled_numbers import LANGUAGES, Languages, says_number
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number
from holdtrue.rules.values import to_json

_SPACES = "[ \u00a0\u202f]"
_THOUSAND = 1000
_MOST_DIGITS, _MOST_SPELLED = 15, 1_000_000


def is_written(
    value: object,
    type: Number | Calendar,
    text: str,
    now: date | None = None,
    languages: Languages = LANGUAGES,
) -> bool:
    """Return whether a text in one of some languages, written at `now`, has a value of a type.

    >>> from fractions import Fraction
    >>> is_written(Fraction(18000), Number(), "18 000,00 EUR"), is_written(Fraction(18), Number(), "18.5 or 118")
    (True, False)
    >>> is_written(Fraction(48), Number(), "quarante-huit pots"), is_written(Fraction("6.2"), Number(), "at six twenty")
    (True, True)
    """
    shown = to_json(value, type)
    if isinstance(type, Number):
        return _has_number(shown, text, languages)
    if type.kind == "date" and isinstance(shown, str):
        return any(own.means(date.fromisoformat(shown), now) for own in dates_in(text, languages))
    if type.kind == "time" and isinstance(shown, str):
        hour, minute = map(int, shown.split(":")[:2])
        return any((hour, minute) in own.options for own in times_in(text, languages))
    return False


def _has_number(shown: object, text: str, languages: Languages) -> bool:
    if isinstance(shown, bool) or not isinstance(shown, int | float) or abs(shown) >= 10**_MOST_DIGITS or shown < 0:
        return False
    number = Decimal(str(shown))
    whole, cents = int(number), number * 100 % 100
    if _pattern(number).search(_folded(text)) is not None:
        return True
    return whole < _MOST_SPELLED and not cents % 1 and says_number(whole, int(cents), text, languages)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return without_accents(text.casefold())


@lru_cache(maxsize=1024)
def _pattern(number: Decimal) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,/:-])(?:{'|'.join(_numbers(number))})(?![\d:]|[/.,-]\d|[^\W\d_]{{4}}|k\b)")


def _numbers(number: Decimal) -> Iterator[str]:
    """Yield patterns for a number, with any sign between thousands and either sign before the decimals."""
    whole, _, rest = format(number, "f").partition(".")
    rest = rest.rstrip("0")
    grouped = f"{int(whole):,}".split(",")
    wholes = [whole, *(sign.join(grouped) for sign in (r"\.", ",", "['\u2019]", _SPACES) if len(grouped) > 1)]
    decimals = f"[.,]{rest}0*" if rest else "(?:[.,]0{1,2})?"
    yield from (f"{each}{decimals}" for each in wholes)
    if number >= _THOUSAND and number % 100 == 0:
        yield rf"{format(number / _THOUSAND, 'f').rstrip('0').rstrip('.').replace('.', '[.,]')}{_SPACES}?k(?=\b)"
