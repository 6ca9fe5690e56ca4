"""Random formulas of every kind, and a naive recursive evaluation of them: the twin of the compiled one."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    NEGATED,
    Abs,
    AllDifferent,
    And,
    Compare,
    Constant,
    Count,
    Element,
    Formula,
    Greatest,
    Iff,
    IfThenElse,
    Ite,
    Least,
    Not,
    Or,
    Product,
    Quotient,
    Remainder,
    Sum,
    Term,
    Truth,
    Variable,
    Xor,
    product,
    term_range,
)
from holdtrue.logic.sorts import EnumSort, IntSort

VARIABLES = (
    Variable("a", IntSort(-3, 3)),
    Variable("b.start", IntSort(0, 5)),
    Variable("c d", EnumSort("color", ("Red", "Blue", "Green"))),
)
OPERATORS = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
LONGEST_TABLE = 200

assignments = st.fixed_dictionaries({v.name: st.integers(v.sort.low, v.sort.high) for v in VARIABLES})
strays = st.fixed_dictionaries({v.name: st.integers(v.sort.values[0] - 3, v.sort.values[-1] + 3) for v in VARIABLES})
"""Assignments that may leave the sorts, as answers do."""
numbers = st.integers(-6, 6)
comparisons = st.sampled_from(sorted(NEGATED))


def ends(term: Term) -> tuple[int, int]:
    """The range of a term over variables with ends."""
    low, high = term_range(term)
    assert low is not None and high is not None
    return low, high


def looked_up(index: Term, entries: Sequence[int]) -> Term:
    """A table with an entry for every value of the index, which is moved to begin at 0."""
    low, high = ends(index)
    size = high - low + 1
    if size > LONGEST_TABLE:
        return index
    table = tuple(entries[at % len(entries)] for at in range(size))
    return Element(table, index if low == 0 else index - low)


def split(kind: type[Quotient] | type[Remainder], dividend: Term, divisor: Term) -> Term:
    """Return a division whose divisor is shifted so that it is never zero."""
    low, high = ends(divisor)
    if low <= 0 <= high:
        divisor = divisor - (low - 1) if high >= -low else divisor - (high + 1)
    return kind(dividend, divisor)


def multiplied(left: Term, right: Term) -> Term:
    """A product, or where its degree would be too high the left side."""
    try:
        return product(left, right)
    except FormulaError:
        return left


leaves: st.SearchStrategy[Term] = st.sampled_from(VARIABLES) | st.builds(Constant, numbers)
conditions = st.builds(Compare, comparisons, leaves, leaves)


def _larger_terms(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    parts = st.lists(st.tuples(numbers, inner), max_size=3).map(tuple)
    return (
        st.builds(Sum, parts)
        | st.builds(Abs, inner)
        | st.builds(Ite, conditions, inner, inner)
        | st.builds(looked_up, inner, st.lists(numbers, min_size=1, max_size=5))
        | st.builds(multiplied, inner, inner)
        | st.builds(split, st.sampled_from((Quotient, Remainder)), inner, inner)
        | st.builds(Least, st.lists(inner, min_size=1, max_size=4).map(tuple))
        | st.builds(Greatest, st.lists(inner, min_size=1, max_size=4).map(tuple))
    )


terms: st.SearchStrategy[Term] = st.recursive(leaves, _larger_terms, max_leaves=5)


def _larger_formulas(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    operands = st.lists(inner, max_size=4).map(tuple)
    return (
        st.builds(And, operands)
        | st.builds(Or, operands)
        | st.builds(Not, inner)
        | st.builds(Iff, inner, inner)
        | st.builds(Xor, inner, inner)
        | st.builds(IfThenElse, inner, inner, inner)
        | st.builds(Count, comparisons, st.integers(-1, 4), operands)
    )


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.builds(Truth, st.booleans())
    | st.builds(Compare, comparisons, terms, terms)
    | st.builds(AllDifferent, st.lists(terms | st.sampled_from(VARIABLES), max_size=3).map(tuple)),
    _larger_formulas,
    max_leaves=6,
)


def value_of(term: Term, values: Mapping[str, int]) -> int:
    match term:
        case Variable():
            return values[term.name]
        case Constant():
            return term.value
        case Abs():
            return abs(value_of(term.inner, values))
        case Sum():
            return sum(factor * value_of(part, values) for factor, part in term.parts)
        case Ite():
            return value_of(term.then if holds(term.condition, values) else term.otherwise, values)
        case Element():
            index = value_of(term.index, values)
            if index < 0:
                return term.table[0]
            return term.table[index] if index < len(term.table) else term.table[-1]
        case Product():
            return value_of(term.left, values) * value_of(term.right, values)
        case Quotient() | Remainder():
            return _divided(term, value_of(term.dividend, values), value_of(term.divisor, values))
        case Least() | Greatest():
            ordered = sorted(value_of(own, values) for own in term.terms)
            return ordered[0] if isinstance(term, Least) else ordered[-1]
    raise AssertionError(term)


def _divided(term: Quotient | Remainder, dividend: int, divisor: int) -> int:
    """Return the quotient and remainder by definition: the remainder is in 0..|divisor|-1."""
    if divisor == 0:  # of values that are out of range
        return 0 if isinstance(term, Quotient) else dividend
    rest = next(rest for rest in range(abs(divisor)) if (dividend - rest) % divisor == 0)
    return (dividend - rest) // divisor if isinstance(term, Quotient) else rest


def holds(formula: Formula, values: Mapping[str, int]) -> bool:
    match formula:
        case Truth():
            return formula.value
        case Compare():
            compared: bool = OPERATORS[formula.op](value_of(formula.left, values), value_of(formula.right, values))
            return compared
        case And():
            return all([holds(operand, values) for operand in formula.operands])
        case Or():
            return any([holds(operand, values) for operand in formula.operands])
        case Not():
            return not holds(formula.operand, values)
        case Iff():
            return holds(formula.left, values) == holds(formula.right, values)
        case Xor():
            return holds(formula.left, values) != holds(formula.right, values)
        case IfThenElse():
            return holds(formula.then if holds(formula.condition, values) else formula.otherwise, values)
        case AllDifferent():
            found = [value_of(term, values) for term in formula.terms]
            return all(x != y for at, x in enumerate(found) for y in found[:at])
        case Count():
            counted: bool = OPERATORS[formula.op](
                len([operand for operand in formula.operands if holds(operand, values)]), formula.bound
            )
            return counted
    raise AssertionError(formula)
