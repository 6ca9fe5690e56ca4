"""Compiled evaluation agrees with the naive recursive one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula, compile_term, evaluate
from holdtrue.logic.formula import Compare, Formula, Term, Variable
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import OPERATORS, assignments, formulas, holds, terms, value_of

A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))


@settings(max_examples=150, deadline=None)
@given(formulas, assignments)
def test_formulas_agree_with_the_naive_twin(formula: Formula, values: dict[str, int]) -> None:
    assert evaluate(formula, values) is holds(formula, values)


@settings(max_examples=100, deadline=None)
@given(terms, assignments)
def test_terms_agree_with_the_naive_twin(term: Term, values: dict[str, int]) -> None:
    assert compile_term(term)(values) == value_of(term, values)


@pytest.mark.parametrize("op", sorted(OPERATORS))
@pytest.mark.parametrize("right", [B, B + 0, A - A + 4], ids=str)
def test_every_comparison_against_terms_and_constants(op: Any, right: Term) -> None:
    for formula in (Compare(op, A, right), Compare(op, A - B, right), Compare(op, A, B), A.eq(4)):
        check = compile_formula(formula)
        for a in range(3, 6):
            values = {"a": a, "b": 4}
            assert check(values) is holds(formula, values)


def test_a_closure_serves_many_assignments() -> None:
    check = compile_formula(A < B)
    assert [check({"a": a, "b": 1}) for a in range(3)] == [True, False, False]


def test_values_out_of_range_are_compared_as_they_are() -> None:
    assert evaluate(A > 50, {"a": 99})


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
