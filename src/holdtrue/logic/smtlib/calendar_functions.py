"""The calendar as SMT-LIB definitions: months that are added to a day, and the year, month and day that it is in.

They are written by `logic.civil_days` over terms in place of numbers, so that they are the very same divisions. A
definition names those that it needs, which keeps each short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.logic.civil_days import CivilDays
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.operators import apply_operator


@dataclass(frozen=True, slots=True)
class _Whole:
    """A term of whole numbers, with the operators that the calendar asks of numbers."""

    term: smt.SmtTerm

    def __add__(self, other: Any) -> _Whole:
        return _operated("+", self, other)

    def __sub__(self, other: Any) -> _Whole:
        return _operated("-", self, other)

    def __rmul__(self, other: int) -> _Whole:
        return _operated("*", other, self)


def _operated(op: str, *sides: Any) -> _Whole:
    terms = [side.term if isinstance(side, _Whole) else smt.number(side) for side in sides]
    return _Whole(apply_operator(op, terms))


def _least(one: _Whole, other: _Whole) -> _Whole:
    return _Whole(apply_operator("ite", [apply_operator("<=", [one.term, other.term]), one.term, other.term]))


class _Named(CivilDays):
    """The calendar in which the first day of a month, and the month of a day, are functions that are defined."""

    def first_day(self, month: Any) -> Any:
        return _Whole(smt.Call(FIRST_DAY.function, (month.term,)))

    def month(self, day: Any) -> Any:
        return _Whole(smt.Call(MONTH.function, (day.term,)))


_DIVIDE = (lambda number, by: _operated("div", number, by), _least)
_PLAIN, _BY_NAME = CivilDays(*_DIVIDE), _Named(*_DIVIDE)
_DAY, _MONTHS = smt.Local("day", smt.INT), smt.Local("months", smt.INT)


def _defined(name: str, body: _Whole, *parameters: smt.Local) -> smt.Definition:
    function = smt.Function(name, tuple(own.sort for own in parameters), smt.INT)
    return smt.Definition(function, parameters, body.term)


FIRST_DAY = _defined("first day of month", _PLAIN.first_day(_Whole(_MONTHS)), _MONTHS)
MONTH = _defined("month of day", _PLAIN.month(_Whole(_DAY)), _DAY)
LATER = _defined("months later", _BY_NAME.later(_Whole(_DAY), _Whole(_MONTHS)), _DAY, _MONTHS)  # type: ignore[arg-type]
PARTS = {
    "year_of": _defined("year of day", _BY_NAME.year_of(_Whole(_DAY)), _DAY),
    "month_of": _defined("month in year", _BY_NAME.month_of(_Whole(_DAY)), _DAY),
    "day_of": _defined("day in month", _BY_NAME.day_of(_Whole(_DAY)), _DAY),
    "weekday_of": _defined("day in week", _BY_NAME.weekday_of(_Whole(_DAY)), _DAY),
}
"""What a day, as the number of its day, has by the name of the operation of sentences."""
CALENDAR = (FIRST_DAY, MONTH, LATER, *PARTS.values())
"""All definitions, each after those that it needs."""
