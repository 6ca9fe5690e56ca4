from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.linear_clauses import Part, apart_clauses, at_most_clauses, most_clauses
from holdtrue.solving.literals import FALSE, TRUE, Clause, Pool, VariableLiterals

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
