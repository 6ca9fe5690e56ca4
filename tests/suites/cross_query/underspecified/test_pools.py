from __future__ import annotations

from random import Random

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.suites.cross_query.underspecified.pools import draw_true, every, join, lists_of_names, untold
from tests.suites.cross_query.underspecified.worlds import BY_NAME

PLANT = BY_NAME["fault"].declaration.instance(["pump", "valve", "boiler"])
NAMES = PLANT.entities


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


def test_what_was_told_is_not_asked_however_it_is_spelled() -> None:
    told = [PLANT.constraint("both_work", ["pump", "valve"]), PLANT.constraint("both_work", ["valve", "boiler"])]
    (left,) = untold(Random(1), PLANT, told, every(PLANT, "both_work", NAMES, NAMES))
    assert set(left.args) == {"pump", "boiler"}


def test_a_list_in_words() -> None:
    assert [join(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert join(["a", "b"], "or") == "a or b"


@pytest.mark.parametrize("given", [{}, {"traits": "abc"}, {"traits": []}, {"traits": [1]}, {"traits": ["a"], "x": 1}])
def test_a_setting_that_does_not_fit(given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="investigation"):
        lists_of_names("investigation", given, "traits")
