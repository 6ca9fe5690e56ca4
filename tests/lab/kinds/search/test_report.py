"""Runs of searches: their tables, what stands beside a verified rate, and how far they are."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from holdtrue.record import Usage
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.metrics import MEASURE as measure_search
from holdtrue_lab.kinds.search.report import FrontierPoint, SearchReport, frontier
from holdtrue_lab.kinds.search.reporting import REPORTING
from holdtrue_lab.kinds.search.tables import (
    candidates,
    outcomes,
    paired_tests,
    results,
    results_by_difficulty,
    results_by_domain,
)
from holdtrue_lab.kit.report import open_report
from tests.lab.kinds.search.runs import controls, repaired, searches, write
from tests.lab.kinds.search.searched import bad, claim, entry, good
from tests.lab.kinds.written import open_as, printed
from tests.lab.kit.lookup import row

opened = partial(open_as, SearchReport)


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


@pytest.fixture
def report(tmp_path: Path) -> SearchReport:
    return opened(write(tmp_path, [*searches(), *controls()]))


def test_controls_stand_beside_every_verified_rate(tmp_path: Path, report: SearchReport) -> None:
    assert report.controls == {"always_unsat"}
    assert row(results(report), method="always_unsat")["verified %"] == "33.3"
    warning = "always_unsat verifies 33.3% of its 3 trials; random_in_domain was not run here"
    assert report.remarks == (report.caution,)
    assert warning in report.caution
    assert warning in printed(report)
    for table in (results, results_by_domain, results_by_difficulty, outcomes, candidates, paired_tests):
        assert warning in table(report).more
    # Without its rows: one of three problems has no solution, and who always says so is right about that one.
    alone = opened(write(tmp_path / "alone", searches()))
    assert "always_unsat, not run here, would verify 33.3% of the trials of multi_no_feedback" in alone.caution


def test_a_gain_is_told_with_its_test(report: SearchReport) -> None:
    [headline] = REPORTING.headlines(report)
    assert headline.gain.startswith("+66.7 pp at the same budget, paired over 3 problems [")
    assert "2 solved by it alone, 0 by the other alone: McNemar p 0.5000" in headline.gain


def test_a_share_of_nothing_has_no_percent(tmp_path: Path) -> None:
    [headline] = REPORTING.headlines(opened(write(tmp_path, [repaired("p")])))
    [figure] = headline.figures
    assert figure.wrong.startswith("sat certified 100.0%, unsat precision -, recall -, calls per certified solve ")


@pytest.mark.parametrize(
    ("problems", "limit", "planned"), [(6, 1, 2), (6, 2, 4), (6, 9, 6), (7, 2, None), (2, None, 2)]
)
def test_a_limit_counts_originals_each_with_its_variants(
    tmp_path: Path, problems: int, limit: int | None, planned: int | None
) -> None:
    entries = [repaired("p"), repaired("p-renamed", variant="renaming", base="p")]
    [run] = opened(write(tmp_path, entries, limit=limit, problems=problems)).runs
    assert (run.planned, run.finished, run.complete) == (planned, 2, planned == 2)


def test_two_ways_of_asking_are_told_apart(tmp_path: Path) -> None:
    found = open_report([write(tmp_path / str(seed), searches(), seed=seed) for seed in (1, 2)])
    assert isinstance(found, SearchReport)
    models = [f"sim/test, seed {seed}" for seed in (1, 2)]
    assert [group.label for group in found.groups] == [group.label for group in found.bins] == models
    assert {each.arm.model for each in found.comparisons} == set(models)
    assert list(found.frontier) == models
