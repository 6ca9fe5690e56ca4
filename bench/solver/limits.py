"""What each row must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.solver.task import Row

SLOW_TWIN = 1.3
"""A twin that takes so many times what it took elsewhere flatters the ratio."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The least ratio to the twin in the same run, and the most of other figures, by name, which are ratios as well.

    Times by themselves are told, and judged nowhere: they say as much of the machine. `rebuild_us` is the median that a
    fresh z3 solver for each check took for the same work when the limits were set
    (the upper end, where several kinds of problems differ).
    """

    ratio: float | None = None
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
    "sat": Limit(50, rebuild_us=2_873),
    "first": Limit(10, rebuild_us=2_873),
    "complete": Limit(500, rebuild_us=16_402),
    "partial": Limit(200, rebuild_us=3_069),
    "mus": Limit(300, rebuild_us=36_500),
    "mcs": Limit(500, rebuild_us=56_000),
    "minimum_mcs": Limit(40, rebuild_us=35_000),
    "nearest": Limit(60, rebuild_us=11_200),
    "classify": Limit(80, rebuild_us=7_000),
    "turn": Limit(80, rebuild_us=26_000),
    "more_sat_50": Limit(rebuild_us=8_000),
    "more_sat_5000": Limit(figures={"times the first": 5}, rebuild_us=643_000),
    "more_turn_5000": Limit(figures={"times the first": 5}),
    "queries": Limit(figures={"MB more": 10, "last part to first": 1.2}),
}


def judge(row: Row) -> list[Check]:
    """Every limit of the row that it has a figure for."""
    limit = LIMITS.get(row.key, Limit())
    checks = []
    if limit.ratio is not None and row.ratio is not None:
        checks.append(Check("ratio", row.ratio, limit.ratio, row.ratio >= limit.ratio))
    for name, bound in limit.figures.items():
        if name in row.figures:
            checks.append(Check(name, row.figures[name], bound, row.figures[name] <= bound))
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
