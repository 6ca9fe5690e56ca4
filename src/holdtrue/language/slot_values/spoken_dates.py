"""Read a whole text as a date, relative to a day: every day that it can mean, or none."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction

from holdtrue.language.slot_values.language_words import Words
from holdtrue.language.slot_values.spoken_numbers import read_whole_number

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DIGITS = re.compile(r"(?:[a-z]{2,12}\.?,? )?(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2})|\2)?")
_DAYS = {"day": 1, "week": 7}
_NEXT = ("next", "nach", "naec", "prox", "mes ", "the ")
"""How the words begin that mean the next month."""


class DateReader:
    """A `DateReader` reads dates in the words of one language."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._forms = words.forms(words.dates)
        self._meant: Mapping[str, Callable[[dict[str, str], date], Iterator[date]]] = {
            "relative": self._relative,
            "in_units": self._in_units,
            "after": self._after,
            "this_weekday": self._this_weekday,
            "next_weekday": self._next_weekday,
            "weekday_this_week": self._weekday_this_week,
            "weekday_next_week": self._weekday_next_week,
            "day_of_month": self._day_of_month,
            "month_day": self._month_day,
            "weekday_day": self._weekday_day,
            "last_of_month": self._last_of_month,
        }

    def read(self, text: str, today: date) -> tuple[date, ...]:
        """Return the days that a folded text can mean, the likeliest first; none where it is no exact date."""
        try:
            found = [*self._in_digits(text, today)]
            for name, form in self._forms:
                match = None if found else form.fullmatch(text)
                if match is not None:
                    found += self._meant[name](match.groupdict(), today)
            return tuple(dict.fromkeys(found))
        except (ValueError, OverflowError):  # A day that no calendar shows.
            return ()

    def _in_digits(self, text: str, today: date) -> Iterator[date]:
        if (match := _ISO.fullmatch(text)) is not None:
            yield date(*map(int, match.groups()))
        elif (match := _DIGITS.fullmatch(text)) is not None:
            one, two = int(match[1]), int(match[3])
            if match[2] == "." and not self._words.day_first:
                return
            day, month = (one, two) if self._words.day_first or one > 12 else (two, one)
            weekday = self._words.weekdays.get(text.split()[0].strip(",.")) if " " in text else None
            if " " in text and weekday is None:
                return
            year = None if match[4] is None else int(match[4]) + (2000 if len(match[4]) == 2 else 0)
            yield from self._dated(day, month, year, today, weekday)

    def _number(self, text: str | None) -> Fraction | None:
        return None if text is None else read_whole_number(text.strip(), self._words)

    def _day(self, text: str) -> int | None:
        # The pattern of a day takes the ending of 'first' for that of '1st'.
        written = (text, *(f"{text}{ending}" for ending in ("st", "nd", "rd")))
        own = next((self._words.ordinals[each] for each in written if each in self._words.ordinals), None)
        if text in self._words.articles:  # 'a', and what is left of 'and' without an ending
            return None
        number = Fraction(own) if own is not None else self._number(text)
        return int(number) if number is not None and number.denominator == 1 and 1 <= number <= 31 else None

    def _relative(self, found: dict[str, str], today: date) -> Iterator[date]:
        yield today + timedelta(self._words.days[found["relative"]])

    def _in_units(self, found: dict[str, str], today: date) -> Iterator[date]:
        yield from self._later(today, found)

    def _after(self, found: dict[str, str], today: date) -> Iterator[date]:
        if found.get("relative"):
            yield from self._later(today + timedelta(self._words.days[found["relative"]]), found)
            return
        for own in self._coming(self._words.weekdays[found["weekday"]], today):
            yield from self._later(own, found)

    def _later(self, day: date, found: dict[str, str]) -> Iterator[date]:
        unit = self._words.units.get(found["unit"].strip(), "week")
        number = self._number(found["n"]) if found.get("n") else Fraction(1)
        if number is None or number.denominator != 1 or number > 10_000:
            return
        count = int(number)
        if unit in _DAYS:
            yield day + timedelta(count * _DAYS[unit])
        elif unit in ("month", "year"):
            months = day.month - 1 + count * (1 if unit == "month" else 12)
            year, month = day.year + months // 12, months % 12 + 1
            yield day.replace(year=year, month=month, day=min(day.day, calendar.monthrange(year, month)[1]))

    @staticmethod
    def _coming(weekday: int, today: date) -> tuple[date, ...]:
        """Return the next such day; on the day itself both are meant."""
        near = today + timedelta((weekday - today.weekday()) % 7)
        return (near, near + timedelta(7)) if near == today else (near,)

    def _this_weekday(self, found: dict[str, str], today: date) -> Iterator[date]:
        yield from self._coming(self._words.weekdays[found["weekday"]], today)

    def _next_weekday(self, found: dict[str, str], today: date) -> Iterator[date]:
        """Return the coming one and that of the week behind it, which people mean as well where the first is near."""
        near = today + timedelta((self._words.weekdays[found["weekday"]] - today.weekday() - 1) % 7 + 1)
        yield near
        if near - today < timedelta(7):
            yield near + timedelta(7)

    def _weekday_this_week(self, found: dict[str, str], today: date) -> Iterator[date]:
        yield today + timedelta(self._words.weekdays[found["weekday"]] - today.weekday())

    def _weekday_next_week(self, found: dict[str, str], today: date) -> Iterator[date]:
        yield today + timedelta(self._words.weekdays[found["weekday"]] - today.weekday() + 7)

    def _day_of_month(self, found: dict[str, str], today: date) -> Iterator[date]:
        day = self._day(found["day"])
        if day is None:
            return
        which = found["next"] or ""
        first = today.replace(day=1)
        if which:
            behind = which.startswith(_NEXT) and which != "mes actual"
            yield (_next_month(first) if behind else first).replace(day=day)
            return
        if self._words.language == "en" and found["day"].isalpha() and found["day"] not in self._words.ordinals:
            return  # 'the one' is no day, and 'el uno' is one.
        for _ in range(3):
            if day <= calendar.monthrange(first.year, first.month)[1] and first.replace(day=day) >= today:
                yield first.replace(day=day)
                return
            first = _next_month(first)

    def _month_day(self, found: dict[str, str], today: date) -> Iterator[date]:
        day = self._day(found["day"])
        weekday = found.get("weekday") or found.get("weekday2")
        if day is not None:
            year = int(found["year"]) if found["year"] else None
            own = self._words.weekdays[weekday] if weekday else None
            yield from self._dated(day, self._words.months[found["month"]], year, today, own)

    def _weekday_day(self, found: dict[str, str], today: date) -> Iterator[date]:
        """Return the next day of a month that is such a weekday, within two months: later than that none is meant."""
        day, weekday = self._day(found["day"]), self._words.weekdays[found["weekday"]]
        for distance in range(62):
            own = today + timedelta(distance)
            if own.day == day and own.weekday() == weekday:
                yield own
                return

    def _last_of_month(self, found: dict[str, str], today: date) -> Iterator[date]:
        month = self._words.months[found["month"]] if found.get("month") else today.month
        year = int(found["year"]) if found.get("year") else today.year + (month < today.month)
        yield date(year, month, calendar.monthrange(year, month)[1])

    @staticmethod
    def _dated(day: int, month: int, year: int | None, today: date, weekday: int | None) -> Iterator[date]:
        """Return a day of a year; without a year it is the next one, or the last one if only that is such a weekday."""
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


def _next_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)
