"""Random formulas, and a naive recursive evaluation of them: the twin of the compiled one."""

from __future__ import annotations

import operator
from collections.abc import Mapping

from hypothesis import strategies as st

from holdtrue.logic.formula import (
    NEGATED,
    Abs,
    AllDifferent,
    And,
    Compare,
    Constant,
    Formula,
    Iff,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    Variable,
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

assignments = st.fixed_dictionaries({v.name: st.integers(v.sort.low, v.sort.high) for v in VARIABLES})
numbers = st.integers(-6, 6)


def _larger_terms(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    parts = st.lists(st.tuples(numbers, inner), max_size=3).map(tuple)
    return st.builds(Sum, parts) | st.builds(Abs, inner)


terms: st.SearchStrategy[Term] = st.recursive(
    st.sampled_from(VARIABLES) | st.builds(Constant, numbers), _larger_terms, max_leaves=5
)


def _larger_formulas(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    operands = st.lists(inner, max_size=3).map(tuple)
    return st.builds(And, operands) | st.builds(Or, operands) | st.builds(Not, inner) | st.builds(Iff, inner, inner)


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.builds(Truth, st.booleans())
    | st.builds(Compare, st.sampled_from(sorted(NEGATED)), terms, terms)
    | st.builds(AllDifferent, st.lists(terms, max_size=3).map(tuple)),
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
    raise AssertionError(term)


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
        case AllDifferent():
            found = [value_of(term, values) for term in formula.terms]
            return all(x != y for at, x in enumerate(found) for y in found[:at])
    raise AssertionError(formula)
