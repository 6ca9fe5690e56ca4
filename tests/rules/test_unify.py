"""Two types go together or they do not, whichever is named first, and numbers go together in one unit and step."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, MOMENT, TIME, WHOLE, Amount, Calendar
from holdtrue.rules.combining import common_step, conversion, same_units, unified
from holdtrue.rules.types import (
    BARE,
    DURATION,
    FLAG,
    NULL,
    TEXT,
    Field,
    ListOf,
    MapOf,
    Name,
    Nullable,
    Number,
    Record,
    Type,
    without_null,
)

STEPS = st.none() | st.fractions(min_value=Fraction(1, 1000), max_value=10).filter(bool)
NUMBERS = st.builds(
    lambda name, step, bare: Number(Amount(unit("" if bare else name), step), bare=bare),
    st.sampled_from(["", "kg", "g", "t", "USD", "EUR", "hour", "day", "night", "%"]),
    STEPS,
    st.booleans(),
)
BAG = Record({"weight": Field(Number(Amount(unit("kg"))))})
LIGHT = Record({"weight": Field(Number(Amount(unit("g"))))})
TWIN = Record({"weight": Field(Number(Amount(unit("kg"))))})
LEAVES: st.SearchStrategy[Type] = NUMBERS | st.sampled_from(
    [FLAG, TEXT, NULL, DATE, TIME, MOMENT, Calendar("moment", "Z"), Name("user"), Name(values=("a",)), BAG, LIGHT, TWIN]
)
TYPES = st.recursive(
    LEAVES,
    lambda own: st.one_of(own.map(ListOf), own.map(MapOf), own.map(lambda one: Nullable(without_null(one)))),
    max_leaves=4,
)


@given(TYPES, TYPES)
def test_it_does_not_matter_which_type_is_named_first(left: Type, right: Type) -> None:
    one, other = unified(left, right), unified(right, left)
    assert (one is None) is (other is None)
    assert same_units(left, right) is same_units(right, left)


@given(TYPES)
def test_a_type_goes_together_with_itself_and_with_null(type: Type) -> None:
    assert unified(type, type) is not None
    found = unified(type, NULL)
    assert found == type or found == Nullable(type)
    assert same_units(type, type)


@given(NUMBERS, NUMBERS)
def test_numbers_go_together_in_one_unit_and_in_a_step_that_both_have(left: Number, right: Number) -> None:
    found = unified(left, right)
    together = left.bare or right.bare or left.sort.unit.dimension == right.sort.unit.dimension
    assert (found is not None) is together
    if not isinstance(found, Number):
        return
    assert found.bare is (left.bare and right.bare)
    if left.sort.step is None or right.sort.step is None:
        assert found.sort.step is None
        return
    step = common_step(left, right)
    assert step
    assert (left.sort.step / step).denominator == 1
    assert (right.sort.step * conversion(right, left) / step).denominator == 1


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (BARE, Number(Amount(unit("USD"), Fraction(1, 100))), Number(Amount(unit("USD"), Fraction(1, 100)))),
        (Number(Amount(), bare=True), Number(WHOLE), Number(Amount())),
        (Number(Amount(unit("hour"))), DURATION, Number(Amount(unit("hour")))),
        (Nullable(FLAG), FLAG, Nullable(FLAG)),
        (ListOf(BARE, 2), ListOf(NULL, 0), ListOf(Nullable(BARE))),
        (Name("user"), TEXT, Name("user")),
        (Name(values=("a", "b")), Name(values=("b", "c")), Name(values=("a", "b", "c"))),
        (Name(values=("a",)), TEXT, TEXT),
        (Name("user"), Name("booking"), None),
        (DATE, MOMENT, None),
        (Calendar("moment", "EST"), Calendar("moment", "Z"), None),
        (FLAG, BARE, None),
        (TEXT, BARE, None),
        (ListOf(TEXT), ListOf(FLAG), None),
        (MapOf(TEXT), ListOf(TEXT), None),
        (BAG, TWIN, BAG),
        (BAG, LIGHT, None),
        (BAG, Record({}), None),
    ],
)
def test_what_two_types_have_in_common(left: Type, right: Type, found: Type | None) -> None:
    assert unified(left, right) == found
