"""This module tests methods against a reference and the strongest baseline (DRIFT-Bench, tables 1, 3 and 9).

An *arm* is a method with one model. A *baseline* calls the model, and no check changes its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from holdtrue_lab.figures.significance import Paired, benjamini_hochberg, relative_lift
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.pairs import Pair, Solved, by_settings, corrected, rivals
from holdtrue_lab.kit.plays import ACCURACY, AnyPlay, ArmPlays, pooled

DIRECT = "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A `Comparison` is a paired test of `arm` against `other` on one figure, over the problems that both finished.

    Attributes:
        planned: Whether `other` is the reference or the strongest baseline; false for pairs that `every_pair` adds.
        strongest: Whether `other` is the strongest other baseline (in the paper, the 'strongest non-MUS comparator').
        accuracy: The mean of `arm` over turns, in 0..1.
        other_accuracy: The mean of `other` over turns, in 0..1.
        lift: The gain relative to `other_accuracy` (section 5.2).
        mean: The mean of `arm` over problems; each problem counts by the mean of its turns.
        other_mean: The same mean of `other`.
        paired: The test of the difference of these two means.
        holm: The p-value of `paired` after Holm's correction over its family (`corrected`).
        q: The p-value of `paired` after Benjamini-Hochberg's correction.
        solved: The test on solved problems; None if the figure is not accuracy.
    """

    arm: Arm
    other: Arm
    figure: str
    planned: bool
    strongest: bool
    turns: int
    accuracy: float
    other_accuracy: float
    lift: float | None
    mean: float
    other_mean: float
    paired: Paired
    holm: float
    q: float
    solved: Solved | None


C = TypeVar("C", bound=Comparison)


def compare(
    runs: Sequence[Sequence[ArmPlays[AnyPlay]]],
    reference: Callable[[Arm], str] = lambda arm: DIRECT,
    figure: str = ACCURACY,
    *,
    every_pair: bool = False,
) -> tuple[Comparison, ...]:
    """Compare every method with its reference, and with the strongest other baseline.

    `reference` names the method that an arm is compared with, and `figure` the compared figure. Compared arms have the
    same suite, model, protocol and extractor. Only problems that both have finished count. The strongest baseline is
    the first with the highest mean of the figure over turns. No pair is compared twice. If `every_pair` is true, all
    other pairs of methods that call the model follow. They belong to the same family of tests.
    """
    arms = pooled(runs)
    found = [
        comparison_of(pair, planned=True, strongest=strongest)
        for group in by_settings(arms)
        for pair, strongest in _pairs(group, reference, figure)
    ]
    if every_pair:
        done = {frozenset((each.arm, each.other)) for each in found}
        others = (pair.on(figure) for pair in rivals(arms) if frozenset((pair.arm.arm, pair.other.arm)) not in done)
        found += [comparison_of(pair) for pair in others if pair.problems]
    return corrected_together(found)


def _pairs(
    group: Sequence[ArmPlays[AnyPlay]], reference: Callable[[Arm], str], figure: str
) -> Iterator[tuple[Pair[AnyPlay], bool]]:
    """Yield each pair to compare, and whether its second arm is the strongest baseline."""
    named = {arm.arm.method: arm for arm in group}
    done: set[frozenset[Arm]] = set()
    for arm in group:
        base = named.get(reference(arm.arm))
        if arm is base:
            continue
        baselines = [other for other in group if other.baseline and other.plays and other is not arm]
        strongest = max(baselines, key=lambda each: _mean(each, figure), default=None)
        for other in (base, strongest if strongest is not base else None):
            if other is None or frozenset((arm.arm, other.arm)) in done:
                continue
            pair = Pair(arm, other, figure)
            if pair.problems:
                done.add(frozenset((arm.arm, other.arm)))
                yield pair, other is strongest


def _mean(arm: ArmPlays[AnyPlay], figure: str) -> float:
    turns = [value for play in arm.plays.values() for value in play.values(figure).values()]
    return sum(turns) / len(turns) if turns else 0.0


def comparison_of(pair: Pair[Any], *, planned: bool = False, strongest: bool = False) -> Comparison:
    """Return the comparison of one pair; its p-values are not yet corrected."""
    return Comparison(**figures_of(pair, planned=planned, strongest=strongest))


def figures_of(pair: Pair[Any], *, planned: bool = False, strongest: bool = False) -> dict[str, Any]:
    """Return the fields of one pair's `Comparison`, by name."""
    (accuracy, other), (mean, other_mean), test = pair.of_turns, pair.of_problems, pair.test()
    return {
        "arm": pair.arm.arm,
        "other": pair.other.arm,
        "figure": pair.figure,
        "planned": planned,
        "strongest": strongest,
        "turns": pair.turns,
        "accuracy": accuracy,
        "other_accuracy": other,
        "lift": relative_lift(accuracy, other),
        "mean": mean,
        "other_mean": other_mean,
        "paired": test,
        "holm": test.p,
        "q": test.p,
        "solved": pair.solved() if pair.figure == ACCURACY else None,
    }


def corrected_together(found: Iterable[C], apart: Callable[[C], Hashable] = lambda test: None) -> tuple[C, ...]:
    """Return the tests with corrected p-values. Tests of one figure with equal `apart` are corrected together."""

    def family(test: C) -> Hashable:
        return test.figure, apart(test)

    def flipped(test: C) -> float:
        return test.paired.p

    def exact(test: C) -> float | None:
        return None if test.solved is None else test.solved.p

    tests = corrected(found, "holm", flipped, apart=family)
    tests = corrected(tests, "q", flipped, apart=family, by=benjamini_hochberg)
    tests = corrected(tests, "solved.holm", exact, apart=family)
    return corrected(tests, "solved.q", exact, apart=family, by=benjamini_hochberg)
