"""Read a whole text as a date or a time of day, with every meaning."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice

from holdtrue.language.slot_values.language_words import Words
from holdtrue.language.slot_values.spoken_amounts import read_ordinal_word, read_whole_number

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DIGITS = re.compile(r"(?:[a-z]{2,12}\.?,? )?(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2})|\2)?")


class DateReader:
    """A `DateReader` reads dates in the words of one language."""

    def __init__(self, words: Words, *, day_first: bool) -> None:
        self._words, self._day_first = words, day_first
        self._forms = words.forms(words.dates)

    def read(self, text: str, today: date) -> tuple[date, ...]:
        """Return the days that a folded text can mean, the likeliest first, or () if it is not an exact date."""
        try:
            found = [*self._in_digits(text, today)]
            for name, form in self._forms:
                match = None if found else form.fullmatch(text)
                if match is not None:
                    found += self._meant(name, match.groupdict(), today)
            return tuple(dict.fromkeys(found))
        except (ValueError, OverflowError):  # A day that no calendar shows.
            return ()

    def _in_digits(self, text: str, today: date) -> Iterator[date]:
        if (match := _ISO.fullmatch(text)) is not None:
            yield date(*map(int, match.groups()))
        elif (match := _DIGITS.fullmatch(text)) is not None:
            one, two = int(match[1]), int(match[3])
            if match[2] == "." and not self._day_first:
                return
            day, month = (one, two) if self._day_first or one > 12 else (two, one)
            weekday = self._words.weekdays.get(text.split()[0].strip(",.")) if " " in text else None
            if " " in text and weekday is None:
                return
            year = None if match[4] is None else int(match[4]) + (2000 if len(match[4]) == 2 else 0)
            yield from self._dated(day, month, year, today, weekday)

    def _meant(self, name: str, found: dict[str, str | None], today: date) -> Iterator[date]:
        weekday = self._words.weekdays.get(found.get("weekday") or found.get("weekday2") or "")
        month = self._words.months.get(found.get("month") or "", today.month)
        year = int(written) if (written := found.get("year")) else None
        day = self._day(own) if (own := found.get("day")) else None
        match name:
            case "counted":
                yield from self._counted(found, weekday, today)
            case "next_weekday" if weekday is not None:
                # The coming weekday. If it is less than a week away, people may also mean the one a week later.
                near = today + timedelta((weekday - today.weekday() - 1) % 7 + 1)
                yield from (near, near + timedelta(7)) if near - today < timedelta(7) else (near,)
            case "weekday_this_week" | "weekday_next_week" if weekday is not None:
                yield today + timedelta(weekday - today.weekday() + (7 if name == "weekday_next_week" else 0))
            case "last_of_month":
                yield _last(date(year or today.year + (month < today.month), month, 1))
            case "day_of_month" if day is not None and own is not None:
                # 'The one' counts something, and is no day.
                if self._words.language == "en" and own.isalpha() and read_ordinal_word(own, self._words) is None:
                    return
                yield from islice((each for each in _coming(today, 92) if each.day == day), 1)
            case "day_of_this_month" if day is not None:
                yield today.replace(day=day)
            case "day_of_next_month" if day is not None:
                yield (_last(today) + timedelta(1)).replace(day=day)
            case "month_day" if day is not None:
                yield from self._dated(day, month, year, today, weekday)
            case "weekday_day" if day is not None:
                # Nobody means a day more than two months away.
                fit = (each for each in _coming(today, 62) if each.day == day and each.weekday() == weekday)
                yield from islice(fit, 1)

    def _day(self, text: str) -> int | None:
        """Return the number of a day of the month. A form may cut off the ending of an ordinal, so all endings are
        tried.
        """
        if text in self._words.articles:  # 'a', or 'and' without an ending
            return None
        ordinals = (read_ordinal_word(f"{text}{ending}", self._words) for ending in ("", "st", "nd", "rd"))
        number = next((own for own in ordinals if own is not None), None) or read_whole_number(
            text.strip(), self._words
        )
        return int(number) if number is not None and number.denominator == 1 and 1 <= number <= 31 else None

    def _counted(self, found: dict[str, str | None], weekday: int | None, today: date) -> Iterator[date]:
        """Yield the days at a distance from today, from the coming weekday, or from a day with a name."""
        days = [today + timedelta(self._words.days[found.get("relative") or ""])] if found.get("relative") else [today]
        if weekday is not None:
            near = today + timedelta((weekday - today.weekday()) % 7)
            days = [near, near + timedelta(7)] if near == today else [near]  # both may be meant
        unit, count = found.get("unit"), found.get("n")
        if not unit:
            yield from days
            return
        number = read_whole_number(count.strip(), self._words) if count else Fraction(1)
        if number is not None and number.denominator == 1 and number <= 10_000:
            yield from (later for own in days if (later := _later(own, int(number), self._words.units[unit])))

    @staticmethod
    def _dated(day: int, month: int, year: int | None, today: date, weekday: int | None) -> Iterator[date]:
        """Yield the day of a year. Without a year it is the next such day, or the last one if only that fits the
        weekday.
        """
        found = date(year, month, day) if year is not None else _next_one(day, month, today)
        if weekday is None or found.weekday() == weekday:
            yield found
        elif year is None and (month, day) != (2, 29):
            last = date(found.year - 1, month, day)
            if last.weekday() == weekday:
                yield last


def _next_one(day: int, month: int, today: date) -> date:
    for year in range(today.year, today.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:  # The 29th of February is not in every year.
            continue
        if found >= today:
            return found
    raise ValueError("there is no such day")


def _later(day: date, count: int, unit: str) -> date | None:
    if unit in ("day", "week"):
        return day + timedelta(count * (7 if unit == "week" else 1))
    if unit not in ("month", "year"):
        return None
    years, month = divmod(day.month - 1 + count * (1 if unit == "month" else 12), 12)
    first = date(day.year + years, month + 1, 1)
    return first.replace(day=min(day.day, _last(first).day))


def _coming(today: date, count: int) -> Iterator[date]:
    return (today + timedelta(distance) for distance in range(count))


def _last(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


_DAY, _HALF_DAY = 1440, 720
_SHIFTS = {
    "half_past": 30,
    "half_to": -30,
    "past_half": -30,
    "to_half": -30,
    "three_quarters_to": -15,
    "quarter_to_next": -45,
}
"""The minutes that a form adds to the hour that it names: `halb drei` is half an hour before three."""


class TimeReader:
    """A `TimeReader` reads times of day in the words of one language."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._forms = words.forms(words.clocks)
        self._parts = sorted(words.parts, key=len, reverse=True)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the minutes since midnight that a folded text can mean, the likeliest first, or ().

        A time of twelve hours without its half of the day can be in either half; the written one comes first.
        """
        clock, part = (text, None) if text in self._words.times else self._parted(text)
        if clock in self._words.times:
            return (self._words.times[clock],)
        if self._without_hour_words(text) in self._words.articles and not self._words.article_is_hour:
            return ()  # 'a la una' is a time, and 'at a' is none
        return tuple(dict.fromkeys(self._told(clock, part)))

    def _parted(self, text: str) -> tuple[str, str | None]:
        """Return the time without its part of the day, and that part."""
        for word in self._parts:
            before, behind = text.removesuffix(word), text.removeprefix(f"{word} ")
            # Letters like `pm` may stand directly behind a digit.
            if before != text and (before.endswith((" ", ",")) or (len(word) <= 4 and before[-1:].isdigit())):
                return before.strip(" ,"), self._words.parts[word]
            if behind != text:
                return self._without_hour_words(behind).strip(" ,"), self._words.parts[word]
        return text, None

    def _without_hour_words(self, text: str) -> str:
        """Return a time without the word before its hour: 6 for `at 6` and `las 6`."""
        own = next((own for own in self._words.hour_words if text.startswith(f"{own} ")), None)
        return text if own is None else text[len(own) + 1 :]

    def _told(self, text: str, part: str | None) -> Iterator[int]:
        for name, form in self._forms:
            match = form.fullmatch(text)
            if match is None:
                continue
            found = match.groupdict()
            hour = self._below(25, self._without_hour_words(found["n"].strip()))
            minute = self._minutes(name, found["m"].strip()) if "m" in found else 0
            if hour is None or minute is None:
                continue
            total = hour * 60 + _SHIFTS.get(name, 0) + (-minute if name.startswith("to") else minute)
            if hour == 24 and total != _DAY:
                continue
            # A leading zero, or an hour from thirteen on, means a clock of twenty-four hours.
            certain = found["n"].startswith("0") or hour > 12 or hour == 0 or name == "military"
            yield from _halves(total % _DAY, part, certain=certain, hour=hour)
            return

    def _minutes(self, name: str, text: str) -> int | None:
        minutes = self._words.quarters.get(text)
        number = self._below(60, text) if minutes is None else minutes
        is_two_numbers = name == "hour_minute" and minutes is None and not text.isdigit() and (number or 0) < 10
        return None if is_two_numbers else number  # 'one oh four' is a time, and 'one four' is none

    def _below(self, end: int, text: str) -> int | None:
        number = read_whole_number(text, self._words)
        return int(number) if number is not None and number.denominator == 1 and 0 <= number < end else None


def _halves(total: int, part: str | None, *, certain: bool, hour: int) -> Iterator[int]:
    if part is None:
        yield total
        if not certain:
            yield (total + _HALF_DAY) % _DAY
        return
    if certain and hour > 12:
        # The part of the day has to agree with an hour of twenty-four.
        if (part == "morning") is (total < _HALF_DAY) or part == "night":
            yield total
        return
    small = total % _HALF_DAY
    is_early = {
        "morning": True,
        "noon": small >= 240,
        "night": (small < 300 and hour != 12) or small < 60,
    }.get(part, False)
    yield small if is_early else small + _HALF_DAY
