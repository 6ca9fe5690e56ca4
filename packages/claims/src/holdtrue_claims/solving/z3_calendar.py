"""The calendar in z3: adding months to a day, and the year, the month and the day of the month.

Written out as divisions, these functions take a solver minutes. So each is an unknown function for z3, and only facts
near the named days are stated. If a situation has a wrong value, the true value is stated and z3 is asked again. All
statements are true, so conclusions from them are valid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from holdtrue.logic.civil_days import EXACT

_MONTHS_DIFFER = 5
"""The largest difference in days between a sum of months and the same number of average months."""
_MOST = 31
"""The largest number of days of a month."""


class CalendarFunctions:
    """`CalendarFunctions` applies calendar functions to days; `state` receives the facts about them."""

    def __init__(self, context: Any, state: Callable[[Any], None]) -> None:
        self._context, self._state = context, state
        self._days: dict[int, None] = {}
        self._applied: dict[tuple[str, int], dict[int, Any]] = {}

    def name_day(self, day: int) -> None:
        """Record a day that sentences mention, and state the functions near it."""
        for near in (day - 1, day, day + 1):
            if near in self._days:
                continue
            self._days[near] = None
            for (name, months), places in self._applied.items():
                self._fix(name, months, near)
                for place in places.values():
                    self._compare(name, months, place, near)

    def later(self, day: Any, months: int) -> Any:
        """Return the day that many months later."""
        found = self._apply("later", day, months)
        if not z3.is_int_value(day):
            # 400 years have 146,097 days and 4,800 months, and a sum of months deviates from that by at most 4.4 days.
            about = 4_800 * (found - day) - 146_097 * months
            self._state(z3.And(about >= -4_800 * _MONTHS_DIFFER, about <= 4_800 * _MONTHS_DIFFER))
        return found

    def part(self, name: str, day: Any) -> Any:
        """Return the `year_of`, `month_of`, `day_of` or `weekday_of` a day."""
        if name == "weekday_of":
            return day - 7 * ((day - 1) / 7)
        found = self._apply(name, day, 0)
        if name == "year_of" and not z3.is_int_value(day):
            # A year begins at most 1.5 days from its place in a calendar with years of 365.2425 days.
            since = 400 * (day - 1) - 146_097 * (found - 1)
            self._state(z3.And(since >= -400 * 2, since <= 146_097 + 400 * 2))
        elif not z3.is_int_value(day):
            self._state(z3.And(found >= 1, found <= (12 if name == "month_of" else _MOST)))
        return found

    def corrections(self, model: Any) -> list[Any]:
        """Return true statements about the days for which a model has wrong values.

        Each statement covers the month of the wrong day, or its year for `year_of`.
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
        """Return the true statement about the day `place` under the condition that it is in the month, or year, of
        `near`.
        """
        value, month = self._function(name, months)(place), EXACT.month(near)
        first, last = EXACT.first_day(month), EXACT.first_day(month + 1) - 1
        if name == "year_of":
            # The year begins ten months after March of the previous year.
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
        """Return laws of order: a later day has no earlier year, and adding the same months to two days keeps their
        order.
        """
        value, exact = self._function(name, months)(place), _exact(name, months, day)
        return z3.And(z3.Implies(place <= day, value <= exact), z3.Implies(place >= day, value >= exact))


def _exact(name: str, months: int, day: int) -> int:
    return int(EXACT.later(day, months) if name == "later" else EXACT.part(name, day))
