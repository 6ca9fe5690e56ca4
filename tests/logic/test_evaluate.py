"""Compiled evaluation agrees with the naive recursive one."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.evaluate import compile_formula, compile_term, evaluate
from holdtrue.logic.formula import AllDifferent, Compare, Element, Formula, Term, Variable
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import assignments, formulas, holds, strays, terms, value_of

A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))


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
