from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import AllDifferent, Term, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.bounds import count_values, shortages, too_few_values
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


def test_one_more_term_than_values() -> None:
    seats = [Variable(f"s{number}", IntSort(1, 3)) for number in range(4)]
    assert too_few_values(AllDifferent(tuple(seats)))
    assert not too_few_values(AllDifferent(tuple(seats[:3])))


def test_a_shortage_is_told_wherever_it_hides() -> None:
    seats = [Variable(f"s{number}", IntSort(1, 3)) for number in range(4)]
    only = Variable("only", IntSort(5, 5))
    crowded, alone = AllDifferent(tuple(seats)), AllDifferent((only, only))
    assert shortages(crowded) == ("4 terms share 3 values",)
    assert shortages((seats[0] <= 2) & (crowded | seats[1].eq(1)) & crowded) == ("4 terms share 3 values",)
    assert set(shortages(crowded & alone)) == {"4 terms share 3 values", "2 terms share 1 value"}
    assert shortages(AllDifferent(tuple(seats[:3]))) == ()
