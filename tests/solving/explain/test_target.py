from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import NEVER, Deadline
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.explain.target import MOST_TRIED, MOST_VALUES, try_values
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
    found = try_values(open, kept, drawn, NEVER)
    if expected:
        assert found == expected[0]
    else:
        assert isinstance(found, frozenset) and found <= kept.keys()
        assert not witnesses(VARIABLES, drawn, {name: kept[name] for name in found})


def test_one_reason_for_many_values_is_preferred_to_many() -> None:
    """The result names the variable that forbids every value, not the variables that take each of them."""
    assert try_values([A], {"b": -2, "c": 0}, [AllDifferent((A, B, C)), A < B], NEVER) == frozenset({"b"})


def test_only_few_combinations_are_tried() -> None:
    wide = [Variable(f"x{number}", IntSort(1, MOST_TRIED)) for number in range(2)]
    assert try_values(wide[:1], {}, [], NEVER) == {"x0": 1}
    assert try_values(wide, {}, [], NEVER) is None


def test_a_wide_range_is_not_enumerated() -> None:
    """Its law leaves one value; finding that out is a solver's work, and enumerating it would take hours."""
    wide = Variable("x", IntSort(0, 10**12))
    assert try_values([wide], {}, [wide.eq(5)], NEVER) is None
    few = [Variable(f"x{number}", IntSort(1, MOST_VALUES // 2)) for number in range(3)]
    assert try_values(few, {}, [one.eq(5) for one in few], NEVER) is None
    assert try_values(few[:2], {}, [one.eq(5) for one in few], NEVER) is not None


class CountedFormula:
    """A formula that holds of nothing, and counts how often it was asked."""

    def __init__(self, variable: Variable) -> None:
        self.variables = frozenset((variable,))
        self.asked = 0

    def holds(self, values: object) -> bool:
        self.asked += 1
        return False


def test_the_deadline_is_looked_at_for_every_value() -> None:
    """One value may be about thousands of formulas."""
    variable = Variable("x", IntSort(1, 100))
    counted = CountedFormula(variable)
    assert try_values([variable], {}, [counted], Deadline(0.0)) is None  # type: ignore[list-item]
    assert counted.asked == 0
