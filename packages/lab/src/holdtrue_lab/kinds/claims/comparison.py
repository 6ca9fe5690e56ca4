"""Tests over items: of two methods, of one method on changed forms of items, and of its rounds against `cot`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum

from holdtrue_lab.figures.significance import against_half
from holdtrue_lab.figures.statistics import Column, Estimate, Rate, clustered, means
from holdtrue_lab.kinds.claims.measure import ClaimPlay
from holdtrue_lab.kinds.claims.metrics import CONVERGENCE
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.comparison import Comparison, comparison_of, corrected_together
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.pairs import rivals
from holdtrue_lab.kit.plays import ArmPlays, of_originals, pooled


def compare_claims(runs: Sequence[Sequence[ArmPlays[ClaimPlay]]]) -> tuple[Comparison, ...]:
    """Compare every two methods that ask the model, with the same settings, whichever runs played them (`rivals`)."""
    # The order of items does not depend on the order of runs.
    arms = [replace(arm, plays=dict(sorted(arm.plays.items()))) for arm in pooled(runs)]
    return corrected_together(map(comparison_of, rivals(arms)))


Twins = tuple[ClaimPlay, ClaimPlay]
"""An original, and a changed form of it."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One method and one way of changing items (None: all of them), over the pairs of which it has answered both.

    `original`, `changed` and `both` are right answers, `stayed` changed items that got the very letter of the original,
    all of the pairs. `verified` are the claims about changed items that the solver proved or refuted, of all of them,
    and `score` is the mean over those whose claims were verified, each original counting once. Intervals are drawn by
    original.
    (VERGE, appendix D and table 8.)
    """

    arm: Arm
    perturbation: str | None
    pairs: int
    original: Rate
    changed: Rate
    both: Rate
    stayed: Rate
    verified: Rate
    score: Estimate


def perturbed(runs: Sequence[Sequence[ArmPlays[ClaimPlay]]]) -> tuple[Perturbed, ...]:
    """Return for every method how it does on changed items: over all of them, then for each way of changing.

    An item and its original may have been played in different runs. If runs gave an original's id to different items,
    nobody knows which of them was changed, so neither counts.
    """
    return tuple(row for arm in pooled(runs) for row in _rows(arm))


def _rows(arm: ArmPlays[ClaimPlay]) -> Iterable[Perturbed]:
    originals = of_originals(arm)
    found: dict[str, list[Twins]] = {}
    for _, play in sorted(arm.plays.items()):
        if play.variant and play.base in originals:
            found.setdefault(play.base, []).append((originals[play.base], play))
    if not found:
        return
    families = [twins for _, twins in sorted(found.items())]
    yield _row(arm.arm, None, families)
    for way in sorted({changed.variant for twins in families for _, changed in twins}):
        of_way = [[pair for pair in twins if pair[1].variant == way] for twins in families]
        yield _row(arm.arm, way, [twins for twins in of_way if twins])


def _row(arm: Arm, way: str | None, families: Sequence[Sequence[Twins]]) -> Perturbed:
    """Return one row; `families` are the pairs of each original."""
    of = [len(twins) for twins in families]

    def count(read: Callable[[ClaimPlay, ClaimPlay], int]) -> list[int]:
        return [sum(read(*pair) for pair in twins) for twins in families]

    columns: list[Column] = [
        (count(lambda one, two: one.right[1]), of),
        (count(lambda one, two: two.right[1]), of),
        (count(lambda one, two: one.right[1] and two.right[1]), of),
        (count(lambda one, two: two.given is not None and two.given == one.given), of),
        (count(lambda one, two: two.verified[0]), count(lambda one, two: two.verified[1])),
    ]
    original, changed, both, stayed, verified = clustered(columns)
    [score] = means([[_mean([two.score for _, two in twins if two.score is not None]) for twins in families]])
    return Perturbed(arm, way, sum(of), original, changed, both, stayed, verified, score)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


BASELINE = "cot"


@dataclass(frozen=True, slots=True)
class Cliff:
    """One method over the data sets on which it went into a second round.

    `tau` is the mean of Kendall's tau between rounds and accuracy over the data sets that have one, `least` the lowest
    of these. Of `trials` so many have an accuracy `below` the baseline's on the same data set; `chi2` and `p` test that
    share against one half, None and 1 where there is no trial.
    """

    arm: Arm
    data_sets: int
    tau: float | None
    least: float | None
    below: int
    trials: int
    chi2: float | None
    p: float


def cliffs(rows: Sequence[FigureRow]) -> tuple[Cliff, ...]:
    """Return a `Cliff` for each method whose rounds can be told, in the order of the rows (VERGE, figure 3).

    The paper tells of 85.2% of trials and χ² = 26.7, and not what a trial is. 46 of 54 are 85.2%, their χ² against one
    half is 26.74, and 54 are six data sets with nine rounds after the first. So a trial is one later round on one data
    set.
    """
    level = {(row.arm, row.domain): row.accuracy.value for row in rows}
    parted = {row.arm for row in rows if row.domain is not None}
    # Of a single data set there is the row over all of them alone.
    own = [row for row in rows if row.domain is not None or row.arm not in parted]
    several = [row for row in own if len(CONVERGENCE(row).rounds) > 1]
    arms = dict.fromkeys(row.arm for row in several)
    return tuple(_cliff(arm, [row for row in several if row.arm == arm], level) for arm in arms)


def _cliff(arm: Arm, rows: Iterable[FigureRow], level: dict[tuple[Arm, str | None], float | None]) -> Cliff:
    rows = list(rows)
    taus = [tau for row in rows if (tau := CONVERGENCE(row).accuracy.tau) is not None]
    trials = [
        round.accuracy.value < base
        for row in rows
        if (base := level.get((replace(arm, method=BASELINE), row.domain))) is not None
        for round in CONVERGENCE(row).rounds[1:]
        if round.accuracy.value is not None
    ]
    chi2, p = against_half(sum(trials), len(trials))
    tau = fsum(taus) / len(taus) if taus else None
    return Cliff(arm, len(rows), tau, min(taus, default=None), sum(trials), len(trials), chi2, p)
