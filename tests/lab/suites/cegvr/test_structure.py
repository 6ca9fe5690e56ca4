from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.logic.formula import AllDifferent, And, Not, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.suites.cegvr.structure import EASY, MEDIUM, difficulty_of, golds, size, widest_sum

VARIABLES = tuple(Variable(f"x{number}", IntSort(0, 5)) for number in range(6))
A, B, C, D, *_ = VARIABLES


def test_an_equation_counts_twice() -> None:
    assert size(VARIABLES[:2], [A + B <= 3, (A + B).eq(2), AllDifferent((A, B))]) == 2 + 1 + 2 + 1


@pytest.mark.parametrize(
    ("constraints", "bin"),
    [(0, "easy"), (EASY - 6, "easy"), (EASY - 5, "medium"), (MEDIUM - 6, "medium"), (MEDIUM - 5, "hard")],
)
def test_bins_go_by_size(constraints: int, bin: str) -> None:
    assert difficulty_of(VARIABLES, [A <= 3] * constraints) == bin


def test_the_widest_sum_is_found_inside_other_formulas() -> None:
    dense = Sum(tuple((2, one) for one in VARIABLES)) >= 3
    assert widest_sum([]) == 0
    assert widest_sum([AllDifferent(VARIABLES)]) == 0
    assert widest_sum([A + B <= C + D, A <= 1]) == 4
    assert widest_sum([A + B - A <= 1]) == 1
    assert widest_sum([And((A <= 1, Not(dense)))]) == 6


@given(st.integers(1, 200), st.floats(0, 1))
@settings(deadline=None, max_examples=50)
def test_every_beginning_has_its_share(count: int, ratio: float) -> None:
    made = list(golds(count, ratio))
    assert len(made) == count
    for length in range(1, count + 1):
        assert abs(made[:length].count("sat") - length * ratio) <= 0.5 + 1e-9


def test_all_or_nothing() -> None:
    assert set(golds(5, 1.0)) == {"sat"}
    assert set(golds(5, 0.0)) == {"unsat"}
    assert list(golds(500, 0.6)).count("sat") == 300


def test_there_is_one_problem_at_least() -> None:
    with pytest.raises(SettingsError, match="one problem at least"):
        list(golds(0, 0.5))
