"""Terms: how they are written and printed, their linear normal form and their range."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import Formula
from holdtrue.logic.operations import Element
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import (
    Abs,
    Compare,
    Constant,
    Ite,
    Linear,
    Sum,
    Term,
    Variable,
    ite,
    linear,
    term,
    term_range,
)
from tests.logic.formulas import assignments, ends, terms, value_of

SORT = IntSort(0, 9)
A, B = Variable("a", SORT), Variable("b", SORT)
P = A.eq(1)
SQUARES = tuple(number * number for number in range(10))


@pytest.mark.parametrize(
    ("written", "built"),
    [
        (A + B, Sum(((1, A), (1, B)))),
        (A + 2, Sum(((1, A), (1, Constant(2))))),
        (2 + A, Sum(((1, Constant(2)), (1, A)))),
        (A - B, Sum(((1, A), (-1, B)))),
        (2 - A, Sum(((1, Constant(2)), (-1, A)))),
        (A * 3, Sum(((3, A),))),
        (-A, Sum(((-1, A),))),
        (abs(A), Abs(A)),
        (ite(P, 3, B), Ite(P, Constant(3), B)),
        (A <= B, Compare("<=", A, B)),
        (A < 3, Compare("<", A, Constant(3))),
        (A >= B, Compare(">=", A, B)),
        (A > B, Compare(">", A, B)),
        (3 <= A, Compare(">=", A, Constant(3))),  # noqa: SIM300 - integers on the left are the point
        (3 > A, Compare("<", A, Constant(3))),  # noqa: SIM300
        (A.eq(3), Compare("==", A, Constant(3))),
        (A.ne(B), Compare("!=", A, B)),
    ],
    ids=str,
)
def test_operators(written: Term | Formula, built: Term | Formula) -> None:
    assert written == built
    assert hash(written) == hash(built)


def test_a_chain_of_sums_stays_flat() -> None:
    """As deep as it is long, it could not be compared, printed or asked about."""
    many = [Variable(f"x{number}", IntSort(0, 9)) for number in range(3_000)]
    total = sum(many, Constant(0)) - 7
    assert total == Sum(((1, Constant(0)), *((1, one) for one in many), (-1, Constant(7))))
    assert total.eq(2_993).holds(dict.fromkeys((one.name for one in many), 1))
    assert hash(total.eq(0)) == hash(total.eq(0)) and str(total).endswith("+ x2999 - 7")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (A, "a"),
        (Constant(-3), "-3"),
        (A + B, "a + b"),
        (A - 2, "a - 2"),
        (A + -2, "a - 2"),
        (-A + B, "-a + b"),
        (A - B + 2 - A, "a - b + 2 - a"),
        (B + (A - B), "b + (a - b)"),
        (Sum(((2, A), (-3, B))), "2*a - 3*b"),
        (Sum(((-2, A),)), "-2*a"),
        (Sum(((-2, Constant(3)), (1, A))), "-6 + a"),
        (A - (B + 1), "a - (b + 1)"),
        (2 * (A + B), "2*(a + b)"),
        (Sum(()), "0"),
        (abs(A - B), "|a - b|"),
        (ite(P, A, 0) + 1, "(if (a == 1) then a else 0) + 1"),
        (2 * Element((5, 7, 9), ite(P, 2, 0)), "2*[5, 7, 9][(if (a == 1) then 2 else 0)]"),
        (A <= B + 1, "(a <= b + 1)"),
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
    with pytest.raises(FormulaError):
        ite(P, 1, value)


@pytest.mark.parametrize(
    ("table", "index", "message"),
    [
        ((), Constant(0), "the index 0 has values 0 to 0; its table has no entries"),
        ((1, 2), Constant(2), "the index 2 has values 2 to 2; its table has 0 to 1"),
        (SQUARES, A - 1, "the index a - 1 has values -1 to 8; its table has 0 to 9"),
        (SQUARES[:9], A, "the index a has values 0 to 9; its table has 0 to 8"),
    ],
)
def test_a_table_has_an_entry_for_every_value_of_its_index(table: tuple[int, ...], index: Term, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        Element(table, index)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Constant(3), Linear((), 3)),
        (A, Linear(((A, 1),), 0)),
        (A + B - A, Linear(((B, 1),), 0)),
        (2 * (A - 3) + 4, Linear(((A, 2),), -2)),
        (A - (B - (A + 1)), Linear(((A, 2), (B, -1)), 1)),
        (abs(A - B) + abs(A - B), Linear(((Abs(A - B), 2),), 0)),
        (ite(P, A, 2) - 3 * ite(P, A, 2), Linear(((ite(P, A, 2), -2),), 0)),
        (Element(SQUARES, A) + A, Linear(((Element(SQUARES, A), 1), (A, 1)), 0)),
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


def test_what_is_no_term_has_no_linear_form() -> None:
    with pytest.raises(FormulaError, match="not a term"):
        linear(Term())


@settings(max_examples=100, deadline=None)
@given(terms, assignments)
def test_a_range_contains_every_value_of_its_term(value: Term, values: dict[str, int]) -> None:
    low, high = ends(value)
    assert low <= value_of(value, values) <= high


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (A, (0, 9)),
        (Constant(-2), (-2, -2)),
        (2 * A - B + 1, (-8, 19)),
        (abs(A - 3), (0, 6)),
        (abs(A + 2), (2, 11)),
        (ite(P, A + 5, -1), (-1, 14)),
        (Element(SQUARES, A), (0, 81)),
        (Element(SQUARES, ite(P, 2, 5)), (4, 25)),
        (10 - Element((7, 3, 5), ite(P, 1, 2)), (5, 7)),
    ],
    ids=str,
)
def test_ranges(value: Term, found: tuple[int | None, int | None]) -> None:
    assert term_range(value) == found
