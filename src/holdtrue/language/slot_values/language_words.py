"""The words of a language, and the forms in which it says dates and times, as the readers of values need them.

A form is a regular expression over folded text (small letters, no accents, single spaces), in which `{n}` stands for a
number in digits or words, `{day}` for one that may have the ending of an ordinal, and `{month}`, `{weekday}`, `{unit}`,
`{part}` and `{name}` for the words of these tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from holdtrue.language.names import without_accents

Part = Literal["morning", "noon", "afternoon", "evening", "night"]


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language, folded.

    Attributes:
        days: Words for a day by its distance from today: `tomorrow` is 1.
        ordinals: Days of the month that are said in words of their own.
        parts: Words for a part of the day, that say which half of twelve hours is meant.
        times: Names of times of day, as minutes since midnight; midnight begins a day and ends one.
        units: Words for units, as the table of units names them.
        before: What may stand before a value and says nothing of it.
        behind: What may stand behind one.
        dates: The forms of dates, by what is to be done with them.
        clocks: The forms of times of day.
        lengths: Durations with words of their own, in minutes.
        articles: Words that count as the number one.
        decimal: The sign between a number and its decimals; `group` stands between thousands.
    """

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    days: Mapping[str, int]
    ordinals: Mapping[str, int]
    parts: Mapping[str, Part]
    times: Mapping[str, int]
    units: Mapping[str, str]
    before: tuple[str, ...]
    behind: tuple[str, ...]
    dates: Mapping[str, tuple[str, ...]]
    clocks: Mapping[str, tuple[str, ...]]
    lengths: Mapping[str, int]
    articles: tuple[str, ...]
    halves: tuple[str, ...]
    links: tuple[str, ...]
    decimal: str
    group: str
    day_first: bool
    twelve_hours: bool
    language: str

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return all words that stand in its tables and forms."""
        tables = (self.months, self.weekdays, self.days, self.ordinals, self.parts, self.times, self.units)
        lists = (self.before, self.behind, self.articles, self.halves, self.links)
        forms = (*self.dates.values(), *self.clocks.values())
        texts = (word for each in (*tables, self.lengths, *lists, *forms) for word in each)
        return frozenset(own for text in texts for own in (text, *re.findall(r"[^\W\d_]+|[^\w\s]", text)))

    def forms(self, patterns: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return forms compiled, each with its name."""
        fill = {
            "n": r"(?P<n>[\w.,/½¼¾ -]+?)",
            "m": r"(?P<m>[\w.,½¼¾ -]+?)",
            "day": r"(?P<day>[\w -]+?)(?:st|nd|rd|th|\.|º|o)?",
            "month": f"(?P<month>{_any(self.months)})\\.?",
            "year": r"(?P<year>\d{4})",
            "weekday": f"(?P<weekday>{_any(self.weekdays)})\\.?",
            "unit": f"(?P<unit>{_any(self.units)})",
            "weekday2": f"(?P<weekday2>{_any(self.weekdays)})",
            "relative": f"(?P<relative>{_any(self.days)})",
        }
        found = []
        for name, own in patterns.items():
            for pattern in own:
                for key, value in fill.items():
                    pattern = pattern.replace(f"{{{key}}}", value)
                found.append((name, re.compile(pattern)))
        return tuple(found)


def _any(words: Mapping[str, object]) -> str:
    return "|".join(re.escape(own) for own in sorted(words, key=len, reverse=True))


def fold(text: str) -> str:
    """Return a text in small letters, without accents, with single spaces, and without quotes and marks around it."""
    plain = without_accents(text.replace("’", "'").replace("ß", "ss").replace("½", " 1/2").casefold())
    return " ".join(plain.replace("\N{FRACTION SLASH}", "/").split()).strip(" \"'!?;,").removesuffix(".")


def stripped(text: str, words: Words) -> str:
    """Return a folded text without what stands before and behind a value and says nothing of it."""
    while True:
        shorter = text
        for own in words.before:
            if shorter.startswith(f"{own} "):
                shorter = shorter[len(own) + 1 :]
        for own in words.behind:
            if shorter.endswith(f" {own}"):
                shorter = shorter[: -len(own) - 1]
        shorter = shorter.strip(" ,;")
        if shorter == text:
            return text
        text = shorter
