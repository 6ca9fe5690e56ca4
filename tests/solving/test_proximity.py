from __future__ import annotations

from collections.abc import Sequence

import pytest

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Near
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE

LINE = [Variable(f"x{number}", IntSort(0, 2)) for number in range(20)]


@pytest.mark.parametrize("order", [range(20), range(19, -1, -1), (7, 19, 3, 12, 8)])
def test_the_counter_is_exact_however_its_bounds_are_asked_for(order: Sequence[int]) -> None:
    engine = SatEngine(LINE)
    for changes in order:
        near = Near({variable.name: 1 for variable in LINE}, changes)
        possible = {variable.name: variable.eq(2) for variable in LINE[:changes]}
        assert isinstance(engine.check(possible, AMPLE, near=near), Satisfiable)
        impossible = {variable.name: variable.eq(2) for variable in LINE[: changes + 1]}
        result = engine.check(impossible, AMPLE, near=near)
        assert result == Core(tuple(impossible))


def test_targets_outside_their_sorts_use_up_changes() -> None:
    engine = SatEngine(LINE)
    target = {"x0": 5, "x1": -1, "x2": 1}
    assert engine.check({}, AMPLE, near=Near(target, 1)) == Core(())
    two = engine.check({}, AMPLE, near=Near(target, 2))
    assert isinstance(two, Satisfiable)
    assert two.witness["x2"] == 1
    assert isinstance(engine.check({"c": LINE[2].eq(0)}, AMPLE, near=Near(target, 2)), Core)
    assert isinstance(engine.check({"c": LINE[2].eq(0)}, AMPLE, near=Near(target, 3)), Satisfiable)
