from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import bounded
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr.generate import Shape, System, draw_system, reach


def span(term: tuple[int, Variable]) -> list[int]:
    factor, variable = term
    return sorted(factor * end for end in bounded(variable.sort))


SHAPE = Shape((3, 4), slack=(0, 2))


def drawn(seed: int) -> System:
    rng = Random(seed)
    return draw_system(rng, SHAPE, *SHAPE.draw(rng))


@pytest.mark.parametrize("settings", [{"variables": (1, 3)}, {"variables": (3, 4), "slack": (-1, 2)}])
def test_shapes_that_cannot_be_are_errors(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="two variables or more"):
        Shape(**settings)


@pytest.mark.parametrize("sign", [1, -1])
def test_reach_is_what_trying_all_values_finds(sign: int) -> None:
    for seed in range(6):
        system = drawn(seed)
        names = [one.name for one in system.variables]
        rest = list(system.formulas(without=0).values())
        values = [
            system.constraints[0].value(values)
            for row in product(*(one.sort.values for one in system.variables))
            if all(one.holds(values := dict(zip(names, row, strict=True))) for one in rest)
        ]
        found = reach(make_engine(system.variables), system, 0, sign)
        assert found.value == (max(values) if sign > 0 else min(values))
        assert system.constraints[0].value(found.witness) == found.value
        ends = [sum(ends) for ends in zip(*(span(one) for one in system.constraints[0].terms), strict=True)]
        assert [found.start, found.limit] == ends[::sign]
        assert found.has_room(0, 0) == (found.value != found.start)
        assert not found.has_room(0, abs(found.limit - found.value) + 1)
        assert not found.has_room(abs(found.value - found.start), 0)
        assert found.within(2) * sign < found.value * sign < found.beyond(1) * sign
