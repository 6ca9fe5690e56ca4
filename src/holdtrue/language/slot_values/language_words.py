"""Load the words of a language, and its forms of dates and times, from a data file for each language.

A form is a regular expression over folded text (small letters, no accents, single spaces). In it `{n}` and `{m}` are
numbers in digits or words, and `{day}` is a number that may have the ending of an ordinal. `{month}`, `{weekday}`,
`{unit}` and `{relative}` are words of the tables. A file lists the words of a table by their meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal

from holdtrue.extras import need
from holdtrue.language.names import without_accents

_WIDTHS: tuple[Literal["wide", "abbreviated"], ...] = ("wide", "abbreviated")
_CONTEXTS: tuple[Literal["format", "stand-alone"], ...] = ("format", "stand-alone")


@cache
def month_names(language: str) -> dict[str, int]:
    """Return the number of each month of a language by its names, in small letters without accents or full stop."""
    need("Finding dates", "babel")
    from babel.dates import get_month_names

    return _by_name(get_month_names(width, own, language) for width in _WIDTHS for own in _CONTEXTS)


@cache
def weekday_names(language: str) -> dict[str, int]:
    """Return the number of each weekday of a language by its names; Monday is 0."""
    need("Finding dates", "babel")
    from babel.dates import get_day_names

    return _by_name(get_day_names(width, own, language) for width in _WIDTHS for own in _CONTEXTS)


def _by_name(tables: Iterable[Mapping[int, object]]) -> dict[str, int]:
    named = ((str(table[place]), place) for table in tables for place in table)
    return {without_accents(name.casefold()).rstrip("."): place for name, place in named}


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language, folded.

    Attributes:
        language: The code of the language, which is the name of its file.
        text: The text of the file.
        days: Words for a day by its distance from today: `tomorrow` is 1.
        ordinals: Words for days of the month.
        numbers: Words for numbers that no rule spells, such as 'half a dozen'.
        parts: Words for a part of the day, which decide between the two halves of the day.
        times: Names of times of day, as minutes since midnight. Midnight is the start of a day and its end.
        quarters: Words for minutes of an hour.
        lengths: Words for durations, in minutes.
        units: Words for units, mapped to names in the table of units.
        before: Words without a meaning that may precede a value; `behind` has those that may follow one.
        hour_words: Words that may precede an hour.
        articles: Words that count as the number one. In some languages they can be an hour.
        dates: The forms of dates, by their interpretation; `clocks` has those of times.
        scales: Words that multiply a number in digits: 2 million, 3 dozen.
        spellings: Replacements in number words, after which the library for numbers reads them.
        decimal: The sign before the decimals; `group` is the sign between thousands.
        month_first: The locales that write the month before the day.
    """

    language: str
    text: str
    days: Mapping[str, int]
    parts: Mapping[str, str]
    times: Mapping[str, int]
    quarters: Mapping[str, int]
    lengths: Mapping[str, int]
    units: Mapping[str, str]
    before: list[str]
    behind: list[str]
    hour_words: list[str]
    articles: list[str]
    halves: list[str]
    links: list[str]
    dates: Mapping[str, list[str]]
    clocks: Mapping[str, list[str]]
    scales: Mapping[str, int]
    decimal: str
    group: str
    own_months: Mapping[str, int]
    own_weekdays: Mapping[str, int]
    ordinals: Mapping[str, int]
    numbers: Mapping[str, int | str]
    spellings: Mapping[str, str]
    ordinal_endings: list[str]
    month_first: list[str]
    article_is_hour: bool

    @cached_property
    def months(self) -> Mapping[str, int]:
        """Return the numbers of the months by their names."""
        return month_names(self.language) | dict(self.own_months)

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """Return the numbers of the weekdays by their names; Monday is 0."""
        return weekday_names(self.language) | dict(self.own_weekdays)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return all words and signs that can be part of a value. Most words of a text are none of them."""
        return frozenset({*re.findall(r"[^\W\d_]+|[^\w\s]", self.text), *self.units, *self.months, *self.weekdays})

    def forms(self, patterns: Mapping[str, Iterable[str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return forms as compiled patterns, each with its name."""
        tables = {"month": "months", "weekday": "weekdays", "weekday2": "weekdays", "unit": "units", "relative": "days"}
        fill = {
            "n": r"(?P<n>[\w.,/½¼¾ -]+?)",
            "m": r"(?P<m>[\w.,½¼¾ -]+?)",
            "day": r"(?P<day>[\w -]+?)(?:st|nd|rd|th|\.|º|o)?",
            "year": r"(?P<year>(?:19|20)\d\d)",
        }

        def filled(found: re.Match[str]) -> str:
            key = found[1]
            return fill[key] if key in fill else f"(?P<{key}>{any_of(getattr(self, tables[key]))})\\.?"

        return tuple(
            (name, re.compile(re.sub(r"\{([a-z]+2?)\}", filled, own)))
            for name, each in patterns.items()
            for own in each
        )


_TABLES = ("days", "parts", "times", "quarters", "lengths", "units", "ordinals", "numbers", "months", "weekdays")


def words_of(language: str) -> Words:
    """Return the words of a language from its file."""
    text = files("holdtrue.language.slot_values").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = {"ordinal_endings": [], "month_first": [], "spellings": {}, "article_is_hour": False}
    data |= tomllib.loads(text)
    for table in _TABLES:
        data[table] = {word: _meaning(own) for own, words in data.get(table, {}).items() for word in words}
    months, weekdays, parts = data.pop("months"), data.pop("weekdays"), data.pop("day_parts", [])
    days = data["days"]
    data["days"] = days | {f"{day} {own}": days[day] for day in days for own in parts if day != own}
    return Words(language, text, own_months=months, own_weekdays=weekdays, **data)


def _meaning(key: str) -> int | str:
    return int(key) if key.lstrip("-").isdigit() else key


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "|".join(re.escape(own) for own in sorted(words, key=len, reverse=True))


def fold(text: str) -> str:
    """Return a text in small letters, without accents, with single spaces, and without quotes and marks around it."""
    plain = without_accents(text.replace("’", "'").replace("ß", "ss").replace("½", " 1/2").casefold())
    return " ".join(plain.replace("\N{FRACTION SLASH}", "/").split()).strip(" \"'!?;,").removesuffix(".")


def stripped(text: str, words: Words) -> str:
    """Return a folded text without the words that may surround a value and mean nothing."""
    shorter = text
    for own in words.before:
        shorter = shorter.removeprefix(f"{own} ")
    for own in words.behind:
        shorter = shorter.removesuffix(f" {own}")
    shorter = shorter.strip(" ,;")
    return text if shorter == text else stripped(shorter, words)
