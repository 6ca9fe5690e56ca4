"""Literals of bounded integers, and clauses of counts and linear comparisons."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.clauses import (
    FALSE,
    LADDER_FROM,
    TRUE,
    Clause,
    Part,
    Pool,
    VariableLiterals,
    apart_clauses,
    at_least,
    at_most_clauses,
    at_most_one,
    most_clauses,
    size_of_at_least,
    tidy,
)


def _true(literal: int, model: list[int]) -> bool:
    return literal == TRUE or (literal != FALSE and literal in model)


@pytest.mark.parametrize(("low", "high"), [(3, 3), (0, 1), (-1, 1), (2, 6)])
def test_the_clauses_have_one_model_per_value_and_the_literals_mean_what_they_say(low: int, high: int) -> None:
    pool = Pool()
    x = VariableLiterals(Variable("x", IntSort(low, high)), pool)
    equal = {value: x.equal(value) for value in range(low - 2, high + 3)}
    assert [x.equal(value) for value in equal] == list(equal.values())
    clauses = pool.take()
    seen = []
    for signs in product((1, -1), repeat=pool.top - 1):
        model = [TRUE, *(sign * literal for sign, literal in zip(signs, range(2, pool.top + 1), strict=True))]
        if not all(any(literal in model for literal in clause) for clause in clauses):
            continue
        value = x.value(model)
        seen.append(value)
        for other in range(low - 2, high + 3):
            assert x.value(model, other) == value, "a guess changes nothing"
            assert _true(equal[other], model) == (value == other)
            assert _true(x.at_least(other), model) == (value >= other)
            assert _true(x.at_most(other), model) == (value <= other)
    assert sorted(seen) == list(range(low, high + 1))


def test_what_a_single_value_needs_is_made_when_it_is_first_asked_for() -> None:
    pool = Pool()
    x = VariableLiterals(Variable("x", IntSort(1, 9)), pool)
    assert (pool.top, len(pool.take())) == (9, 8)
    x.equal(1), x.equal(9), x.equal(10), x.at_least(4)
    assert pool.take() == []
    assert x.equal(4) == x.equal(4) == 10
    assert len(pool.take()) == 3


def test_tidy_drops_true_clauses_and_false_literals() -> None:
    assert tidy([[2, FALSE], [3, TRUE]]) == [[2]]
    assert tidy([[2], [FALSE]]) == [[]]
    assert tidy([]) == []


def _possible(clauses: list[Clause], true: set[int], helpers: range) -> bool:
    """Whether some values of the helper literals satisfy the clauses."""
    for signs in product((1, -1), repeat=len(helpers)):
        model = true | {sign * helper for sign, helper in zip(signs, helpers, strict=True)}
        if all(any(literal in model for literal in clause) for clause in clauses):
            return True
    return False


@pytest.mark.parametrize("among", range(6))
@pytest.mark.parametrize("count", range(-1, 7))
def test_at_least_so_many_of_so_many(count: int, among: int) -> None:
    pool = Pool()
    literals = [pool.new() for _ in range(among)]
    pool.take()
    clauses = at_least(count, literals, pool) + pool.take()
    helpers = range(among + 2, pool.top + 1)
    assert len(clauses) <= max(size_of_at_least(count, among), among, 1)
    for signs in product((1, -1), repeat=among):
        model = {TRUE, *(sign * literal for sign, literal in zip(signs, literals, strict=True))}
        assert _possible(clauses, model, helpers) == (signs.count(1) >= count)


def test_constants_count_and_a_literal_given_twice_counts_twice() -> None:
    pool = Pool()
    a, b = pool.new(), pool.new()
    pool.take()
    assert at_least(1, [TRUE, a], pool) == []
    assert at_least(2, [FALSE, TRUE, a, b], pool) == [[a, b]]
    assert at_least(3, [FALSE, a, b], pool) == [[]]
    clauses = at_least(2, [a, a, b], pool) + pool.take()
    helpers = range(4, pool.top + 1)
    assert _possible(clauses, {TRUE, a, -b}, helpers)
    assert not _possible(clauses, {TRUE, -a, b}, helpers)


@pytest.mark.parametrize("among", [2, 5, LADDER_FROM])
def test_at_most_one(among: int) -> None:
    pool = Pool()
    literals = [pool.new() for _ in range(among)]
    pool.take()
    clauses = at_most_one(literals, pool) + pool.take()
    helpers = range(among + 2, pool.top + 1)
    some: list[tuple[int, ...]] = [(), (0,), (among - 1,), (0, 1), (0, among - 1)]
    for chosen in some:
        model = {TRUE, *(literal if index in chosen else -literal for index, literal in enumerate(literals))}
        assert _possible(clauses, model, helpers) == (len(chosen) <= 1)


Shape = list[tuple[int, int, int]]
shapes = st.lists(
    st.tuples(st.sampled_from([-3, -2, -1, 1, 2, 3]), st.integers(-2, 2), st.integers(0, 3)), min_size=1, max_size=4
)


def _parts(shape: Shape) -> list[Part]:
    parts: list[Part] = []
    pool = Pool()
    for number, (factor, low, more) in enumerate(shape):
        parts.append((factor, VariableLiterals(Variable(f"x{number}", IntSort(low, low + more)), pool)))
    return parts


def _literals(parts: list[Part], values: tuple[int, ...]) -> set[int]:
    """What is true when the variables have these values."""
    true = {TRUE}
    for (_, x), value in zip(parts, values, strict=True):
        for bound in range(x.low, x.high + 1):
            at_least, equal = x.at_least(bound), x.equal(bound)
            true |= {at_least if value >= bound else -at_least, equal if value == bound else -equal}
    return true


def _hold(clauses: list[Clause], true: set[int]) -> bool:
    return all(any(literal in true for literal in clause) for clause in clauses)


@settings(deadline=None, max_examples=100)
@given(shapes, st.integers(-8, 8))
def test_an_inequality_holds_exactly_where_its_clauses_do(shape: Shape, bound: int) -> None:
    parts = _parts(shape)
    clauses = at_most_clauses(parts, bound)
    for values in product(*(range(x.low, x.high + 1) for _, x in parts)):
        total = sum(factor * value for (factor, _), value in zip(parts, values, strict=True))
        assert _hold(clauses, _literals(parts, values)) == (total <= bound)
    assert len(clauses) <= most_clauses([x.size for _, x in parts])
    assert all(TRUE not in clause and FALSE not in clause for clause in clauses)


@settings(deadline=None, max_examples=60)
@given(shapes.filter(lambda shape: len(shape) > 1), st.integers(-5, 5))
def test_a_disequality_of_two_holds_exactly_where_its_clauses_do(shape: Shape, constant: int) -> None:
    parts = _parts(shape[:2])
    clauses = apart_clauses(parts[0], parts[1], constant)
    for values in product(*(range(x.low, x.high + 1) for _, x in parts)):
        total = sum(factor * value for (factor, _), value in zip(parts, values, strict=True)) + constant
        assert _hold(clauses, _literals(parts, values)) == (total != 0)


def test_without_variables_only_the_bound_counts() -> None:
    assert at_most_clauses([], 0) == []
    assert at_most_clauses([], -1) == [[]]


def test_the_largest_variable_costs_nothing() -> None:
    assert most_clauses([5, 100, 3]) == 15
    assert most_clauses([7]) == 1
