from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.lab.suites.cegvr.enumeration import first_assignment
from holdtrue.logic.formula import AllDifferent, Compare, Formula, Sum, Truth, Variable, term
from holdtrue.logic.sorts import IntSort

VARIABLES = (Variable("a", IntSort(-1, 2)), Variable("b", IntSort(0, 3)), Variable("c", IntSort(1, 2)))
A, B, C = VARIABLES

sums = st.builds(
    lambda factors, op, rhs: Compare(op, Sum(tuple(zip(factors, VARIABLES, strict=True))), term(rhs)),
    st.tuples(*[st.integers(-3, 3)] * 3),
    st.sampled_from(["<=", "<", ">=", ">", "==", "!="]),
    st.integers(-8, 8),
)
others = st.sampled_from([AllDifferent(VARIABLES), abs(A - B) <= 1, A.eq(1) | B.eq(3), ~(A >= C), Truth(True)])


def naive(formulas: list[Formula]) -> dict[str, int] | None:
    for values in product(*(one.sort.values for one in VARIABLES)):
        assignment = {one.name: value for one, value in zip(VARIABLES, values, strict=True)}
        if all(formula.holds(assignment) for formula in formulas):
            return assignment
    return None


@given(st.lists(st.one_of(sums, others), max_size=5))
@settings(deadline=None, max_examples=100)
def test_finds_the_first_values_of_all(formulas: list[Formula]) -> None:
    assert first_assignment(VARIABLES, formulas) == naive(formulas)


def test_what_cannot_come_true_is_cut_off_early() -> None:
    many = [Variable(f"x{number}", IntSort(0, 9)) for number in range(60)]  # 10**60 assignments
    assert first_assignment(many, [Sum(tuple((1, one) for one in many)) >= 541]) is None
    found = first_assignment(many, [Sum(tuple((1, one) for one in many)) >= 540])
    assert found is not None
    assert set(found.values()) == {9}


def test_nothing_is_satisfied_by_anything() -> None:
    assert first_assignment((), []) == {}
    assert first_assignment((), [Truth(False)]) is None
