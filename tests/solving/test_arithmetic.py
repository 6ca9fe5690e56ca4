from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import AllDifferent, Term, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.arithmetic import count_values, halfway, shortages, too_few_values
from tests.solving.brute import A, B, possible


def test_values_are_counted_once_however_ranges_overlap() -> None:
    x, y, z = (Variable(name, IntSort(low, high)) for name, low, high in [("x", 1, 3), ("y", 2, 2), ("z", 7, 8)])
    assert count_values([z, y, x]) == 5
    assert count_values([]) == 0


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([A, B, A + 1, 2 * B]), min_size=2, max_size=6))
def test_only_impossible_all_differents_have_too_few_values(chosen: list[Term]) -> None:
    formula = AllDifferent(tuple(chosen))
    if too_few_values(formula):
        assert not possible((A, B), [formula])


def test_a_shortage_is_told_wherever_it_hides() -> None:
    seats = [Variable(f"s{number}", IntSort(1, 3)) for number in range(4)]
    only = Variable("only", IntSort(5, 5))
    crowded, alone = AllDifferent(tuple(seats)), AllDifferent((only, only))
    assert shortages(crowded) == ("4 terms share 3 values",)
    assert shortages((seats[0] <= 2) & (crowded | seats[1].eq(1)) & crowded) == ("4 terms share 3 values",)
    assert set(shortages(crowded & alone)) == {"4 terms share 3 values", "2 terms share 1 value"}
    assert shortages(AllDifferent(tuple(seats[:3]))) == ()


@pytest.mark.parametrize("high", [1, 2, 1_000, 2**40, 2**41 + 3, 10**30, 10**100])
def test_halving_finds_any_number_in_few_steps(high: int) -> None:
    """Small ones in steps that grow with the digits of the whole, and none in more than twice its bits."""
    for wanted in {0, 1, 7, high // 2, high - 1, high // 10**9}:
        low, above, steps = 0, high, 0
        while low < above:
            middle = halfway(low, above)
            assert low <= middle < above
            low, above = (low, middle) if wanted <= middle else (middle + 1, above)
            steps += 1
        assert low == min(wanted, above)
        assert steps <= 2 * high.bit_length() + 1
    if high > 2**200:
        assert halfway(0, high) < 2**180
