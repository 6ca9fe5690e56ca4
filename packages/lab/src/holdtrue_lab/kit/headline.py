"""This module makes the headline of a report, a few numbers for each model, for all kinds of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from holdtrue_lab.figures.cells import p_value, points, points_interval
from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison
from holdtrue_lab.kit.groups import Group, Row
from holdtrue_lab.kit.runs import Runs
from holdtrue_lab.kit.words import Number

_INTERVALS = {"bootstrap": "bootstrap", "wilson": "Wilson"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A `Figure` is one method in the headline: its accuracy, and details of its wrong turns."""

    method: str
    accuracy: str
    wrong: str
    scored: str


@dataclass(frozen=True, slots=True)
class Headline:
    """A `Headline` is about a model's best method without checks, and its best method with checks.

    `gain` describes the gain of the second method over the first. `cost` describes its gain over the plainest method,
    and the cost of that gain.
    """

    model: str
    figures: tuple[Figure, ...]
    gain: str
    cost: str = ""


def strongest_pair(report: Runs[Any], group: Group[Any]) -> tuple[Any | None, Any | None]:
    """Return the rows of a model's best baseline, and of its best other method that calls it. Each may be None."""
    baselines = report.baselines
    rows = [row for row in group.whole if row.accuracy.value is not None and row.arm.method not in report.controls]
    base = best_of((row for row in rows if row.arm in baselines), _accuracy)
    return base, best_of((row for row in rows if row.arm not in baselines), _accuracy)


def over_plain(method: str) -> Callable[[Any, Group[Any]], tuple[Any | None, Any | None]]:
    """Return a function that finds the rows of the plain `method` and of the best other one.

    It serves kinds of answers whose plain method always has the same name. Controls are left out. Each row may be None.
    """

    def find(report: Any, group: Group[Any]) -> tuple[Any | None, Any | None]:
        rows = [row for row in group.whole if row.finished and row.arm.method not in report.controls]
        plain = next((row for row in rows if row.arm.method == method), None)
        return plain, best_of((row for row in rows if row is not plain), _accuracy)

    return find


def gain_over_plain(done: str, unit: str) -> Callable[[Any, Any, Any], str]:
    """Return a function that describes the gain of a method over the plain one.

    `done` names the answers that accuracy counts, such as "exact readings", and `unit` is the word for a problem.
    """

    def say(report: Any, best: Any, base: Any) -> str:
        for each in report.comparisons:
            if (each.arm, each.other) == (best.arm, base.arm):
                told = difference_words(each.paired, f"{Number(each.paired.problems):{unit}}")
                return f"{done} of {best.title} over {base.title} {told}, after Holm p {p_value(each.holm)}"
        return ""

    return say


def best_of(rows: Iterable[Row], value: Callable[[Row], float | None]) -> Row | None:
    """Return the first row with the highest value; None if there is no row."""
    return max(rows, key=lambda row: value(row) or 0.0, default=None)


def _accuracy(row: Any) -> float | None:
    value: float | None = row.accuracy.value
    return value


def is_between(each: Comparison, one: Arm, two: Arm) -> bool:
    """Return whether a comparison is between these two arms, in either order."""
    return {each.arm, each.other} == {one, two}


def difference_words(found: Paired, over: str, aside: str = "") -> str:
    """Return a paired difference in words with its interval.

    `over` is the number of problems in words, and `aside` says how they were paired.
    """
    return (
        f"{points(found.difference)} pp{aside}, paired over {over} {points_interval(found.low, found.high)} "
        f"(each counts once; 95% {_INTERVALS[found.interval]} interval)"
    )


def gain_words(each: Comparison, base: Arm, over: str, *, done: str, aside: str = "") -> str:
    """Return in words the gain of the other method over `base`.

    `over` is the number of problems in words, `done` the verb for solving one, and `aside` says how they were paired.
    """
    turned, paired, solved = each.arm == base, each.paired, each.solved
    assert solved is not None  # the headline is about accuracy
    if turned:
        paired = replace(paired, difference=-paired.difference, low=-paired.high, high=-paired.low)
    only, other = (solved.only_other, solved.only_arm) if turned else (solved.only_arm, solved.only_other)
    return (
        f"{difference_words(paired, over, aside)}; {only} {done} by it alone, {other} by the other alone: "
        f"McNemar p {p_value(solved.p)}, after Holm {p_value(solved.holm)}"
    )
