"""The calendar in z3: what a month adds to a day, and the year, the month and the day of the month of a day.

Written out by divisions these take a solver minutes. So each is a function of which is stated what holds of it near
the days that are named, and what a situation gets wrong is corrected: the true value for that day is stated, and z3 is
asked again. Every such statement is true, so that what follows from them follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from holdtrue.logic.civil_days import EXACT

_MONTHS_DIFFER = 5
"""So many days, at most, a sum of months is from what as many months of one length would be."""
_MOST = 31
"""So many days a month has at most."""


class CalendarFunctions:
    """`CalendarFunctions` apply functions of the calendar to days; `state` takes what has to hold of them."""

    def __init__(self, context: Any, state: Callable[[Any], None]) -> None:
        self._context, self._state = context, state
        self._days: dict[int, None] = {}
        self._applied: dict[tuple[str, int], dict[int, Any]] = {}

    def name_day(self, day: int) -> None:
        """Take notice of a day that sentences name: near it the functions are known."""
        for near in (day - 1, day, day + 1):
            if near in self._days:
                continue
            self._days[near] = None
            for (name, months), places in self._applied.items():
                self._fix(name, months, near)
                for place in places.values():
                    self._compare(name, months, place, near)

    def later(self, day: Any, months: int) -> Any:
        """Return the day so many months later."""
        found = self._apply("later", day, months)
        if not z3.is_int_value(day):
            # 400 years are 146,097 days and 4,800 months, and no sum of months is further than 4.4 days from that.
            about = 4_800 * (found - day) - 146_097 * months
            self._state(z3.And(about >= -4_800 * _MONTHS_DIFFER, about <= 4_800 * _MONTHS_DIFFER))
        return found

    def part(self, name: str, day: Any) -> Any:
        """Return the `year_of`, `month_of`, `day_of` or `weekday_of` a day."""
        if name == "weekday_of":
            return day - 7 * ((day - 1) / 7)
        found = self._apply(name, day, 0)
        if name == "year_of" and not z3.is_int_value(day):
            # A year begins no further than 1.5 days from where years of 365.2425 days would.
            since = 400 * (day - 1) - 146_097 * (found - 1)
            self._state(z3.And(since >= -400 * 2, since <= 146_097 + 400 * 2))
        elif not z3.is_int_value(day):
            self._state(z3.And(found >= 1, found <= (12 if name == "month_of" else _MOST)))
        return found

    def corrections(self, model: Any) -> list[Any]:
        """Return what is true of functions for the days for which a model has other values.

        What is stated holds for all days of the month, or of the year for `year_of`, that the wrong day is in.
        """
        found = []
        for (name, months), places in self._applied.items():
            for place in list(places.values()):
                day = model.eval(place, model_completion=True)
                value = model.eval(self._function(name, months)(place), model_completion=True)
                if z3.is_int_value(day) and z3.is_int_value(value):
                    exact = _exact(name, months, day.as_long())
                    if exact != value.as_long():
                        found += [self._law(name, months, day.as_long(), each) for each in places.values()]
                        found.append(self._function(name, months)(day) == exact)
        return found

    def _law(self, name: str, months: int, near: int, place: Any) -> Any:
        """Return what is true of a place if it is a day of the same month as another day, or of the same year."""
        value, month = self._function(name, months)(place), EXACT.month(near)
        first, last = EXACT.first_day(month), EXACT.first_day(month + 1) - 1
        if name == "year_of":
            # The year begins ten months behind March of the year before.
            january = 12 * (EXACT.year_of(near) - 1) + 10
            first, last = EXACT.first_day(january), EXACT.first_day(january + 12) - 1
            true = value == EXACT.year_of(near)
        elif name == "month_of":
            true = value == EXACT.month_of(near)
        elif name == "day_of":
            true = value == place - first + 1
        else:
            then, end = EXACT.first_day(month + months), EXACT.first_day(month + months + 1) - 1
            true = value == z3.If(place - first + then <= end, place - first + then, end)
        return z3.Implies(z3.And(place >= first, place <= last), true)

    def _apply(self, name: str, day: Any, months: int) -> Any:
        day = z3.simplify(day)
        if z3.is_int_value(day):
            return z3.IntVal(_exact(name, months, day.as_long()), self._context)
        places = self._applied.setdefault((name, months), {})
        if not places:
            for known in self._days:
                self._fix(name, months, known)
        if day.get_id() not in places:
            places[day.get_id()] = day
            for known in self._days:
                self._compare(name, months, day, known)
        return self._function(name, months)(day)

    def _function(self, name: str, months: int) -> Any:
        whole = z3.IntSort(self._context)
        return z3.Function(f"{name} {months}", whole, whole)

    def _fix(self, name: str, months: int, day: int) -> None:
        self._state(self._function(name, months)(z3.IntVal(day, self._context)) == _exact(name, months, day))

    def _compare(self, name: str, months: int, place: Any, day: int) -> None:
        if name not in ("month_of", "day_of"):
            self._state(self._ordered(name, months, place, day))

    def _ordered(self, name: str, months: int, place: Any, day: int) -> Any:
        """A later day has no earlier year, and is not before another one so many months later."""
        value, exact = self._function(name, months)(place), _exact(name, months, day)
        return z3.And(z3.Implies(place <= day, value <= exact), z3.Implies(place >= day, value >= exact))


def _exact(name: str, months: int, day: int) -> int:
    return int(EXACT.later(day, months) if name == "later" else EXACT.part(name, day))
