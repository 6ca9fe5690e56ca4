"""Days and months of the calendar by whole-number division alone, for numbers of Python and of solvers alike.

A day is the number of days since 0001-01-01, which is 1; a month the number of months since March of the year 0, which
is 0, so that the day that leap years add is the last one of a year. The Gregorian calendar holds at all times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TO_MARCH = 305
_DAYS_OF_400_YEARS = 146_097


@dataclass(frozen=True, slots=True)
class CivilDays:
    """`div` divides by a whole number and rounds down; `least` gives the smaller one of two numbers."""

    div: Callable[[Any, int], Any]
    least: Callable[[Any, Any], Any]

    def first_day(self, month: Any) -> Any:
        """Return the first day of a month."""
        year = self.div(month, 12)
        leap_days = self.div(year, 4) - self.div(year, 100) + self.div(year, 400)
        return 365 * year + leap_days + self.div(153 * (month - 12 * year) + 2, 5) - _TO_MARCH

    def month(self, day: Any) -> Any:
        """Return the month that a day is in."""
        since = day + _TO_MARCH
        era = self.div(since, _DAYS_OF_400_YEARS)
        rest = since - _DAYS_OF_400_YEARS * era
        leap_days = self.div(rest, 1_460) - self.div(rest, 36_524) + self.div(rest, 146_096)
        year = self.div(rest - leap_days, 365)
        of_year = rest - (365 * year + self.div(year, 4) - self.div(year, 100))
        return 12 * (year + 400 * era) + self.div(5 * of_year + 2, 153)

    def later(self, day: Any, months: int) -> Any:
        """Return the day so many months later, or the last day of that month where it is too short."""
        month = self.month(day)
        same = self.first_day(month + months) - self.first_day(month) + day
        return self.least(same, self.first_day(month + months + 1) - 1)

    def year_of(self, day: Any) -> Any:
        """Return the year of a day."""
        month = self.month(day)
        year = self.div(month, 12)
        return year + self.div(month - 12 * year, 10)

    def month_of(self, day: Any) -> Any:
        """Return the month of a day in its year, from 1."""
        month = self.month(day)
        of_year = month - 12 * self.div(month, 12)
        return of_year + 3 - 12 * self.div(of_year, 10)

    def day_of(self, day: Any) -> Any:
        """Return the day of its month, from 1."""
        return day - self.first_day(self.month(day)) + 1

    def weekday_of(self, day: Any) -> Any:
        """Return the day of its week; Monday is 1."""
        return day - 7 * self.div(day - 1, 7)

    def part(self, name: str, day: Any) -> Any:
        """Return the part of a day that is called `year_of`, `month_of`, `day_of` or `weekday_of`."""
        parts = {
            "year_of": self.year_of,
            "month_of": self.month_of,
            "day_of": self.day_of,
            "weekday_of": self.weekday_of,
        }
        return parts[name](day)


EXACT = CivilDays(lambda number, by: number // by, min)
"""The calendar of Python's whole numbers."""
