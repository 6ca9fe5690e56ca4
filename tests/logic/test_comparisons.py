"""Every shape of comparison that has a closure of its own, against plain arithmetic."""

from __future__ import annotations

from itertools import product

import pytest

from holdtrue.logic.comparisons import compile_comparison, compile_sum
from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.operations import Element
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.terms import Constant, Sum, Term, Variable, ite, linear
from tests.logic.formulas import OPERATORS, value_of

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


@pytest.mark.parametrize(("left", "right"), SIDES, ids=[f"{left} ? {right}" for left, right in SIDES])
def test_all_shapes_under_all_comparisons(left: Term, right: Term) -> None:
    expected = [(value_of(left, values), value_of(right, values)) for values in EVERY]
    for op, compare in OPERATORS.items():
        check = compile_comparison(op, left, right, compile_term)  # type: ignore[arg-type]
        found = [check(values) for values in EVERY]
        assert found == [compare(*pair) for pair in expected], op
        assert all(type(value) is bool for value in found)


@pytest.mark.parametrize("side", [side for pair in SIDES for side in pair], ids=str)
def test_sums(side: Term) -> None:
    measure = compile_sum(linear(side), compile_term)
    assert [measure(values) for values in EVERY] == [value_of(side, values) for values in EVERY]
