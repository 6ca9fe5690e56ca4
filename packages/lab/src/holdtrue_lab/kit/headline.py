"""The headline of a report: a few numbers for each model, in the form that all kinds of answers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from holdtrue_lab.figures.cells import p_value, points, points_interval
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.groups import Group, Row
from holdtrue_lab.kit.pairs import OfArm
from holdtrue_lab.kit.runs import Runs

_INTERVALS = {"bootstrap": "bootstrap", "wilson": "Wilson"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One method in the headline: its accuracy, and in smaller letters what its wrong turns are."""

    method: str
    accuracy: str
    wrong: str
    scored: str


@dataclass(frozen=True, slots=True)
class Headline:
    """A model's best method without checks, its best method with checks, and in words the gain of the second.

    `cost` says what the second one gains over the plainest method, and what that costs.
    """

    model: str
    figures: tuple[Figure, ...]
    gain: str
    cost: str = ""


def strongest_pair(report: Runs[Any], group: Group[Any]) -> tuple[Any | None, Any | None]:
    """Return the rows of a model's best baseline, and of its best other method that asks it; each may be None."""
    baselines = report.baselines
    rows = [row for row in group.whole if row.accuracy.value is not None and row.arm.method not in report.controls]
    base = best_of((row for row in rows if row.arm in baselines), _accuracy)
    return base, best_of((row for row in rows if row.arm not in baselines), _accuracy)


def best_of(rows: Iterable[Row], value: Callable[[Row], float | None]) -> Row | None:
    """The first row with the highest value; None without any row."""
    return max(rows, key=lambda row: value(row) or 0.0, default=None)


def _accuracy(row: Any) -> float | None:
    value: float | None = row.accuracy.value
    return value


class Compared(OfArm, Protocol):
    """A comparison of two methods: how many problems only one of them has right, and the paired difference."""

    @property
    def other(self) -> Arm: ...
    @property
    def only_arm(self) -> int: ...
    @property
    def only_other(self) -> int: ...
    @property
    def paired(self) -> Paired: ...
    @property
    def mcnemar(self) -> float: ...
    @property
    def holm(self) -> float: ...


def is_between(each: Compared, one: Arm, two: Arm) -> bool:
    """Return whether a comparison is between these two arms, in either order."""
    return {each.arm, each.other} == {one, two}


def difference_words(found: Paired, over: str, aside: str = "") -> str:
    """Return a paired difference in words, `over` so many problems, with its interval and the name of its method;
    `aside` says how the two were paired.
    """
    return (
        f"{points(found.difference)} pp{aside}, paired over {over} {points_interval(found.low, found.high)} "
        f"(each counts once; 95% {_INTERVALS[found.interval]} interval)"
    )


def gain_words(each: Compared, base: Arm, over: str, *, done: str, aside: str = "") -> str:
    """Return in words what the other method adds to `base`: `over` so many problems, which it has `done` alone;
    `aside` says how."""
    turned, paired = each.arm == base, each.paired
    if turned:
        paired = replace(paired, difference=-paired.difference, low=-paired.high, high=-paired.low)
    only, other = (each.only_other, each.only_arm) if turned else (each.only_arm, each.only_other)
    return (
        f"{difference_words(paired, over, aside)}; {only} {done} by it alone, {other} by the other alone: "
        f"McNemar p {p_value(each.mcnemar)}, after Holm {p_value(each.holm)}"
    )
