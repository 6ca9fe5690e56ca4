from __future__ import annotations

from itertools import product

import pytest

from holdtrue.solving.cardinality import LADDER_FROM, at_least, at_most_one, size_of_at_least
from holdtrue.solving.literals import FALSE, TRUE, Clause, Pool


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
