"""Formulas: how they are written, printed and compared, and their linear normal form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    NEGATED,
    Abs,
    AllDifferent,
    And,
    Compare,
    Constant,
    Formula,
    Iff,
    Linear,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    Variable,
    linear,
    term,
)
from holdtrue.logic.sorts import IntSort
from tests.logic.formulas import assignments, formulas, holds, terms, value_of

SORT = IntSort(0, 9)
A, B = Variable("a", SORT), Variable("b", SORT)
P, Q = A.eq(1), B.eq(2)


@pytest.mark.parametrize(
    ("written", "built"),
    [
        (A + B, Sum(((1, A), (1, B)))),
        (A + 2, Sum(((1, A), (1, Constant(2))))),
        (2 + A, Sum(((1, Constant(2)), (1, A)))),
        (A - B, Sum(((1, A), (-1, B)))),
        (A - 2, Sum(((1, A), (-1, Constant(2))))),
        (2 - A, Sum(((1, Constant(2)), (-1, A)))),
        (A * 3, Sum(((3, A),))),
        (3 * A, Sum(((3, A),))),
        (-A, Sum(((-1, A),))),
        (abs(A), Abs(A)),
        (A <= B, Compare("<=", A, B)),
        (A < 3, Compare("<", A, Constant(3))),
        (A >= B, Compare(">=", A, B)),
        (A > B, Compare(">", A, B)),
        (3 <= A, Compare(">=", A, Constant(3))),  # noqa: SIM300 - integers on the left are the point
        (3 > A, Compare("<", A, Constant(3))),  # noqa: SIM300
        (A.eq(3), Compare("==", A, Constant(3))),
        (A.ne(B), Compare("!=", A, B)),
        (P & Q, And((P, Q))),
        (P | Q, Or((P, Q))),
        (~P, Not(P)),
        (P.implies(Q), Or((Not(P), Q))),
        (P.iff(Q), Iff(P, Q)),
    ],
    ids=str,
)
def test_operators(written: Term | Formula, built: Term | Formula) -> None:
    assert written == built
    assert hash(written) == hash(built)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (A, "a"),
        (Constant(-3), "-3"),
        (A + B, "a + b"),
        (A - B, "a - b"),
        (A + 2, "a + 2"),
        (A - 2, "a - 2"),
        (A + -2, "a - 2"),
        (-A + B, "(-a) + b"),
        (Sum(((2, A), (-3, B))), "2*a - 3*b"),
        (Sum(((-2, A),)), "-2*a"),
        (Sum(((-2, Constant(3)), (1, A))), "-6 + a"),
        (A - (B + 1), "a - (b + 1)"),
        (2 * (A + B), "2*(a + b)"),
        (Sum(()), "0"),
        (abs(A - B), "|a - b|"),
        (Truth(True), "true"),
        (Truth(False), "false"),
        (A <= B + 1, "(a <= b + 1)"),
        (P & Q, "((a == 1) and (b == 2))"),
        (P | Q, "((a == 1) or (b == 2))"),
        (~P, "(not (a == 1))"),
        (P.iff(Q), "((a == 1) iff (b == 2))"),
        (And(()), "true"),
        (Or(()), "false"),
        (AllDifferent((A, B)), "all-different(a, b)"),
    ],
    ids=str,
)
def test_printing(value: Term | Formula, text: str) -> None:
    assert str(value) == text


@pytest.mark.parametrize("value", [True, 1.5, "a", None])
def test_only_integers_become_constants(value: Any) -> None:
    with pytest.raises(FormulaError, match="a term is a variable, a sum or an integer, not"):
        term(value)
    with pytest.raises(FormulaError):
        _ = A + value
    with pytest.raises(FormulaError):
        A.eq(value)


def test_terms_are_terms_already() -> None:
    assert term(A) is A
    assert term(3) == Constant(3)


def test_formulas_are_values() -> None:
    assert (A < B) == (A < B)
    assert (A < B) != (A <= B)
    assert len({A < B, A < B, B < A}) == 2
    assert Variable("a", SORT) == A
    assert Variable("a", IntSort(0, 8)) != A


def test_variables_are_found_everywhere() -> None:
    c, d, e = (Variable(name, SORT) for name in "cde")
    formula = ~((A + 1 < 3).iff(abs(B - c) >= 2)) | (AllDifferent((d, -e)) & Truth(True))
    assert formula.variables == {A, B, c, d, e}
    assert Truth(True).variables == frozenset()


def test_very_deep_formulas_have_variables() -> None:
    formula: Formula = P
    for _ in range(5_000):
        formula = Not(formula)
    assert formula.variables == {A}


def test_negated_comparisons_are_each_others_opposites() -> None:
    for op, opposite in NEGATED.items():
        assert NEGATED[opposite] == op
        for left in range(3):
            one, other = (Compare(name, Constant(left), Constant(1)) for name in (op, opposite))
            assert holds(one, {}) is not holds(other, {})


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Constant(3), Linear((), 3)),
        (A, Linear(((A, 1),), 0)),
        (A + B - A, Linear(((B, 1),), 0)),
        (2 * (A - 3) + 4, Linear(((A, 2),), -2)),
        (A - (B - (A + 1)), Linear(((A, 2), (B, -1)), 1)),
        (abs(A - B) + abs(A - B), Linear(((Abs(A - B), 2),), 0)),
    ],
    ids=str,
)
def test_linear_forms(value: Term, form: Linear) -> None:
    assert linear(value) == form


@settings(max_examples=60, deadline=None)
@given(terms, assignments)
def test_the_linear_form_has_the_terms_value(value: Term, values: dict[str, int]) -> None:
    form = linear(value)
    total = form.constant + sum(factor * value_of(atom, values) for atom, factor in form.factors)
    assert total == value_of(value, values)
    assert all(factor for _, factor in form.factors)
    assert len({atom for atom, _ in form.factors}) == len(form.factors)


@settings(max_examples=40, deadline=None)
@given(formulas, formulas, assignments)
def test_connectives_mean_what_they_say(one: Formula, other: Formula, values: dict[str, int]) -> None:
    p, q = holds(one, values), holds(other, values)
    assert holds(one & other, values) == (p and q)
    assert holds(one | other, values) == (p or q)
    assert holds(~one, values) == (not p)
    assert holds(one.implies(other), values) == (not p or q)
    assert holds(one.iff(other), values) == (p == q)


def test_what_is_no_term_has_no_linear_form() -> None:
    with pytest.raises(FormulaError, match="not a term"):
        linear(Term())
