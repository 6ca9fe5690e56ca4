from __future__ import annotations

from itertools import permutations

from holdtrue_lab.kit.constraints import any_order, sharing
from tests.lab.suites.cross_query.toy import ROW


def test_only_the_arguments_that_may_change_places_do() -> None:
    for middle, one, other in permutations(["Cy", "Ann", "Bob"]):
        assert any_order(1)((middle, one, other)) == (middle, *sorted([one, other]))
        assert any_order(stop=-1)((one, other, middle)) == (*sorted([one, other]), middle)
        assert any_order()((middle, one, other)) == ("Ann", "Bob", "Cy")


def test_numbers_have_one_order_too() -> None:
    assert any_order(1)(("Ann", 10, 9)) == any_order(1)(("Ann", 9, 10))


INSTANCE = ROW.instance(["Ann", "Ben", "Cleo", "Dan"], {"seats": 4})


def test_a_statement_shares_with_all_earlier_ones_about_somebody_in_it() -> None:
    asked = [("left", ["Ann", "Ben"]), ("at", ["Cleo", 1]), ("beside", ["Ben", "Cleo"]), ("at", ["Dan", 1])]
    assert sharing(INSTANCE, [INSTANCE.constraint(*each) for each in asked]) == [(), (), (0, 1), ()]
