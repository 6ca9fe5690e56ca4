from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.formula import Abs, Linear, Sum, Term, linear
from holdtrue.solving.forms import negated, put, sides
from tests.solving.brute import VARIABLES, A, B, assignments, terms


def _value(form: Linear, values: dict[str, int]) -> int:
    return form.constant + sum(factor * compile_term(atom)(values) for atom, factor in form.factors)


@settings(deadline=None, max_examples=40)
@given(terms())
def test_negated_is_the_negative_everywhere(term: Term) -> None:
    form = linear(term)
    assert all(_value(negated(form), values) == -_value(form, values) for values in assignments(VARIABLES))


def test_one_term_is_put_in_the_place_of_another() -> None:
    form = linear(Sum(((2, abs(A - B)), (1, A), (-3, abs(B)))))
    for values in assignments(VARIABLES):
        a, b = values["a"], values["b"]
        assert _value(put(form, 0, A - B), values) == 2 * (a - b) + a - 3 * abs(b)
        assert _value(put(form, 0, B - A), values) == -2 * (a - b) + a - 3 * abs(b)
        assert _value(put(form, 2, -B), values) == 2 * abs(a - b) + a + 3 * b


@pytest.mark.parametrize("factor", [-2, -1, 1, 2])
@pytest.mark.parametrize("constant", range(-5, 6))
def test_one_side_is_zero_exactly_where_the_distance_is_right(factor: int, constant: int) -> None:
    distance = Abs(A - B)
    forms = sides(distance, factor, constant)
    for values in assignments(VARIABLES):
        expected = factor * abs(values["a"] - values["b"]) + constant == 0
        assert any(_value(form, values) == 0 for form in forms) == expected
