"""Find dates and times of day in a text of many languages, in digits or in words.

A find may be uncertain: `3/4` is in March or in April, and *nine* may be an hour. A *plain* find can hardly be anything
else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import TypeVar

from holdtrue.language.names import without_accents
from holdtrue.language.slot_values.language_words import month_names, weekday_names
from holdtrue.language.slot_values.spelled_numbers import (
    LANGUAGES,
    Languages,
    and_words,
    folded_words,
    small_number_at,
    small_numbers_in,
)

_ISO = re.compile(r"(?<![\d/.-])(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?![\d/-])")
_NUMERIC = re.compile(
    r"(?<![\d,/:.-])(?P<one>\d{1,2})(?P<sign>[./-])\s?(?P<two>\d{1,2})(?:(?P=sign)(?P<year>\s?(?:19|20)\d\d|\d\d)(?!\d)|(?P<end>\.)|(?!\d))"
)
_CLOCK = re.compile(r"(?<![\d:.,/-])(?P<hour>[01]?\d|2[0-4])\s?(?P<sign>[:.h])\s?(?P<minute>[0-5]\d)(?![\d:]|[.,/-]\d)")
_COMPACT = re.compile(r"(?<![\w.,:/-])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?![\w:/]|[.,-]\d)")
_RANGE = re.compile(r"(?<![\d.,/:-])(?P<day>\d{1,2})\.?\s?[-\u2013\u2014]\s?$")
"""A pattern for the first day of a range such as '10-13 April'."""
_LONGEST_RANGE = 10
_HALF = re.compile(r"\s?(?P<half>[ap])\.?\s?m\b", re.IGNORECASE)
_HOUR_SIGN = re.compile(r"\s?h\b(?!\s?\d)", re.IGNORECASE)
_FILLERS = 2
"""The number of short words that may stand between a day and its month, or between a weekday and its date."""
_NEAR_DAYS = 45
_QUARTERS = frozenset("quarter viertel quart cuarto quarto kwart kvart kvarter".split())
_HALVES = frozenset("half halb demi demie media mezza mezzo meia halv".split())
_SHORTEST, _SHORT, _ABBREVIATED = 2, 3, 4
_GAP = set(",;:!?()\n|")
Word = tuple[int, int, str]
_Written = TypeVar("_Written", "WrittenDate", "WrittenTime")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A `WrittenDate` is a date in a text: the (month, day) pairs that it can mean, with month 0 for any month."""

    start: int
    end: int
    options: frozenset[tuple[int, int]]
    year: int | None = None
    weekdays: frozenset[int] = frozenset()
    is_weekday_sure: bool = False
    is_plain: bool = True

    def means(self, day: date, now: date | None = None) -> bool:
        """Return whether the text means this day, and not also a day of another month.

        `3/12` may be in March or in December. A weekday or a year decides between them. Otherwise this day must be the
        only one near `now`.
        """
        is_weekday = day.weekday() in self.weekdays
        if self.year not in (None, day.year, day.year % 100) or (self.is_weekday_sure and not is_weekday):
            return False
        if not {(day.month, day.day), (0, day.day)} & self.options:
            return False
        others = {month for month, _ in self.options} - {day.month}
        is_told = is_weekday or self.year is not None or 0 in others
        return (
            is_told or not others or (now is not None and _is_near(day, now) and not _are_near(self.options, day, now))
        )


@dataclass(frozen=True, slots=True)
class WrittenTime:
    """A `WrittenTime` is a time of day in a text: the (hour, minute) pairs that it can mean.

    `form` describes the notation if it is not plain: `6.20` may be a sum.
    """

    start: int
    end: int
    options: frozenset[tuple[int, int]]
    is_plain: bool = True
    form: str = ""


def _is_near(day: date, now: date) -> bool:
    return abs((day - now).days) <= _NEAR_DAYS


def _are_near(options: frozenset[tuple[int, int]], day: date, now: date) -> bool:
    """Return whether an option other than the day is near `now`, in this year or a neighbouring one."""
    known = {(month, own) for month, own in options if (month, own) != (day.month, day.day) and own <= 28}
    return any(_is_near(date(now.year + more, *own), now) for own in known for more in (-1, 0, 1))


@cache
def _months(languages: Languages) -> Mapping[str, frozenset[int]]:
    return _by_name(month_names, languages)


@cache
def _weekdays(languages: Languages) -> Mapping[str, frozenset[int]]:
    return _by_name(weekday_names, languages)


def _by_name(names: Callable[[str], Mapping[str, int]], languages: Languages) -> Mapping[str, frozenset[int]]:
    """Return the meanings of each name in some languages: 'so' is a Sunday in one and a Saturday in another."""
    found = defaultdict[str, set[int]](set)
    for language in languages:
        for name, number in names("nb" if language == "no" else language).items():
            for word in (name, *name.split("-")):
                found[word].add(number)
    return {name: frozenset(own) for name, own in found.items()}


def is_short_name(word: str) -> bool:
    """Return whether a word abbreviates a month or a weekday in some language: `Tues`, `ven`."""
    own = without_accents(word.casefold())
    names = (*_months(LANGUAGES), *_weekdays(LANGUAGES))
    return len(own) >= _SHORTEST and any(own != name and name.startswith(own) for name in names)


def weekdays_in(text: str, languages: Languages = LANGUAGES) -> set[int]:
    """Return the weekdays that a text names; Monday is 0."""
    return {own for _, _, word in folded_words(text) for own in _weekdays(languages).get(word, ())}


@lru_cache(maxsize=256)
def dates_in(text: str, languages: Languages = LANGUAGES) -> tuple[WrittenDate, ...]:
    """Return the dates of a text, in order."""
    words = folded_words(text)
    digits = [
        WrittenDate(*own.span(), _valid((int(own["month"]), int(own["day"]))), int(own["year"]))
        for own in _ISO.finditer(text)
    ]
    digits += _numeric(text, words, languages)
    clocks = [own.span() for own in _CLOCK.finditer(text)]
    taken = _Taken(text, [*((own.start, own.end) for own in digits if own.is_plain), *clocks])
    free = [own for own in words if not taken.meets(own[0], own[1])]
    return _outermost(text, [*digits, *_named(text, free, languages)])


@lru_cache(maxsize=256)
def times_in(text: str, languages: Languages = LANGUAGES) -> tuple[WrittenTime, ...]:
    """Return the times of day of a text, in order, without those inside a date."""
    dates = [own for own in dates_in(text, languages) if own.is_plain]
    found = [*_clocks(text), *_spoken_hours(text, folded_words(text), languages)]
    times = _outermost(text, [own for own in found if own.is_plain])
    # A find that is not plain may overlap others: 'quarter to nine' has an hour, too.
    plain = _Taken(text, [(own.start, own.end) for own in times])
    others = (own for own in found if not own.is_plain and not plain.meets(own.start, own.end))
    within = _Taken(text, [(own.start, own.end) for own in dates])
    kept = (own for own in (*times, *others) if not within.meets(own.start, own.end))
    return tuple(sorted(kept, key=lambda own: (own.start, own.end)))


class _Taken:
    def __init__(self, text: str, spans: Sequence[tuple[int, int]] = ()) -> None:
        self._places = bytearray(len(text) + 1)
        for start, end in spans:
            self.take(start, end)

    def take(self, start: int, end: int) -> None:
        self._places[start:end] = b"\1" * (end - start)

    def meets(self, start: int, end: int) -> bool:
        """Return whether a span overlaps a taken place."""
        return 1 in self._places[start:end]


def _outermost(text: str, found: list[_Written]) -> tuple[_Written, ...]:
    """Return the finds without those that overlap a longer one."""
    kept, taken = list[_Written](), _Taken(text)
    for own in sorted(found, key=lambda each: (each.start - each.end, not each.is_plain)):
        if not taken.meets(own.start, own.end):
            taken.take(own.start, own.end)
            kept.append(own)
    return tuple(sorted(kept, key=lambda own: own.start))


def _numeric(text: str, words: Sequence[Word], languages: Languages) -> Iterator[WrittenDate]:
    for own in _NUMERIC.finditer(text):
        one, two, year = int(own["one"]), int(own["two"]), own["year"]
        options = _valid((two, one)) if own["sign"] == "." else _valid((two, one), (one, two))
        weekdays, is_sure, start = _weekday_before(text, words, languages, own.start())
        # 3-5 may be from three to five, and 6.20 a sum or a time.
        is_plain = year is not None or own["sign"] == "/" or is_sure or own["end"] is not None
        if options and (is_plain or own["sign"] == "."):
            yield WrittenDate(start, own.end(), options, int(year) if year else None, weekdays, is_sure, is_plain)


def _valid(*options: tuple[int, int]) -> frozenset[tuple[int, int]]:
    return frozenset((month, day) for month, day in options if 1 <= month <= 12 and 1 <= day <= 31)


def _weekday_before(
    text: str, words: Sequence[Word], languages: Languages, start: int
) -> tuple[frozenset[int], bool, int]:
    """Return the weekdays that a word before a position means, whether that is certain, and its start.

    Short words may stand between. 'so' and 'to' are weekdays in some languages and ordinary words in others.
    """
    last = bisect_right(words, start, key=lambda own: own[1])
    before = words[max(last - 1 - _FILLERS, 0) : last]
    for own in reversed(before):
        between = text[own[1] : start]
        if own[2] in _weekdays(languages) and not _GAP & set(between) - {","} and not any(map(str.isdecimal, between)):
            return _weekdays(languages)[own[2]], own[1] - own[0] > _ABBREVIATED, own[0]
        if len(own[2]) > _SHORT or own[2].isdecimal():
            break
    return frozenset(), False, start


def _named(text: str, words: Sequence[Word], languages: Languages) -> Iterator[WrittenDate]:
    """Yield days with the name of a month, with a weekday, or as bare numbers."""
    plain, used = [word for _, _, word in words], set[int]()
    read = dict(small_numbers_in(plain, languages))
    behind = {place: _month_behind(text, words, languages, place + size - 1) for place, (size, _) in read.items()}
    used |= {own for own in behind.values() if own is not None}
    for place, (size, numbers) in read.items():
        days = frozenset(own for own in numbers if 1 <= own <= 31)
        if not days:
            continue
        last = place + size - 1
        month = behind[place]
        if month is None and (before := _month_before(text, words, languages, place)) not in used:
            month = before
        first, end = (place, last) if month is None else (min(place, month), max(last, month))
        start = words[first][0]
        span = _RANGE.search(text[max(start - _LONGEST_RANGE, 0) : start])
        if span is not None:
            days, start = days | {int(span["day"])}, start - len(span[0])
        weekdays, is_sure, start = _weekday_before(text, words, languages, start)
        if month is None:
            options = frozenset((0, own) for own in days)
            yield WrittenDate(start, words[last][1], options, None, weekdays, is_sure, is_sure)
        else:
            options = frozenset((each, own) for each in _months(languages)[plain[month]] for own in days)
            year, at = _year_behind(text, words, end)
            is_short = month < place and len(plain[month]) <= _SHORT  # 'may 3' may be no date.
            is_plain = is_sure or not is_short or year is not None
            yield WrittenDate(start, at, options, year, weekdays, is_sure, is_plain)


def _month_behind(text: str, words: Sequence[Word], languages: Languages, last: int) -> int | None:
    for place in range(last + 1, min(last + 2 + _FILLERS, len(words))):
        if _GAP & set(text[words[place - 1][1] : words[place][0]]):
            return None
        if words[place][2] in _months(languages):
            return place
        if len(words[place][2]) > _SHORT or words[place][2].isdecimal():
            return None
    return None


def _month_before(text: str, words: Sequence[Word], languages: Languages, first: int) -> int | None:
    for place in range(first - 1, max(first - _FILLERS - 1, -1), -1):
        if _GAP & set(text[words[place][1] : words[place + 1][0]]):
            return None
        if words[place][2] in _months(languages):
            return place
        if len(words[place][2]) > _SHORT or words[place][2] in _weekdays(languages):
            return None
    return None


def _year_behind(text: str, words: Sequence[Word], last: int) -> tuple[int | None, int]:
    for place in range(last + 1, min(last + 3, len(words))):
        if _GAP - {","} & set(text[words[place - 1][1] : words[place][0]]):
            break
        word = words[place][2]
        if len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20"):
            return int(word), words[place][1]
        if len(word) > _SHORT:
            break
    return None, words[last][1]


def _clocks(text: str) -> Iterator[WrittenTime]:
    for own in _CLOCK.finditer(text):
        half = _HALF.match(text, own.end())
        hour = _hour(int(own["hour"]), half)
        is_plain = own["sign"] != "." or half is not None
        options, end = frozenset({(hour, int(own["minute"]))}), half.end() if half else own.end()
        yield WrittenTime(own.start(), end, options, is_plain, "dot")
    for own in _COMPACT.finditer(text):
        yield WrittenTime(*own.span(), frozenset({(int(own["hour"]), int(own["minute"]))}), False, "digits")


def _hour(hour: int, half: re.Match[str] | None) -> int:
    if half is None:
        return hour % 24
    return hour % 12 + (12 if half["half"] in "pP" else 0)


def _spoken_hours(text: str, words: Sequence[Word], languages: Languages) -> Iterator[WrittenTime]:
    clocks = [own.span() for own in _CLOCK.finditer(text)]
    taken = _Taken(text, clocks)
    words = [own for own in words if not taken.meets(own[0], own[1])]
    plain = [word for _, _, word in words]
    for place, read in small_numbers_in(plain, languages):
        end = place + read[0]
        at = words[end - 1][1]
        half = _HALF.match(text, at)
        hours = {_hour(own, half) for own in read[1] if own <= 24}
        if half is None:
            hours |= {own + 12 for own in hours if 1 <= own < 12}
        if not hours:
            continue
        is_plain = half is not None or (plain[place].isdecimal() and _HOUR_SIGN.match(text, at) is not None)
        yield WrittenTime(words[place][0], half.end() if half else at, frozenset((own, 0) for own in hours), is_plain)
        near = {word for _, _, word in words[max(place - _FILLERS, 0) : place]} | {
            word for _, _, word in words[end : end + 3]
        }
        for part, named in ((15, _QUARTERS), (30, _HALVES)):
            if near & named:
                # 'quarter past six' and 'kwart voor zes': the hour depends on the language, so both are options.
                options = frozenset(each for hour in hours for each in ((hour, part), ((hour - 1) % 24, 60 - part)))
                yield WrittenTime(words[place][0], at, options, is_plain=False)
        for behind in (end, end + 1):
            minutes = (
                small_number_at(plain, behind, languages)
                if behind < len(words) and (not plain[place].isdecimal() or plain[end] in and_words())
                else None
            )
            if minutes is not None and not _GAP & set(text[at : words[behind][0]]):
                options = frozenset((hour, own) for hour in hours for own in minutes[1])
                yield WrittenTime(words[place][0], words[behind + minutes[0] - 1][1], options, is_plain=False)
                break
