"""Tests that a formula with known values holds for the others as the whole formula does, and keeps no known name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.logic.formula import Constant, Formula, Sum, Truth, Variable, product
from holdtrue.logic.sorts import IntSort
from holdtrue.rules.known_values import with_values
from tests.solving.brute import VARIABLES, formulas


@given(formulas(), st.data())
def test_it_holds_as_the_whole_formula_does(formula: Formula, data: st.DataObject) -> None:
    values = {own.name: data.draw(st.integers(own.sort.low or 0, own.sort.high or 0)) for own in VARIABLES}
    known = {name: values[name] for name in data.draw(st.sets(st.sampled_from(sorted(values))))}
    left = with_values(formula, known)
    assert left.holds({name: own for name, own in values.items() if name not in known}) is formula.holds(values)
    assert not {own.name for own in left.variables} & known.keys()
    assert known != values or isinstance(left, Truth)


def test_a_product_with_a_known_factor_is_a_multiple() -> None:
    x, y = (Variable(name, IntSort()) for name in "xy")
    assert with_values(product(x, y), {"x": 3}) == Sum(((3, y),))
    assert with_values(product(x, y), {"x": 3, "y": 2}) == Constant(6)
