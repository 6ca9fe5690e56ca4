"""Express the parts of unknown dates and moments as terms over whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from holdtrue.logic.formula import Constant, Formula, Quotient, Remainder, Sum, Term, ite
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.local_clocks import YEAR, changes_of
from holdtrue.rules.symbolic_choice import Valued
from holdtrue.rules.symbolic_values import (
    TRUE,
    NotSayable,
    Num,
    compared,
    conj,
    disj,
    neg,
    number,
    rounded_down,
    same_step,
    scaled,
)
from holdtrue.rules.types import Type, without_null
from holdtrue.rules.unknowns import LAST_DAY, MOST_PARTS, Unknowns

_MARCH_FIRST = 305
"""The day number of 0000-03-01 is -305. Years begin in March here, so that the leap day is the last day."""
_ERA = 146_097
"""The number of days in 400 years."""


def zone_of(type: Type) -> str:
    """Return the zone of a type of moments."""
    own = without_null(type)
    return own.zone if isinstance(own, Calendar) else ""


def clock_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the reading of the clocks of a place at a moment."""
    own, place = number(args[0]), zone_of(node.args[0].type)
    offsets = _offsets(unknowns, node, place, own)
    return _moved(1, own, _piecewise(own, changes_of(place).starts, offsets)), TRUE


def instant_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the instant of a reading of the clocks of a place; a reading shown twice or never is an error."""
    own, place = number(args[0]), zone_of(node.type)
    changes = changes_of(place)
    offsets, starts, once = _offsets(unknowns, node, place, own), [], []
    for start, before, after in zip(changes.starts, changes.offsets, changes.offsets[1:], strict=False):
        low, high = start + min(before, after), start + max(before, after)
        starts.append(high)
        once.append(disj((_before(own, low), neg(_before(own, high)))))
    starts.append(changes.starts[-1] + changes.offsets[-1])
    if not isinstance(offsets[-1], Constant):
        once.append(disj((_before(own, starts[-1]), unknowns.fresh_flag(f"clocks from {YEAR} on").yes)))
    return _moved(-1, own, _piecewise(own, starts, offsets)), conj(once)


def _moved(sign: int, own: Num, offset: Term) -> Num:
    left, right, step = same_step(own, Num(offset, Fraction(1)))
    return Num(Sum(((1, left), (sign, right))), step)


def _before(own: Num, second: int) -> Formula:
    """Return the formula that a number of seconds is less than `second`."""
    return compared("<", own.term, Constant(ceil(second / own.step)))


def _offsets(unknowns: Unknowns, node: t.Apply, place: str, own: Num) -> Sequence[Term]:
    """Return the offsets between changes; the last one is a bounded variable if clocks change after it."""
    changes = changes_of(place)
    low, high = changes.later
    if own.term.size > MOST_PARTS and len(changes.offsets) > 1:
        raise NotSayable("what clocks show at a moment that is computed")
    name = f"{node.operation} the offset of {place} from {YEAR} on, at {own.term}"
    later = Constant(low) if low == high else unknowns.variable("", IntSort(low, high), None, name)
    return (*map(Constant, changes.offsets), later)


def _piecewise(own: Num, starts: Sequence[int], values: Sequence[Term]) -> Term:
    """Return the piecewise term with one value before, between and after the `starts`."""
    if not starts:
        return values[0]
    middle = len(starts) // 2
    left = _piecewise(own, starts[:middle], values[: middle + 1])
    right = _piecewise(own, starts[middle + 1 :], values[middle + 1 :])
    return left if left == right else ite(_before(own, starts[middle]), left, right)


def date_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(rounded_down(args[0], 86_400) + 1, Fraction(1)), TRUE


def time_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    days = Num(scaled(rounded_down(args[0], 86_400), 86_400), Fraction(1))
    left, right, step = same_step(args[0], days)
    return Num(Sum(((1, left), (-1, right))), step), TRUE


def day_start(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    own = number(args[0])
    return Num(scaled(own.at_step(own.step) - 1, 86_400), own.step), TRUE


def weekday(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(Remainder(number(args[0]).term, Constant(7)), Fraction(1)), TRUE


def part(unit: int, size: int) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        return Num(Remainder(rounded_down(args[0], unit), Constant(size)), Fraction(1)), TRUE

    return make


def _civil(value: Any) -> tuple[Term, Term, Term, Formula]:
    """Return the year, day of year and month of a day number, and the formula that it is within the calendar.

    Years begin in March. Days and months are counted from 0.
    Source: H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    """
    date = number(value).term
    days = Sum(((1, date), (1, Constant(_MARCH_FIRST))))
    era = Quotient(days, Constant(_ERA))
    of_era = Remainder(days, Constant(_ERA))
    leaps = Quotient(of_era, Constant(1460)) - Quotient(of_era, Constant(36_524)) + Quotient(of_era, Constant(146_096))
    years = Quotient(of_era - leaps, Constant(365))
    of_year = of_era - (years * 365 + Quotient(years, Constant(4)) - Quotient(years, Constant(100)))
    month = Quotient(of_year * 5 + 2, Constant(153))
    there = conj((compared("<=", Constant(1), date), compared("<=", date, Constant(LAST_DAY))))
    return years + era * 400, of_year, month, there


def year(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the year of a date; a day outside the calendar is an error."""
    years, _, month, there = _civil(args[0])
    return Num(years + ite(compared("<=", Constant(10), month), 1, 0), Fraction(1)), there


def month(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the month of a date, from 1."""
    _, _, own, there = _civil(args[0])
    return Num(ite(compared("<=", Constant(10), own), own - 9, own + 3), Fraction(1)), there


def day(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the day of the month of a date, from 1."""
    _, of_year, own, there = _civil(args[0])
    return Num(of_year - Quotient(own * 153 + 2, Constant(5)) + 1, Fraction(1)), there


def day_of_year(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the day of the year of a date, from 1."""
    found, there = year(unknowns, node, args)
    before = found.term - 1
    leaps = Quotient(before, Constant(4)) - Quotient(before, Constant(100)) + Quotient(before, Constant(400))
    return Num(number(args[0]).term - before * 365 - leaps, Fraction(1)), there
