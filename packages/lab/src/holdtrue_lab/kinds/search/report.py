"""The report of runs of searches: their rows, how methods compare, and which no other beats in cost and rate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from holdtrue_lab.figures.cells import divide, percent
from holdtrue_lab.figures.statistics import Estimate, Rate
from holdtrue_lab.kinds.search.comparison import Robustness, SearchComparison, compare_searches, robustness
from holdtrue_lab.kinds.search.metrics import COUNT, PER_TRIAL, RECALL, VERIFIED
from holdtrue_lab.kinds.search.row import SearchRow
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.groups import Group, group
from holdtrue_lab.kit.runs import Runs

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
        if row.domain is None and row.difficulty is None and row.asks_model and COUNT(row):
            groups.setdefault(replace(row.arm, method=""), []).append(row)
    return tuple(_point(row, group) for group in groups.values() for row in group)


def _point(row: SearchRow, group: Sequence[SearchRow]) -> FrontierPoint:
    spent = {cost: PER_TRIAL[cost](row) for cost in COSTS}
    rivals = [other for other in group if not other.revealed and other is not row]
    best = {cost: not row.revealed and not any(_beats(other, row, cost) for other in rivals) for cost in COSTS}
    return FrontierPoint(row.arm, row.title, VERIFIED(row), spent, best)


def _beats(one: SearchRow, two: SearchRow, cost: str) -> bool:
    """Return whether `one` is at least as good as `two` in both figures, and better in one."""
    gains = (_value(VERIFIED(one)) - _value(VERIFIED(two)), _cost(two, cost) - _cost(one, cost))
    return min(gains) >= 0 and max(gains) > 0


def _cost(row: SearchRow, cost: str) -> float:
    return _value(PER_TRIAL[cost](row))


def _value(figure: Rate | Estimate) -> float:
    return figure.value or 0.0


ALWAYS_UNSAT, RANDOM_IN_DOMAIN = "always_unsat", "random_in_domain"


@dataclass(frozen=True, kw_only=True)
class SearchReport(Runs[SearchRow]):
    """Several runs of searches side by side.

    `comparisons` has every two methods at the same budget, and `robustness` how each method does on rewritten problems.
    """

    JSON_PROPERTIES: ClassVar[tuple[str, ...]] = ("comparisons", "robustness", "frontier")
    ACROSS_METHODS: ClassVar[bool] = True

    @cached_property
    def bins(self) -> tuple[Group[SearchRow], ...]:
        """The rows of each difficulty by itself, grouped by model; `groups` has those over all difficulties."""
        return group([(run.folder, run.measured.bins) for run in self.runs], self.names)

    @cached_property
    def comparisons(self) -> tuple[SearchComparison, ...]:
        return compare_searches(self.plays)

    @cached_property
    def robustness(self) -> tuple[Robustness, ...]:
        return robustness(self.plays)

    @cached_property
    def frontier(self) -> Mapping[str, tuple[FrontierPoint, ...]]:
        """Return by the model's name which methods verify the most for what they spend."""
        return {each.label: frontier(each.whole) for each in self.groups}

    @cached_property
    def singles(self) -> frozenset[Arm]:
        """The arms that make a single call, whatever the budget."""
        return frozenset(arm.arm for plays in self.plays for arm in plays if arm.single)

    @cached_property
    def caution(self) -> str:
        """The warning that a verified rate is worth what it adds to controls, and how the controls score.

        The score of `always_unsat` is worked out from the gold labels where it was not run.
        """
        rows = [row for row in self.rows if COUNT(row)]
        played = {row.arm.method: row for row in rows}
        most = max(rows, key=COUNT, default=None)
        scores = []
        for method in (ALWAYS_UNSAT, RANDOM_IN_DOMAIN):
            row = played.get(method)
            if row is not None:
                scores.append(f"{method} verifies {percent(VERIFIED(row).value)}% of its {COUNT(row)} trials")
            elif method == ALWAYS_UNSAT and most is not None:
                share = percent(divide(RECALL(most).of, COUNT(most)))
                scores.append(f"{method}, not run here, would verify {share}% of the trials of {most.title}")
            else:
                scores.append(f"{method} was not run here")
        return (
            "A verified rate is worth what it adds to controls that never ask a model, and to asking as often without "
            f"feedback: {'; '.join(scores)}."
        )
