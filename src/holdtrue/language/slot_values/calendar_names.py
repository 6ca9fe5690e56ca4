"""The names of months and of days of the week, from the data of the Unicode project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from holdtrue.extras import need
from holdtrue.language.names import without_accents

_WIDTHS: tuple[Literal["wide", "abbreviated"], ...] = ("wide", "abbreviated")
_CONTEXTS: tuple[Literal["format", "stand-alone"], ...] = ("format", "stand-alone")


@cache
def month_names(language: str) -> dict[str, int]:
    """Return the number of each month of a language by its names: small letters, no accents, no full stop."""
    need("Finding dates", "babel")
    from babel.dates import get_month_names

    return _by_name(get_month_names(width, own, language) for width in _WIDTHS for own in _CONTEXTS)


@cache
def weekday_names(language: str) -> dict[str, int]:
    """Return the number of each day of the week of a language by its names; Monday is 0."""
    need("Finding dates", "babel")
    from babel.dates import get_day_names

    return _by_name(get_day_names(width, own, language) for width in _WIDTHS for own in _CONTEXTS)


def _by_name(tables: Iterable[Mapping[int, object]]) -> dict[str, int]:
    named = ((str(table[place]), place) for table in tables for place in table)
    return {without_accents(name.casefold()).rstrip("."): place for name, place in named}
