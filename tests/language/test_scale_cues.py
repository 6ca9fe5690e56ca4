"""Who comes first in a list of numbers is told by words that compare them, and in no other list."""

from __future__ import annotations

import pytest

from holdtrue.language.direction import first_on_scale
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import find_domain

GRID = Instance(
    find_domain("logic_grid"),
    ["Ann", "Bob"],
    {
        "categories": {
            "floor": ["1", "2", "3"],
            "price": ["$30", "$20", "$10"],
            "pet": ["Cat", "Dog"],
            "coat": ["Small", "Large"],
            "place": ["First", "Second"],
        }
    },
)


@pytest.mark.parametrize(
    ("sentence", "attribute", "first"),
    [
        ("Ann lives below Bob", "floor", "Ann"),
        ("Ann's flat is on a higher floor than Bob's", "floor", "Bob"),
        ("Ann paid more than Bob", "price", "Ann"),
        ("Ann spent less than Bob", "price", "Bob"),
        ("A lower floor for Ann than for Bob", "floor", "Ann"),
        ("Ann's floor > Bob's", "floor", "Bob"),
        ("Ann went and got herself a bigger coat than Bob", "coat", "Bob"),
        ("Ann ranks above Bob", "pet", None),  # no numbers
        ("Ann does not live above Bob", "floor", None),
        ("Ann and Bob live above", "floor", None),
        ("Ann lives with Bob", "floor", None),
        ("above is Ann", "floor", None),
    ],
)
def test_the_smaller_number_comes_first_in_a_list_that_counts_up(
    sentence: str, attribute: str, first: str | None
) -> None:
    for args in (("Ann", "Bob", attribute), ("Bob", "Ann", attribute)):
        assert first_on_scale(GRID, sentence, Constraint("ordered", args)) == first
