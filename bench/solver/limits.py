"""What each row must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.solver.task import Row

SLOW_TWIN = 1.3
"""A twin that takes so many times what it took elsewhere flatters the ratio."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The least ratio to the twin, and the most of everything else: microseconds, and figures by name.

    `rebuild_us` is the median that a fresh z3 solver for each check took for the same work when the limits were set
    (the upper end, where several kinds of problems differ).
    """

    ratio: float | None = None
    median_us: float | None = None
    p99_us: float | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    rebuild_us: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One figure of a row against its limit."""

    name: str
    value: float
    limit: float
    met: bool


LIMITS: Mapping[str, Limit] = {
    "sat": Limit(50, 80, rebuild_us=2_873),
    "complete": Limit(500, 10, rebuild_us=16_402),
    "partial": Limit(200, 20, rebuild_us=3_069),
    "mus": Limit(300, 150, 10_000, rebuild_us=36_500),
    "mcs": Limit(500, 100, rebuild_us=56_000),
    "minimum_mcs": Limit(40, 400, rebuild_us=35_000),
    "nearest": Limit(60, 200, 2_000, rebuild_us=11_200),
    "classify": Limit(80, 100, rebuild_us=7_000),
    "turn": Limit(80, 500, rebuild_us=26_000),
    "more_sat_50": Limit(rebuild_us=8_000),
    "more_sat_5000": Limit(median_us=4_000, figures={"times the first": 15}, rebuild_us=643_000),
    "more_turn_5000": Limit(median_us=4_000, figures={"times the first": 15}),
    "queries": Limit(figures={"MB more": 10, "last part to first": 1.5}),
}


def judge(row: Row) -> list[Check]:
    """Every limit of the row that it has a figure for."""
    limit = LIMITS.get(row.key, Limit())
    checks = []
    if limit.ratio is not None and row.ratio is not None:
        checks.append(Check("ratio", row.ratio, limit.ratio, row.ratio >= limit.ratio))
    values = {"median us": row.own.median_us, "p99 us": row.own.p99_us, **row.figures}
    most = {"median us": limit.median_us, "p99 us": limit.p99_us, **limit.figures}
    for name, bound in most.items():
        if bound is not None and name in values:
            checks.append(Check(name, values[name], bound, values[name] <= bound))
    return checks


def doubt(row: Row) -> str | None:
    """Why the row's ratio is too good, if it is."""
    column = LIMITS.get(row.key, Limit()).rebuild_us
    if column is None or not row.twin.spent or row.twin.median_us <= SLOW_TWIN * column:
        return None
    more = row.twin.median_us / column - 1
    return (
        f"the twin takes {more:.0%} more than it did when the limits were set ({column:,.0f} us): against that "
        f"figure the ratio is {column / row.own.median_us:,.0f}"
    )
