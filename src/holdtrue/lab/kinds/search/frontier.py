"""The cost frontier of a search report: the methods that no other beats in both cost and verified rate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.statistics import Estimate, Rate
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.arm import Arm

COSTS = ("calls", "generated", "solver_calls")


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One method that asks the model: how much it verified, and what it spent on a trial.

    `spent` are means over trials. `best` says for each of `COSTS` whether the method is on the frontier: no other one
    verified at least as much and spent no more, and was better in one of the two. A method that was shown solutions of
    the solver is on no frontier, and keeps none off it.
    """

    arm: Arm
    title: str
    verified: Rate
    spent: Mapping[str, Estimate]
    best: Mapping[str, bool]


def frontier(rows: Iterable[SearchRow]) -> tuple[FrontierPoint, ...]:
    """Return a point for each method that asks the model, in the order of `rows`.

    A method is compared only with those of the same suite, model and budget, and by its estimates alone: intervals do
    not matter.
    """
    groups: dict[Arm, list[SearchRow]] = {}
    for row in rows:
        if row.domain is None and row.difficulty is None and row.asks_model and row.trials:
            groups.setdefault(replace(row.arm, method=""), []).append(row)
    return tuple(_point(row, group) for group in groups.values() for row in group)


def _point(row: SearchRow, group: Sequence[SearchRow]) -> FrontierPoint:
    spent = {cost: getattr(row.costs, cost).per_trial for cost in COSTS}
    rivals = [other for other in group if not other.revealed and other is not row]
    best = {cost: not row.revealed and not any(_beats(other, row, cost) for other in rivals) for cost in COSTS}
    return FrontierPoint(row.arm, row.title, row.verified, spent, best)


def _beats(one: SearchRow, two: SearchRow, cost: str) -> bool:
    """Return whether `one` is at least as good as `two` in both figures, and better in one."""
    gains = (_value(one.verified) - _value(two.verified), _cost(two, cost) - _cost(one, cost))
    return min(gains) >= 0 and max(gains) > 0


def _cost(row: SearchRow, cost: str) -> float:
    return _value(getattr(row.costs, cost).per_trial)


def _value(figure: Rate | Estimate) -> float:
    return figure.value or 0.0
