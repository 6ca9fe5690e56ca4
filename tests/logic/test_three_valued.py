"""Partial values decide a formula only as all completions do, and complete values decide every formula."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import (
    AllDifferent,
    Compare,
    Count,
    Element,
    Formula,
    IfThenElse,
    Truth,
    Variable,
    at_least,
    at_most,
    exactly,
    greatest,
    ite,
    least,
    quotient,
)
from holdtrue.logic.sorts import IntSort
from holdtrue.logic.three_valued import truth
from tests.logic.formulas import VARIABLES, assignments, formulas, holds, strays

X, Y, Z = Variable("x", IntSort(0, 3)), Variable("y", IntSort(0, 3)), Variable("z", IntSort(5))
ANY = Variable("any", IntSort())


def completions(values: dict[str, int]) -> Iterator[dict[str, int]]:
    missing = [variable for variable in VARIABLES if variable.name not in values]
    for chosen in product(*(variable.sort.values for variable in missing)):
        yield {**values, **{variable.name: value for variable, value in zip(missing, chosen, strict=True)}}


partial = st.builds(
    lambda values, kept: {name: value for name, value in values.items() if name in kept},
    assignments | strays,
    st.sets(st.sampled_from([variable.name for variable in VARIABLES])),
)


@settings(max_examples=300, deadline=None)
@given(formulas, partial)
def test_no_completion_says_otherwise(formula: Formula, values: dict[str, int]) -> None:
    found = truth(formula, values)
    if found is not None:
        assert all(holds(formula, complete) is found for complete in completions(values))


@settings(max_examples=200, deadline=None)
@given(formulas, assignments | strays)
def test_complete_values_settle_everything(formula: Formula, values: dict[str, int]) -> None:
    assert truth(formula, values) is holds(formula, values)
    # Also where something else is missing, so that the values are looked at one by one.
    beside = formula & Compare("<=", X, X)
    assert truth(beside, values) is holds(formula, values)


@pytest.mark.parametrize(
    ("formula", "values", "found"),
    [
        (X < 5, {}, True),
        (X < 0, {}, False),
        (X < 3, {}, None),
        (X <= X, {}, True),
        (X.ne(X + 1), {}, True),
        ((X < 3) & (Y < 0), {}, False),
        ((X < 3) | (Y < 4), {}, True),
        ((X < 3) & (Y < 4), {}, None),
        ((X < 3).iff(Y < 9), {}, None),
        ((X < 9).xor(Y < 9), {}, False),
        (X + Y > 6, {"x": 2}, False),
        (X + Y > 5, {"x": 3}, None),
        (X + Y < 6, {"x": 99}, False),
        (Z >= 5, {}, True),
        (Z * Z >= 25, {}, True),
        (ANY * ANY >= 0, {}, True),
        (ANY % 7 < 7, {}, True),
        (ANY // 7 < 7, {}, None),
        (ANY // 7 < 7, {"any": 48}, True),
        (least(X, ANY) <= 3, {}, True),
        (greatest(X, Z) > 4, {}, True),
        (ite(Y < 2, X, X + 1) <= 4, {}, True),
        (ite(Y < 2, X, X + 1) <= 3, {"y": 1}, True),
        (Element((4, 5, 6, 7), X) > 3, {}, True),
        (Element((4, 5, 6, 7), X) > 6, {"x": 99}, True),
        (AllDifferent((X, X)), {}, False),
        (AllDifferent((X, Y, Z)), {"x": 1, "y": 1}, False),
        (AllDifferent((X, Y, Z)), {"x": 1}, None),
        (AllDifferent((X, Z)), {}, True),
        (at_most(1, [X < 9, Y < 9, X < 2]), {}, False),
        (at_least(1, [X < 9, Y < 2]), {}, True),
        (exactly(1, [X < 9, Y < 2]), {}, None),
        (Count("!=", 3, (X < 9, Y < 2)), {}, True),
        (IfThenElse(X < 2, Y < 9, Truth(True)), {}, True),
        (IfThenElse(X < 2, Y < 2, Truth(True)), {"x": 3}, True),
        (IfThenElse(X < 2, Y < 2, Truth(True)), {}, None),
        (quotient(10, Y - 5).eq(0), {}, False),
    ],
    ids=str,
)
def test_what_is_settled(formula: Formula, values: dict[str, int], found: bool | None) -> None:
    assert truth(formula, values) is found
    assert truth(~formula, values) is (None if found is None else not found)
