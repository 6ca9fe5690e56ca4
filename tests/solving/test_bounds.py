from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.evaluate import compile_term
from holdtrue.logic.formula import AllDifferent, Term, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.bounds import count_values, term_range, too_few_values
from tests.solving.brute import VARIABLES, A, B, assignments, possible, terms


@settings(deadline=None, max_examples=60)
@given(terms())
def test_a_range_contains_every_value_of_its_term(term: Term) -> None:
    low, high = term_range(term)
    measure = compile_term(term)
    assert all(low <= measure(values) <= high for values in assignments(VARIABLES))


def test_ranges_of_single_variables_are_tight() -> None:
    assert term_range(A) == (0, 3)
    assert term_range(abs(B)) == (0, 2)
    assert term_range(abs(A + 2)) == (2, 5)
    assert term_range(2 * A - B + 1) == (0, 9)


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
