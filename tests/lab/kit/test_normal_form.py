from __future__ import annotations

from itertools import permutations

from holdtrue.lab.kit.normal_form import any_order


def test_only_the_arguments_that_may_change_places_do() -> None:
    for middle, one, other in permutations(["Cy", "Ann", "Bob"]):
        assert any_order(1)((middle, one, other)) == (middle, *sorted([one, other]))
        assert any_order(stop=-1)((one, other, middle)) == (*sorted([one, other]), middle)
        assert any_order()((middle, one, other)) == ("Ann", "Bob", "Cy")


def test_numbers_have_one_order_too() -> None:
    assert any_order(1)(("Ann", 10, 9)) == any_order(1)(("Ann", 9, 10))
