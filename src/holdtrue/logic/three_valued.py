"""Decide a formula from the values of only some variables, if these suffice.

Connectives follow Kleene's strong three-valued logic (Kleene, "Introduction to Metamathematics", 1952, section 64).
Terms have ranges, which follow from the sorts of the other variables. The method is sound: True and False are right for
all values of the other variables. It is incomplete: a solver could decide more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic import intervals
from holdtrue.logic.evaluate import Values
from holdtrue.logic.intervals import Range
from holdtrue.logic.terms import reach_of


def truth(formula: f.Formula, values: Values) -> bool | None:
    """Return whether the formula holds for all values of the other variables, or None if this is not decided.

    A given value may be outside of its sort. Raises `FormulaError` like `formula.check_depth`.
    """
    if _settled(formula, values):
        return formula.holds(values)
    return _truth(formula, values)


def _settled(formula: f.Formula, values: Values) -> bool:
    return all(variable.name in values for variable in formula.variables)


def _truth(formula: f.Formula, values: Values) -> bool | None:
    match formula:
        case f.Compare():
            return _sign(formula.op, _sum(f.linear(formula.left - formula.right), values))
        case f.Truth():
            return formula.value
        case f.Not():
            return opposite(_truth(formula.operand, values))
        case f.And():
            return every(_truth(operand, values) for operand in formula.operands)
        case f.Or():
            return opposite(every(opposite(_truth(operand, values)) for operand in formula.operands))
        case f.Iff() | f.Xor():
            left, right = _truth(formula.left, values), _truth(formula.right, values)
            return None if left is None or right is None else (left is right) is isinstance(formula, f.Iff)
        case f.IfThenElse():
            condition = _truth(formula.condition, values)
            if condition is not None:
                return _truth(formula.then if condition else formula.otherwise, values)
            then, otherwise = _truth(formula.then, values), _truth(formula.otherwise, values)
            return then if then is otherwise else None
        case f.AllDifferent():
            return _all_different(formula.terms, values)
        case f.Count():
            held = [_truth(operand, values) for operand in formula.operands]
            sure, open = held.count(True), held.count(None)
            return _sign(formula.op, (sure - formula.bound, sure + open - formula.bound))
    raise FormulaError(f"not a formula: {formula!r}")


def every(truths: Iterable[bool | None]) -> bool | None:
    """Return the conjunction: False if one is false, and else None if one is None."""
    found: bool | None = True
    for own in truths:
        if own is False:
            return False
        if own is None:
            found = None
    return found


def opposite(own: bool | None) -> bool | None:
    """Return the negation, which is None for None."""
    return None if own is None else not own


def _sign(op: f.Comparison, own: Range) -> bool | None:
    """Return whether `value op 0` holds for all values of a range (None if only for some)."""
    low, high = own
    match op:
        case "<=":
            return _either(high is not None and high <= 0, low is not None and low > 0)
        case "<":
            return _either(high is not None and high < 0, low is not None and low >= 0)
        case ">=" | ">":
            return opposite(_sign(f.NEGATED[op], own))
        case "==":
            outside = (low is not None and low > 0) or (high is not None and high < 0)
            return _either(low == high == 0, outside)
        case "!=":
            return opposite(_sign("==", own))
    raise FormulaError(f"unknown comparison {op!r}")


def _either(yes: bool, no: bool) -> bool | None:
    return True if yes else (False if no else None)


def _all_different(terms: Iterable[f.Term], values: Values) -> bool | None:
    forms = [f.linear(term) for term in terms]
    if len(set(forms)) < len(forms):
        return False
    ranges = sorted(map(intervals.ends, [_sum(form, values) for form in forms]))
    found: bool | None = True
    for (low, high), (next_low, next_high) in pairwise(ranges):
        if low == high == next_low == next_high:
            return False
        if next_low <= high:
            found = None
    return found


def _sum(form: f.Linear, values: Values) -> Range:
    return reach_of(form, lambda atom: _range(atom, values))


def _range(term: f.Term, values: Values) -> Range:
    """Return the range of the term over all values, within their sorts, of the variables without a value."""
    match term:
        case f.Variable():
            value = values.get(term.name)
            return term.reach() if value is None else (value, value)
        case f.Abs():
            return intervals.absolute(_range(term.inner, values))
        case f.Ite():
            condition = _truth(term.condition, values)
            if condition is None:
                return intervals.joined((_range(term.then, values), _range(term.otherwise, values)))
            return _range(term.then if condition else term.otherwise, values)
        case f.Element():
            return _entries(term, _range(term.index, values))
        case f.Product():
            one, other = _range(term.left, values), _range(term.right, values)
            if term.left == term.right:
                one = other = intervals.absolute(one)
            return intervals.multiplied(one, other)
        case f.Quotient() | f.Remainder():
            return _divided(term, _range(term.dividend, values), _range(term.divisor, values))
        case f.Least():
            return intervals.lowest([_range(own, values) for own in term.terms])
        case f.Greatest():
            return intervals.greatest([_range(own, values) for own in term.terms])
    return _sum(f.linear(term), values)


def _divided(term: f.Quotient | f.Remainder, dividend: Range, divisor: Range) -> Range:
    if isinstance(term, f.Quotient):
        return (0, 0) if divisor == (0, 0) else intervals.divided(dividend, divisor)
    return dividend if divisor == (0, 0) else intervals.remaining(dividend, divisor)


def _entries(term: f.Element, index: Range) -> Range:
    """Return the range of the entries at these indices; an index beyond an end means the entry at the end."""
    last = len(term.table) - 1
    low, high = index
    first = 0 if low is None else min(max(low, 0), last)
    reached = term.table[first : (last if high is None else min(max(high, 0), last)) + 1]
    return min(reached), max(reached)
