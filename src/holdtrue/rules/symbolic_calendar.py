"""Express the parts of unknown dates and moments as terms over whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from holdtrue.logic.civil_days import CivilDays
from holdtrue.logic.formula import Constant, Formula, Quotient, Remainder, Sum, Term, ite, least
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.local_clocks import YEAR, changes_of
from holdtrue.rules.symbolic_choice import Valued
from holdtrue.rules.symbolic_values import (
    TRUE,
    NotSayable,
    Num,
    added,
    compared,
    conj,
    disj,
    neg,
    number,
    rounded_down,
    scaled,
)
from holdtrue.rules.types import Type, without_null
from holdtrue.rules.unknowns import LAST_DAY, MOST_PARTS, Unknowns


class _CivilTerms(CivilDays):
    """This is `CivilDays` over terms; it uses the remainder that terms have."""

    def rest(self, number: Term, by: int) -> Term:
        return Remainder(number, Constant(by))


_CALENDAR = _CivilTerms(lambda number, by: Quotient(number, Constant(by)), least)


def zone_of(type: Type) -> str:
    """Return the zone of a type of moments."""
    own = without_null(type)
    return own.zone if isinstance(own, Calendar) else ""


def clock_of(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the reading of the clocks of a place at a moment."""
    own, place = number(args[0]), zone_of(node.args[0].type)
    offsets = _offsets(unknowns, node, place, own)
    return added(own, Num(_piecewise(own, changes_of(place).starts, offsets), Fraction(1))), TRUE


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
    return added(own, Num(_piecewise(own, starts, offsets), Fraction(1)), -1), conj(once)


def _before(own: Num, second: int) -> Formula:
    """Return a formula that is true if a number of seconds is less than `second`."""
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
    return added(args[0], Num(scaled(rounded_down(args[0], 86_400), 86_400), Fraction(1)), -1), TRUE


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
    """Return the year, day of year and month of a day number, and a formula that is true within the calendar.

    Years begin in March, as in `CivilDays.civil`.
    """
    date = number(value).term
    there = conj((compared("<=", Constant(1), date), compared("<=", date, Constant(LAST_DAY))))
    return (*_CALENDAR.civil(Sum(((1, date),))), there)


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
