from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.explain.trial import MOST_TRIED, try_values
from tests.solving.brute import VARIABLES, A, B, C, D, assignments, formulas, witnesses

EVERYTHING = list(assignments(VARIABLES))
TERMS = [*VARIABLES, A + 1, B - 1, 2 * D, A + C]
DIFFERENT = st.lists(st.sampled_from(TERMS), min_size=2, max_size=4).map(lambda chosen: AllDifferent(tuple(chosen)))


@settings(deadline=None, max_examples=200)
@given(
    st.lists(formulas() | DIFFERENT, max_size=4),
    st.sampled_from(EVERYTHING),
    st.sets(st.sampled_from(VARIABLES), min_size=1),
)
def test_it_is_the_first_of_all_that_keep_everything_or_a_core(
    drawn: list[Formula], values: dict[str, int], chosen: set[Variable]
) -> None:
    open = [variable for variable in VARIABLES if variable in chosen]
    kept = {name: value for name, value in values.items() if not any(v.name == name for v in open)}
    assume(all(formula.holds(values) for formula in drawn if formula.variables.isdisjoint(chosen)))
    expected = witnesses(VARIABLES, drawn, kept)
    found = try_values(open, kept, drawn)
    if expected:
        assert found == expected[0]
    else:
        assert isinstance(found, frozenset) and found <= kept.keys()
        assert not witnesses(VARIABLES, drawn, {name: kept[name] for name in found})


def test_one_reason_for_many_values_is_preferred_to_many() -> None:
    """What forbids every value is named, and not who has taken each of them."""
    assert try_values([A], {"b": -2, "c": 0}, [AllDifferent((A, B, C)), A < B]) == frozenset({"b"})


def test_the_terms_that_differ_need_not_be_variables() -> None:
    assert try_values([A], {"b": 1}, [AllDifferent((A + 1, B))]) == {"b": 1, "a": 1}
    assert try_values([A], {"b": 1}, [AllDifferent((A + 1, B)), A.eq(0)]) == frozenset({"b"})
    assert try_values([A], {}, [AllDifferent((A, A))]) == frozenset()


def test_nothing_open_is_nothing_to_try() -> None:
    assert try_values([], {"a": 3}, [A.eq(0)]) == {"a": 3}


def test_only_few_combinations_are_tried() -> None:
    wide = [Variable(f"x{number}", IntSort(1, MOST_TRIED)) for number in range(2)]
    assert try_values(wide[:1], {}, []) == {"x0": 1}
    assert try_values(wide, {}, []) is None
