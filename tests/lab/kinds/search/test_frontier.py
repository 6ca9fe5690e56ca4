from __future__ import annotations

from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kinds.search.frontier import FrontierPoint, frontier
from holdtrue.lab.kinds.search.measure import measure_search
from holdtrue.record import Usage
from tests.lab.kinds.search.searched import bad, claim, entry, good


def arm(
    method: str, solved: int, calls: int, *, generated: int = 10, asked: int = 0, protocol: str = "4x4"
) -> list[SearchEntry]:
    """Four problems, so many of them solved, all with so many calls."""
    return [
        entry(
            f"p{i}",
            *[bad()] * (calls - 1),
            good() if i < solved else bad(),
            method=method,
            usage=Usage(1, 100, generated, 0.1),
            solver_calls=asked,
            protocol=protocol,
        )
        for i in range(4)
    ]


def points(*arms: list[SearchEntry]) -> dict[str, FrontierPoint]:
    found = frontier(measure_search([each for one in arms for each in one]).rows)
    return {point.title: point for point in found}


def test_a_point_is_on_the_frontier_where_nothing_is_better() -> None:
    found = points(
        arm("one_shot", 1, 1),
        arm("multi_no_feedback", 2, 4),
        arm("multi_generic_feedback", 2, 3, generated=20),
        arm("cd_vgs", 3, 4, asked=5),
    )
    assert {title: dict(point.best) for title, point in found.items()} == {
        "one_shot": {"calls": True, "generated": True, "solver_calls": False},
        "multi_no_feedback": {"calls": False, "generated": False, "solver_calls": True},
        "multi_generic_feedback": {"calls": True, "generated": False, "solver_calls": True},
        "cd_vgs": {"calls": True, "generated": True, "solver_calls": True},
    }
    assert found["cd_vgs"].verified.value == 0.75
    assert {cost: spent.value for cost, spent in found["multi_generic_feedback"].spent.items()} == {
        "calls": 3.0,
        "generated": 60.0,
        "solver_calls": 0.0,
    }


def test_equals_are_both_on_the_frontier() -> None:
    found = points(arm("multi_no_feedback", 2, 2), arm("cd_vgs", 2, 2))
    assert all(best for point in found.values() for best in point.best.values())


def test_a_revealed_witness_neither_stands_on_the_frontier_nor_keeps_others_off() -> None:
    found = points(arm("cd_vgs_core_rank", 1, 4), arm("cd_vgs_core_rank+witness", 4, 2))
    assert [any(point.best.values()) for point in found.values()] == [True, False]


def test_budgets_are_not_mixed_and_controls_have_no_point() -> None:
    control = [entry(f"p{i}", claim(False), method="always_unsat", usage=Usage()) for i in range(4)]
    found = points(arm("multi_no_feedback", 1, 4), arm("cd_vgs", 4, 1, protocol="2x2"), control)
    assert {title: point.best["calls"] for title, point in found.items()} == {
        "multi_no_feedback": True,
        "cd_vgs": True,
    }
