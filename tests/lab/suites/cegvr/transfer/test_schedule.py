"""Schedules: formulas are compared with hours, and deadlines with brute force."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Or
from holdtrue_lab.suites.cegvr.files import notation
from holdtrue_lab.suites.cegvr.transfer import Shop, earliest_end
from tests.lab.suites.cegvr.transfer.naive import by_number, every_start, orderly

SHOP = Shop(durations=(2, 1, 2), before=((0, 2),), machines=((0, 1), (2,)))


@settings(max_examples=15, deadline=None)
@given(
    durations=st.tuples(st.integers(1, 3), st.integers(1, 2), st.integers(1, 2)),
    before=st.lists(st.sampled_from([(0, 1), (0, 2), (2, 1)]), max_size=2, unique=True).map(tuple),
    machines=st.sampled_from([((0, 1, 2), ()), ((0, 1), (2,)), ((1, 2), (0,)), ((0,), (1, 2))]),
)
def test_formulas_say_what_hours_say(
    durations: tuple[int, ...], before: tuple[tuple[int, int], ...], machines: tuple[tuple[int, ...], ...]
) -> None:
    shop = Shop(durations, before, machines)
    ends = []
    for starts in every_start(durations):
        values = {variable.name: start for variable, start in zip(shop.starts, starts, strict=True)}
        kept = orderly(durations, before, machines, starts)
        assert all(formula.holds(values) for formula in shop.order()) is kept
        end = max(start + duration for start, duration in zip(starts, durations, strict=True))
        assert all(formula.holds(values) for formula in shop.ends(4)) is (end <= 4)
        if kept:
            ends.append(end)
    earliest, witness = earliest_end(shop)
    assert earliest == min(ends)
    assert orderly(durations, before, machines, by_number(witness))


def test_an_order_that_is_told_needs_no_machine() -> None:
    shop = Shop(durations=(2, 1), before=((1, 0),), machines=((0, 1), ()))
    assert [notation(formula) for formula in shop.order()] == ["s1 - s2 >= 1"]
    assert [isinstance(formula, Or) for formula in SHOP.order()] == [False, True]
