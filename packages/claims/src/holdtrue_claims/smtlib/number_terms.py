"""Terms of SMT-LIB for exact numbers: literals, multiples, quotients, least and greatest values, and the calendar.

Months that are added to a day, and the year, month and day that it is in, are SMT-LIB definitions. They are written by
`logic.civil_days` over terms in place of numbers, so that they are the very same divisions. A definition names those
that it needs, which keeps each short.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holdtrue.logic.civil_days import CivilDays
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.typed_terms import apply_operator


def exact(value: Fraction) -> smt.SmtTerm:
    """Return a number: whole where it is, else a decimal, or a quotient where it has no end as a decimal."""
    if value.denominator == 1:
        return smt.number(value.numerator)
    size, rest = abs(value), value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    found: smt.SmtTerm = smt.Literal(size, smt.REAL)
    if rest != 1:
        sides = (smt.Literal(Fraction(size.numerator), smt.REAL), smt.Literal(Fraction(size.denominator), smt.REAL))
        found = smt.Operation("/", sides, smt.REAL)
    return found if value > 0 else smt.Operation("-", (found,), smt.REAL)


def real(term: smt.SmtTerm) -> smt.SmtTerm:
    """Return a number as a real one; a written one becomes a decimal."""
    match term:
        case smt.Literal(value, smt.INT):
            return smt.Literal(Fraction(value), smt.REAL)
        case smt.Operation("-", (smt.Literal() as size,), smt.INT):
            return smt.Operation("-", (real(size),), smt.REAL)
    return apply_operator("to_real", [term]) if term.sort == smt.INT else term


def operated(op: str, *terms: smt.SmtTerm) -> smt.SmtTerm:
    """Return an operation of numbers, all of them real where one is; a single summand or factor is itself."""
    if len(terms) == 1 and op in ("+", "*"):
        return terms[0]
    mixed = any(term.sort == smt.REAL for term in terms)
    return apply_operator(op, [real(term) if mixed and term.sort == smt.INT else term for term in terms])


def scaled(term: smt.SmtTerm, factor: Fraction) -> smt.SmtTerm:
    """Return a multiple, which stays whole where it can."""
    if factor == 1:
        return term
    return operated("*", exact(factor), term)


def least(one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    """Return the smaller one of two numbers, by a definition of `CHOSEN`."""
    return _of_two(*LEAST, one, other)


def greatest(one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    """Return the greater one of two numbers, by a definition of `CHOSEN`."""
    return _of_two(*GREATEST, one, other)


def absolute(term: smt.SmtTerm) -> smt.SmtTerm:
    """Return a number without its sign."""
    return apply_operator("abs", [term]) if term.sort == smt.INT else smt.Call(ABSOLUTE.function, (term,))


def _of_two(whole: smt.Definition, of_reals: smt.Definition, one: smt.SmtTerm, other: smt.SmtTerm) -> smt.Call:
    if one.sort == other.sort == smt.INT:
        return smt.Call(whole.function, (one, other))
    return smt.Call(of_reals.function, (real(one), real(other)))


def _choice(name: str, op: str, sort: smt.SmtSort) -> smt.Definition:
    one, other = smt.Local("one", sort), smt.Local("other", sort)
    body = apply_operator("ite", [apply_operator(op, [one, other]), one, other])
    return smt.Definition(smt.Function(name, (sort, sort), sort), (one, other), body)


def _absolute() -> smt.Definition:
    number = smt.Local("number", smt.REAL)
    positive = apply_operator(">=", [number, smt.Literal(Fraction(0), smt.REAL)])
    body = apply_operator("ite", [positive, number, apply_operator("-", [number])])
    return smt.Definition(smt.Function("absolute value", (smt.REAL,), smt.REAL), (number,), body)


LEAST = (_choice("lesser whole number", "<=", smt.INT), _choice("lesser number", "<=", smt.REAL))
GREATEST = (_choice("greater whole number", ">=", smt.INT), _choice("greater number", ">=", smt.REAL))
ABSOLUTE = _absolute()
CHOSEN = (*LEAST, *GREATEST, ABSOLUTE)
"""The definitions that these terms need: of the smaller and the greater one, and of a number without its sign."""


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
CALENDAR_PARTS = {
    "year_of": _defined("year of day", _BY_NAME.year_of(_Whole(_DAY)), _DAY),
    "month_of": _defined("month in year", _BY_NAME.month_of(_Whole(_DAY)), _DAY),
    "day_of": _defined("day in month", _BY_NAME.day_of(_Whole(_DAY)), _DAY),
    "weekday_of": _defined("day in week", _BY_NAME.weekday_of(_Whole(_DAY)), _DAY),
}
"""What a day, as the number of its day, has by the name of the operation of sentences."""
CALENDAR = (FIRST_DAY, MONTH, LATER, *CALENDAR_PARTS.values())
"""All definitions, each after those that it needs."""
