"""Schedules: formulas against hours, and deadlines against brute force."""

from __future__ import annotations

from random import Random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.search.problem import Difficulty, Gold
from holdtrue.logic.formula import Or
from holdtrue_lab.suites.cegvr.notation import notation
from holdtrue_lab.suites.cegvr.transfer.schedule import Shop, draw_schedule, earliest_end
from tests.lab.suites.cegvr.transfer.naive import by_number, every_start, orderly
from tests.solving.brute import witnesses

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


def test_the_deadline_decides() -> None:
    for gold in get_args(Gold):
        for difficulty in get_args(Difficulty):
            for seed in range(3):
                problem = draw_schedule("p", Random(seed), gold, difficulty)
                known = problem.metadata
                margin = known["deadline"] - known["earliest_end"]
                low, high = {
                    ("sat", "easy"): (3, 4),
                    ("sat", "medium"): (1, 2),
                    ("sat", "hard"): (0, 0),
                    ("unsat", "easy"): (-4, -3),
                    ("unsat", "medium"): (-2, -2),
                    ("unsat", "hard"): (-1, -1),
                }[gold, difficulty]
                assert low <= margin <= high
                assert problem.gold == gold
                assert len(problem.variables) == known["jobs"] == {"easy": 4, "medium": 5, "hard": 6}[difficulty]


def test_no_constraint_is_impossible_by_itself() -> None:
    for seed in range(6):
        problem = draw_schedule("p", Random(seed), "unsat", "easy")
        for formula in problem.formulas.values():
            assert witnesses(sorted(formula.variables, key=str), [formula])
