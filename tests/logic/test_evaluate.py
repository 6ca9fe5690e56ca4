"""Compiled evaluation agrees with the naive recursive one."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula, compile_term, evaluate
from holdtrue.logic.formula import AllDifferent, Compare, Constant, Element, Formula, Sum, Term, Variable, ite
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import OPERATORS, assignments, formulas, holds, strays, terms, value_of

A, B, C = (Variable(name, IntSort(-3, 3)) for name in "abc")
TABLE = Element((3, -1, 4, 1, -5, 9, 2), A + 3)
SIDES: list[tuple[Term, Term]] = [
    (A, Constant(1)),
    (Constant(1), A),
    (A, B),
    (A, A),
    (Constant(2), Constant(1)),
    (A + 1, A),
    (2 * A, Constant(3)),
    (-3 * A, Constant(-4)),
    (3 * A, Constant(3)),
    (A, B + 1),
    (B - 2, A),
    (A - B, Constant(0)),
    (Constant(0), A - B),
    (A + B, Constant(1)),
    (-A - B, Constant(1)),
    (A + B, C),
    (A + B + 1, C),
    (C, A + B),
    (2 * A + B, C - 3),
    (abs(A - B), Constant(2)),
    (abs(B - A), Constant(2)),
    (abs(A - B), Constant(0)),
    (abs(A - B), Constant(-2)),
    (Constant(2), abs(A - B)),
    (abs(A - B + 1), Constant(2)),
    (2 * abs(A - B), Constant(3)),
    (-2 * abs(A - B), Constant(-4)),
    (abs(A), Constant(2)),
    (abs(A + B), Constant(2)),
    (abs(Sum(())), Constant(0)),
    (abs(A - B), C),
    (abs(A - B), abs(B - C) + 1),
    (ite(A < B, A, B), Constant(1)),
    (ite(A < B, A, B) - C, ite(A < B, A, B)),
    (TABLE, Constant(2)),
    (TABLE, B),
]
EVERY = [dict(zip("abc", values, strict=True)) for values in product(range(-4, 5), repeat=3)]


@settings(max_examples=200, deadline=None)
@given(formulas, assignments | strays)
def test_formulas_agree_with_the_naive_twin(formula: Formula, values: dict[str, int]) -> None:
    expected = holds(formula, values)
    assert evaluate(formula, values) is expected
    assert evaluate(~formula, values) is not expected


@settings(max_examples=100, deadline=None)
@given(terms, assignments | strays)
def test_terms_agree_with_the_naive_twin(term: Term, values: dict[str, int]) -> None:
    assert compile_term(term)(values) == value_of(term, values)


@pytest.mark.parametrize(("left", "right"), SIDES, ids=[f"{left} ? {right}" for left, right in SIDES])
def test_all_shapes_of_comparisons_and_sums(left: Term, right: Term) -> None:
    for side in (left, right):
        assert [compile_term(side)(values) for values in EVERY] == [value_of(side, values) for values in EVERY]
    expected = [(value_of(left, values), value_of(right, values)) for values in EVERY]
    for op, compare in OPERATORS.items():
        check = compile_formula(Compare(op, left, right))  # type: ignore[arg-type]
        assert [check(values) for values in EVERY] == [compare(*pair) for pair in expected], op


@pytest.mark.parametrize("terms", [(), (A,), (A, B), (A, B, A), (A, B + 1, A - 2)], ids=str)
def test_all_different_over_variables_and_other_terms(terms: tuple[Term, ...]) -> None:
    formula = AllDifferent(terms)
    for a, b in product(range(4), repeat=2):
        values = {"a": a, "b": b}
        assert evaluate(formula, values) is holds(formula, values)
        assert evaluate(~formula, values) is not holds(formula, values)


def test_an_index_beyond_its_table_means_the_entry_at_that_end() -> None:
    entry = compile_term(Element((5, 6, 7), Variable("a", IntSort(0, 2))))
    assert [entry({"a": a}) for a in (-4, -1, 0, 2, 3, 99)] == [5, 5, 5, 7, 7, 7]


def test_a_variable_without_a_value_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="b"):
        evaluate(A < B, {"a": 1})


def test_what_is_no_formula_cannot_be_evaluated() -> None:
    wrong: Any = "a < b"
    with pytest.raises(FormulaError, match="not a formula: 'a < b'"):
        compile_formula(wrong)
    unknown: Any = "=<"
    for right in (A, A + 1):
        with pytest.raises(FormulaError, match="unknown comparison '=<'"):
            compile_formula(Compare(unknown, B, right))
    with pytest.raises(FormulaError, match="unknown comparison '=<'"):
        compile_formula(Compare(unknown, B, (A < 1).right))
    with pytest.raises(FormulaError, match="not a term"):
        compile_term(Term())
