from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.explain.trial import MOST_TRIED, can_be_tried, first_by_trial
from tests.solving.brute import VARIABLES, A, assignments, formulas, witnesses

EVERYTHING = list(assignments(VARIABLES))


@settings(deadline=None, max_examples=100)
@given(st.lists(formulas(), max_size=4), st.sampled_from(EVERYTHING), st.sets(st.sampled_from(VARIABLES)))
def test_it_is_the_first_of_all_that_keep_what_is_still_open(
    drawn: list[Formula], values: dict[str, int], chosen: set[Variable]
) -> None:
    open = [variable for variable in VARIABLES if variable in chosen]
    settled = {name: value for name, value in values.items() if not any(v.name == name for v in open)}
    in_question = [formula for formula in drawn if formula.variables & chosen]
    expected = witnesses(VARIABLES, in_question, settled)
    assert first_by_trial(open, settled, drawn) == (expected[0] if expected else None)


def test_nothing_open_is_nothing_to_try() -> None:
    assert first_by_trial([], {"a": 3}, [A.eq(0)]) == {"a": 3}


def test_only_few_combinations_are_tried() -> None:
    wide = [Variable(f"x{number}", IntSort(1, MOST_TRIED)) for number in range(2)]
    assert can_be_tried([]) and can_be_tried(wide[:1]) and not can_be_tried(wide)
