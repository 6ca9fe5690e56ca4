from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving import neighbours
from holdtrue.solving.neighbours import Neighbourhood
from tests.solving.brute import VARIABLES, A, B, assignments, formulas

EVERYTHING = list(assignments(VARIABLES))
X, Y, Z = (Variable(name, IntSort(1, 3)) for name in "xyz")


def _about(variables: tuple[Variable, ...], stands: list[Formula]) -> dict[str, list[Formula]]:
    return {v.name: [formula for formula in stands if v in formula.variables] for v in variables}


def _one_step(values: dict[str, int], broken: Formula, fixed: set[str]) -> Iterator[dict[str, int]]:
    """All assignments with one of the formula's variables changed, or exchanged with another one of its sort."""
    for variable in broken.variables:
        if variable.name in fixed:
            continue
        for value in variable.sort.values:
            yield {**values, variable.name: value}
        for other in VARIABLES:
            if other.sort == variable.sort and other.name not in fixed:
                yield {**values, variable.name: values[other.name], other.name: values[variable.name]}


@settings(deadline=None, max_examples=80)
@given(
    st.lists(formulas(), max_size=3),
    st.lists(formulas(), min_size=1, max_size=3),
    st.sampled_from(EVERYTHING),
    st.sets(st.sampled_from(["a", "b", "c"])),
)
def test_a_step_is_taken_exactly_where_there_is_one(
    drawn: list[Formula], asked: list[Formula], values: dict[str, int], fixed: set[str]
) -> None:
    stands = [formula for formula in drawn if formula.holds(values)]
    broken = [formula for formula in asked if not formula.holds(values)]
    if not broken:
        return
    found = Neighbourhood(VARIABLES, _about(VARIABLES, stands)).step(values, broken, asked, fixed)
    near = [near for near in _one_step(values, broken[0], fixed) if all(f.holds(near) for f in (*stands, *asked))]
    if found is None:
        assert not near
    else:
        assert found in near


def test_an_exchange_keeps_values_apart() -> None:
    different = AllDifferent((X, Y, Z))
    places = Neighbourhood((X, Y, Z), _about((X, Y, Z), [different]))
    values = {"x": 1, "y": 2, "z": 3}
    assert places.step(values, [X.eq(3)], [], ()) == {"x": 3, "y": 2, "z": 1}
    assert places.step(values, [X.eq(3)], [], ("z",)) is None
    assert places.step(values, [X.eq(3)], [Y.eq(1)], ()) is None
    assert values == {"x": 1, "y": 2, "z": 3}


def test_among_many_nobody_looks_for_a_partner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST_PARTNERS", 2)
    places = Neighbourhood((X, Y, Z), _about((X, Y, Z), [AllDifferent((X, Y, Z))]))
    assert places.step({"x": 1, "y": 2, "z": 3}, [X.eq(3)], [], ()) is None
    assert places.step({"x": 1, "y": 1, "z": 2}, [X.eq(3)], [], ()) == {"x": 3, "y": 1, "z": 2}


def test_all_that_is_broken_has_to_be_mended() -> None:
    both = Neighbourhood(VARIABLES, _about(VARIABLES, []))
    values = {"a": 0, "b": 0, "c": 0, "d": 4, "e": 2}
    assert both.step(values, [A >= 1, A + B >= 2], [], ()) == {**values, "a": 2}
    assert both.step(values, [A >= 1, B <= -1], [], ()) is None


@settings(deadline=None, max_examples=80)
@given(
    st.lists(formulas(), max_size=4),
    st.lists(formulas(), min_size=1, max_size=3),
    st.sampled_from(EVERYTHING),
    st.sets(st.sampled_from(["a", "b", "c"])),
)
def test_a_walk_ends_where_all_holds_or_nowhere(
    drawn: list[Formula], asked: list[Formula], values: dict[str, int], fixed: set[str]
) -> None:
    stands = [formula for formula in drawn if formula.holds(values)]
    broken = [formula for formula in asked if not formula.holds(values)]
    before = dict(values)
    found = Neighbourhood(VARIABLES, _about(VARIABLES, stands)).walk(values, broken, asked, fixed)
    assert values == before
    if found is None:
        return
    changed = {name for name in values if found[name] != values[name]}
    assert all(formula.holds(found) for formula in (*stands, *asked))
    assert found in EVERYTHING and not changed & fixed and len(changed) <= neighbours.MOST_STEPS


def test_a_walk_moves_what_stands_in_the_way_of_a_step() -> None:
    stands: list[Formula] = [X < Y, Y < Z]
    places = Neighbourhood((X, Y, Z), _about((X, Y, Z), stands))
    wide = [Variable(name, IntSort(1, 9)) for name in "xyz"]
    chain: list[Formula] = [wide[0] < wide[1], wide[1] < wide[2]]
    longer = Neighbourhood(wide, _about(tuple(wide), chain))
    values = {"x": 1, "y": 2, "z": 3}
    assert longer.step(values, [wide[0] >= 2], [], ()) is None
    found = longer.walk(values, [wide[0] >= 2], [wide[0] >= 2], ())
    assert found is not None and 2 <= found["x"] < found["y"] < found["z"]
    assert longer.walk(values, [wide[0] >= 2], [wide[0] >= 2], ("y",)) is None
    assert places.walk(values, [X >= 2], [X >= 2], ()) is None, "there is no such answer"
