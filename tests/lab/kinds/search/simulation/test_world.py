from __future__ import annotations

from itertools import product

import pytest

from holdtrue.lab.kinds.search.simulation.world import SearchWorld
from tests.lab.kinds.search.simulation.searches import IMPOSSIBLE, LOOSE, SOLVABLE, X

EVERY = [
    {variable.name: n for variable, n in zip(X, choice, strict=True)} for choice in product(range(-2, 5), repeat=3)
]
SOLUTIONS = [values for values in EVERY if all(each.holds(values) for each in SOLVABLE.formulas.values())]


def test_solutions_are_found_around_whatever_can_be_kept() -> None:
    world = SearchWorld(SOLVABLE)
    for name in ("x1", "x2", "x3"):
        for value in range(-2, 5):
            found = world.solution({name: value})
            there = [values for values in SOLUTIONS if values[name] == value]
            assert (found in there) if there else (found is None)
    assert world.solution() in SOLUTIONS
    assert SearchWorld(IMPOSSIBLE).solution() is None


def test_witnesses_do_not_depend_on_what_was_asked_before() -> None:
    asked, fresh = SearchWorld(SOLVABLE), SearchWorld(SOLVABLE)
    first = asked.solution({"x3": -1})
    for value in range(-2, 5):
        fresh.solution({"x1": value})
    assert fresh.solution({"x3": -1}) == first


def test_near_misses_fail_and_are_near() -> None:
    for problem in (SOLVABLE, IMPOSSIBLE):
        world = SearchWorld(problem)
        for key in range(200):
            values = world.near_miss({}, 0.3, key)
            assert values is not None
            assert all(-2 <= value <= 4 for value in values.values())
            assert not all(each.holds(values) for each in problem.formulas.values())


@pytest.mark.parametrize(("changed", "mean"), [(0.0, 1.0), (0.3, 1.6), (1.0, 3.0)])
def test_so_many_values_of_a_solution_are_changed(changed: float, mean: float) -> None:
    """One for certain, and of the two others that share; what still satisfies all constraints is drawn again."""
    world = SearchWorld(SOLVABLE)
    base, changes = world.solution() or {}, 0
    for key in range(400):
        values = world.near_miss({}, changed, key) or {}
        changes += sum(values[name] != base[name] for name in base)
    assert changes / 400 == pytest.approx(mean, abs=0.2 if 0 < changed < 1 else 0)


def test_what_is_kept_stays_and_the_rest_fails() -> None:
    world = SearchWorld(SOLVABLE)
    for key in range(50):
        values = world.near_miss({"x2": 3}, 0.3, key)
        assert values is not None and values["x2"] == 3
        assert values not in SOLUTIONS


def test_near_misses_of_the_impossible_break_little() -> None:
    world = SearchWorld(IMPOSSIBLE)
    broken = [
        sum(not each.holds(values) for each in IMPOSSIBLE.formulas.values())
        for key in range(100)
        if (values := world.near_miss({}, 0.0, key)) is not None
    ]
    assert len(broken) == 100
    assert min(broken) == 1


def test_where_anything_goes_there_is_no_near_miss() -> None:
    assert SearchWorld(LOOSE).near_miss({}, 0.3, "key") is None
