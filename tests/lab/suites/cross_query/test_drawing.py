from __future__ import annotations

from random import Random

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue_lab.suites.cross_query.drafts import draw_constraint, draw_true, every, lists_of_names
from tests.lab.suites.cross_query.underspecified.worlds import BY_NAME


@pytest.mark.parametrize("given", [{}, {"traits": "abc"}, {"traits": []}, {"traits": [1]}, {"traits": ["a"], "x": 1}])
def test_a_setting_that_does_not_fit(given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="investigation"):
        lists_of_names("investigation", given, "traits")


PLANT = BY_NAME["fault"].declaration.instance(["pump", "valve", "boiler"])
NAMES = PLANT.entities


def test_values_are_those_of_the_attribute_that_is_named() -> None:
    grid = LOGIC_GRID.instance(["Ann", "Bob"])
    rng = Random(3)
    drawn = {draw_constraint(rng, grid, "assign").args[1:] for _ in range(400)}
    sorts = {name: own.sort for name, own in grid.attributes.items()}
    labels = {name: sort.labels for name, sort in sorts.items() if isinstance(sort, EnumSort)}
    assert drawn == {(name, label) for name, own in labels.items() for label in own}


def test_every_constraint_of_a_type_is_there_once() -> None:
    assert len(every(PLANT, "works", NAMES)) == 3
    assert len(every(PLANT, "both_work", NAMES, NAMES)) == 3
    assert len(every(PLANT, "depends", NAMES, NAMES)) == 6
    with pytest.raises(ConstraintError, match="gate"):
        every(PLANT, "works", ["gate"])


def test_only_what_is_true_is_drawn_and_no_more_than_wanted() -> None:
    truth = {f"{name}.{what}": int(name == "pump") for name in NAMES for what in ("state", "alarm")}
    among = every(PLANT, "works", NAMES)
    assert draw_true(Random(1), PLANT, truth, among, 3) == [among[0]]
    assert draw_true(Random(1), PLANT, truth, among, 0) == []
