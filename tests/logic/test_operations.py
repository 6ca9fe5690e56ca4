"""Products, quotients, remainders, minima and maxima are written and checked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import (
    Constant,
    Element,
    Formula,
    Greatest,
    Least,
    Product,
    Quotient,
    Remainder,
    Sum,
    Term,
    Variable,
    greatest,
    ite,
    least,
    product,
    quotient,
    remainder,
    term_range,
)
from holdtrue.logic.intervals import Range
from holdtrue.logic.operations import LARGEST_DEGREE
from holdtrue.logic.sorts import IntSort

A, B = Variable("a", IntSort(0, 9)), Variable("b", IntSort(1, 5))
UP, DOWN, ANY = Variable("up", IntSort(2)), Variable("down", IntSort(None, -1)), Variable("any", IntSort())


@pytest.mark.parametrize(
    ("written", "built", "text"),
    [
        (A * B, Product(A, B), "a*b"),
        ((A + 1) * (B - 2), Product(A + 1, B - 2), "(a + 1)*(b - 2)"),
        (2 * (A * B), Sum(((2, Product(A, B)),)), "2*a*b"),
        (A * Constant(2), Sum(((2, A),)), "2*a"),
        (product(A, 2), Sum(((2, A),)), "2*a"),
        (product(3, 2), Sum(((3, Constant(2)),)), "6"),
        (A // B, Quotient(A, B), "(a div b)"),
        (A // 3, Quotient(A, Constant(3)), "(a div 3)"),
        (7 // B, Quotient(Constant(7), B), "(7 div b)"),
        (quotient(A, -3), Quotient(A, Constant(-3)), "(a div -3)"),
        (A % B, Remainder(A, B), "(a mod b)"),
        (7 % B, Remainder(Constant(7), B), "(7 mod b)"),
        (remainder(A, -3), Remainder(A, Constant(-3)), "(a mod -3)"),
        (least(A, B + 1, 3), Least((A, B + 1, Constant(3))), "least(a, b + 1, 3)"),
        (greatest(*[A, B]), Greatest((A, B)), "greatest(a, b)"),
    ],
    ids=str,
)
def test_operators_and_functions(written: Term | Formula, built: Term | Formula, text: str) -> None:
    assert written == built and hash(written) == hash(built)
    assert str(written) == text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (A * B, (0, 45)),
        ((A - 4) * (A - 4), (0, 25)),
        ((A - 4) * (B - 3), (-10, 10)),
        (A // B, (0, 9)),
        (quotient(A, -2), (-4, 0)),
        (A % B, (0, 4)),
        (A % 20, (0, 9)),
        (least(A, B), (0, 5)),
        (greatest(A, B), (1, 9)),
        (UP, (2, None)),
        (UP * A, (0, None)),
        (UP * DOWN, (None, -2)),
        (DOWN * DOWN, (1, None)),
        (ANY * 0, (0, 0)),
        (ANY * ANY, (0, None)),
        (ANY * A, (None, None)),
        (A // UP, (0, 4)),
        (quotient(UP, DOWN), (None, 0)),
        (ANY % 7, (0, 6)),
        (UP % UP, (0, None)),
        (abs(DOWN), (1, None)),
        (least(ANY, 3), (None, 3)),
        (greatest(UP, DOWN), (2, None)),
        (ite(A < 1, UP, -3), (-3, None)),
        (UP - DOWN, (3, None)),
        (UP + DOWN, (None, None)),
    ],
    ids=str,
)
def test_ranges(value: Term, found: Range) -> None:
    assert term_range(value) == found


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda: quotient(1, A), "the divisor a may be zero: it has values 0 to 9"),
        (lambda: A // (B - 1), "the divisor b - 1 may be zero"),
        (lambda: quotient(A, ANY), "the divisor any may be zero: it has any integer as its value"),
        (lambda: remainder(A, UP - 2), "the divisor up - 2 may be zero: it has values from 0 on"),
        (lambda: remainder(A, DOWN + 1), "the divisor down \\+ 1 may be zero: it has values up to 0"),
        (lambda: Element((1, 2), UP), "the index up has values from 2 on; its table has 0 to 1"),
        (lambda: Element((1, 2), ANY), "the index any has any integer as its value; its table has 0 to 1"),
    ],
)
def test_what_has_no_value_for_all_is_refused_in_words(write: Callable[[], Term], words: str) -> None:
    with pytest.raises(FormulaError, match=words):
        write()


def test_a_product_has_so_many_factors_at_most() -> None:
    """Squared again and again, a number outgrows any memory within a few lines."""
    power: Term = A
    for _ in range(LARGEST_DEGREE - 1):
        power = product(power, A)
    assert term_range(power) == (0, 9**LARGEST_DEGREE)
    for more in (A, A + 1, abs(A), least(A, B), A // 2, A % B, ite(A < 1, A, 0)):
        with pytest.raises(FormulaError, match="a product may have 20 variables as factors at most"):
            product(power, more)
    assert product(power, Element((1, 2), ite(A < 1, 0, 1))).eq(2**20 * 2).holds({"a": 2, "b": 1})
