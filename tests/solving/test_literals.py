from __future__ import annotations

from itertools import product

import pytest

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.literals import FALSE, TRUE, VariableLiterals, tidy


def _true(literal: int, model: list[int]) -> bool:
    return literal == TRUE or (literal != FALSE and literal in model)


@pytest.mark.parametrize(("low", "high"), [(3, 3), (0, 1), (-1, 1), (2, 6)])
def test_the_clauses_have_one_model_per_value_and_the_literals_mean_what_they_say(low: int, high: int) -> None:
    x = VariableLiterals(Variable("x", IntSort(low, high)), 2)
    clauses = list(x.clauses())
    seen = []
    for signs in product((1, -1), repeat=x.count):
        model = [TRUE, *(sign * literal for sign, literal in zip(signs, range(2, 2 + x.count), strict=True))]
        if not all(any(literal in model for literal in clause) for clause in clauses):
            continue
        value = x.value(model)
        seen.append(value)
        for other in range(low - 2, high + 3):
            assert _true(x.equal(other), model) == (value == other)
            assert _true(x.at_least(other), model) == (value >= other)
            assert _true(x.at_most(other), model) == (value <= other)
    assert sorted(seen) == list(range(low, high + 1))


def test_tidy_drops_true_clauses_and_false_literals() -> None:
    assert tidy([[2, FALSE], [3, TRUE]]) == [[2]]
    assert tidy([[2], [FALSE]]) == [[]]
    assert tidy([]) == []
