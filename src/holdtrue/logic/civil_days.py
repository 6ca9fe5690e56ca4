"""Compute with days and months of the Gregorian calendar by whole-number division, for Python's numbers and for terms.

Day 1 is 0001-01-01. Month 0 is March of the year 0, so that a leap day is the last day of a year here.
Source: H. Hinnant, "chrono-compatible low-level date algorithms".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TO_MARCH = 305
_DAYS_OF_400_YEARS = 146_097


@dataclass(frozen=True, slots=True)
class CivilDays:
    """A `CivilDays` has the functions of the calendar over one kind of numbers.

    `div` divides by a positive whole number and rounds down. `least` returns the smaller of two numbers.
    """

    div: Callable[[Any, int], Any]
    least: Callable[[Any, Any], Any]

    def first_day(self, month: Any) -> Any:
        """Return the first day of a month."""
        year = self.div(month, 12)
        leap_days = self.div(year, 4) - self.div(year, 100) + self.div(year, 400)
        return 365 * year + leap_days + self.div(153 * (month - 12 * year) + 2, 5) - _TO_MARCH

    def civil(self, day: Any) -> tuple[Any, Any, Any]:
        """Return the year, day of the year and month of a day; years begin in March, days and months at 0."""
        since = day + _TO_MARCH
        era = self.div(since, _DAYS_OF_400_YEARS)
        rest = self.rest(since, _DAYS_OF_400_YEARS)
        leap_days = self.div(rest, 1_460) - self.div(rest, 36_524) + self.div(rest, 146_096)
        year = self.div(rest - leap_days, 365)
        of_year = rest - (365 * year + self.div(year, 4) - self.div(year, 100))
        return year + 400 * era, of_year, self.div(5 * of_year + 2, 153)

    def rest(self, number: Any, by: int) -> Any:
        """Return the remainder of a division."""
        return number - by * self.div(number, by)

    def month(self, day: Any) -> Any:
        """Return the month of a day."""
        year, _, month = self.civil(day)
        return 12 * year + month

    def later(self, day: Any, months: int) -> Any:
        """Return the day that is `months` later, or the last day of that month if the month is too short."""
        month = self.month(day)
        same = self.first_day(month + months) - self.first_day(month) + day
        return self.least(same, self.first_day(month + months + 1) - 1)

    def year_of(self, day: Any) -> Any:
        """Return the year of a day."""
        month = self.month(day)
        year = self.div(month, 12)
        return year + self.div(month - 12 * year, 10)

    def month_of(self, day: Any) -> Any:
        """Return the month of a day within its year, from 1."""
        month = self.month(day)
        of_year = month - 12 * self.div(month, 12)
        return of_year + 3 - 12 * self.div(of_year, 10)

    def day_of(self, day: Any) -> Any:
        """Return the day within its month, from 1."""
        return day - self.first_day(self.month(day)) + 1

    def weekday_of(self, day: Any) -> Any:
        """Return the weekday of a day; Monday is 1."""
        return day - 7 * self.div(day - 1, 7)

    def part(self, name: str, day: Any) -> Any:
        """Return a part of a day by its name: `year_of`, `month_of`, `day_of` or `weekday_of`."""
        parts = {
            "year_of": self.year_of,
            "month_of": self.month_of,
            "day_of": self.day_of,
            "weekday_of": self.weekday_of,
        }
        return parts[name](day)


EXACT = CivilDays(lambda number, by: number // by, min)
"""The calendar over Python's integers."""
