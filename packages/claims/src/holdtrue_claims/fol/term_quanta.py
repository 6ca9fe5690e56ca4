"""Find of which number of base units a term is worth a multiple for sure, whatever the situation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd

from holdtrue.logic.units import DAY
from holdtrue.logic.value_sorts import DATE, Amount, Instant, ValueSort
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.term_sorts import SortError, TermSorts, months_in
from holdtrue_claims.fol.value_windows import step_of, worth_of

Bindings = Mapping[str, str]


def is_on_grid(term: fol.Term, sort: ValueSort, bound: Bindings, sorts: TermSorts) -> bool:
    """Return whether a term is, for sure, worth a multiple of the step of a sort, be it inside of a day or not."""
    try:
        own = sorts.sort(term, bound)
    except SortError:
        return False
    if isinstance(own, Amount) and isinstance(sort, Amount):
        alike = own.unit.dimension == sort.unit.dimension
    else:
        alike = own == sort
    step, quantum = step_of(sort), _quantum(term, bound, sorts)
    return alike and (step is None or (quantum is not None and (quantum / step).denominator == 1))


def _quantum(term: fol.Term, bound: Bindings, sorts: TermSorts) -> Fraction | None:
    """Return a number of base units of which a term is worth a multiple for sure; None where there is none."""
    parts = [own for own in fol.parts(term) if isinstance(own, fol.Term)]
    match term:
        case fol.Number():
            return abs(worth_of(term))
        case fol.Bound() | fol.Apply() | Instant():
            own = sorts.sort(term, bound)
            return None if isinstance(own, str) else step_of(own)
        case fol.Plus(summed):
            dated = sorts.sort(term, bound) == DATE
            return _common(
                _times(Fraction(factor), _quantum(part, bound, sorts))
                for factor, part in summed
                if not dated or months_in(part) is None
            )
        case fol.Times(left, right):
            return _times(_quantum(left, bound, sorts), _quantum(right, bound, sorts))
        case fol.Operation("min" | "max" | "abs") | fol.Choice():
            return _common(_quantum(part, bound, sorts) for part in parts)
        case fol.Operation("floor" | "ceil" | "div" | "year_of" | "month_of" | "day_of" | "weekday_of") | fol.Count():
            return Fraction(1)
        case fol.Operation("date_of"):
            return DAY.factor
    return None


def _times(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else abs(one * other)


def _common(quanta: Iterable[Fraction | None]) -> Fraction | None:
    """Return the greatest common divisor."""
    found = Fraction(0)
    for own in quanta:
        if own is None:
            return None
        whole = found.denominator * own.denominator
        found = Fraction(gcd(int(found * whole), int(own * whole)), whole)
    return found
