from __future__ import annotations

from itertools import product

import pytest

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.clauses import FALSE, TRUE, Pool, VariableLiterals, tidy


def _true(literal: int, model: list[int]) -> bool:
    return literal == TRUE or (literal != FALSE and literal in model)


@pytest.mark.parametrize(("low", "high"), [(3, 3), (0, 1), (-1, 1), (2, 6)])
def test_the_clauses_have_one_model_per_value_and_the_literals_mean_what_they_say(low: int, high: int) -> None:
    pool = Pool()
    x = VariableLiterals(Variable("x", IntSort(low, high)), pool)
    equal = {value: x.equal(value) for value in range(low - 2, high + 3)}
    assert [x.equal(value) for value in equal] == list(equal.values())
    clauses = pool.take()
    seen = []
    for signs in product((1, -1), repeat=pool.top - 1):
        model = [TRUE, *(sign * literal for sign, literal in zip(signs, range(2, pool.top + 1), strict=True))]
        if not all(any(literal in model for literal in clause) for clause in clauses):
            continue
        value = x.value(model)
        seen.append(value)
        for other in range(low - 2, high + 3):
            assert x.value(model, other) == value, "a guess changes nothing"
            assert _true(equal[other], model) == (value == other)
            assert _true(x.at_least(other), model) == (value >= other)
            assert _true(x.at_most(other), model) == (value <= other)
    assert sorted(seen) == list(range(low, high + 1))


def test_what_a_single_value_needs_is_made_when_it_is_first_asked_for() -> None:
    pool = Pool()
    x = VariableLiterals(Variable("x", IntSort(1, 9)), pool)
    assert (pool.top, len(pool.take())) == (9, 8)
    x.equal(1), x.equal(9), x.equal(10), x.at_least(4)
    assert pool.take() == []
    assert x.equal(4) == x.equal(4) == 10
    assert len(pool.take()) == 3


def test_tidy_drops_true_clauses_and_false_literals() -> None:
    assert tidy([[2, FALSE], [3, TRUE]]) == [[2]]
    assert tidy([[2], [FALSE]]) == [[]]
    assert tidy([]) == []
