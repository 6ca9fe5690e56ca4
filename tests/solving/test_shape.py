from __future__ import annotations

from hypothesis import given, settings

from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.formula import AllDifferent, And, Formula, Truth, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.shape import shape_of
from tests.solving.brute import VARIABLES, A, B, D, assignments, formulas

X, Y, Z = (Variable(name, IntSort(1, 3)) for name in "xyz")


def test_only_names_are_forgotten() -> None:
    assert shape_of(X < Y)[0] == shape_of(Z < X)[0]
    assert shape_of(X < Y)[1] == [X, Y]
    different = [X < Y, X <= Y, X < X, Y + 1 > X, X.eq(1), X.eq(0), X < A, And((X < Y,)), ~(X < Y), Truth(True)]
    different += [Truth(False), AllDifferent((X, Y)), AllDifferent((X, X)), (X < Y) & (X < Z), (X < Y) & (Y < X)]
    assert len({shape_of(formula)[0] for formula in different}) == len(different)


@settings(deadline=None, max_examples=100)
@given(formulas((A, B)), formulas((A, B)))
def test_formulas_of_one_shape_hold_under_the_same_values(first: Formula, second: Formula) -> None:
    (one, own), (other, others) = shape_of(first), shape_of(second)
    if one != other:
        return
    for values in assignments(own):
        renamed = {theirs.name: values[mine.name] for mine, theirs in zip(own, others, strict=True)}
        assert compile_formula(first)(values) == compile_formula(second)(renamed)


def test_each_variable_is_listed_once() -> None:
    shape, variables = shape_of((A < B) & (D.eq(4) | (B > A)))
    assert variables == [A, B, D]
    assert hash(shape) == hash(shape_of((A < B) & (D.eq(4) | (B > A)))[0])
    assert len(VARIABLES) > len(variables)
