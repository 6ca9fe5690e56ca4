"""Compare methods over items: with each other, on changed items, and round by round with chain of thought.

A changed item is a variant of an original item, made in one of several ways.
"""

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
    """Compare every two methods that ask the model with the same settings, even if they were played in different runs
    (`rivals`).
    """
    # Items are sorted, so that their order does not depend on the order of runs.
    arms = [replace(arm, plays=dict(sorted(arm.plays.items()))) for arm in pooled(runs)]
    return corrected_together(map(comparison_of, rivals(arms)))


Twins = tuple[ClaimPlay, ClaimPlay]
"""The plays of an original item and of a changed item made from it."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The results of one method on changed items, each paired with its original (VERGE, appendix D, table 8).

    Confidence intervals treat all pairs with one original as one cluster.

    Attributes:
        perturbation: The way in which the items were changed; None for all ways together.
        original: Share of pairs with a right answer to the original. `changed` and `both` are the shares for the
            changed item and for both.
        stayed: Share of pairs in which the changed item got the letter of the original.
        verified: Share of the claims about changed items that the solver proved or refuted.
        score: Mean score of changed items with verified claims. Each original counts once.
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
    """Return the results of every method on changed items: first on all of them, then for each way of changing.

    An item and its original may come from different runs. If runs used an original's id for different items, its pairs
    are left out, because nobody knows which item was changed.
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
    """Return one row; `families` has the pairs of each original."""
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
    """The accuracy of one method over its rounds, compared with chain of thought, on the data sets with a second round.

    Attributes:
        tau: Mean of Kendall's tau between rounds and accuracy, over the data sets for which it is defined.
        least: The lowest tau of a data set.
        trials: Number of later rounds on all data sets.
        below: Number of trials whose accuracy is below that of chain of thought on the same data set.
        chi2: Test statistic of `below` against one half; None without trials.
        p: The p-value of `chi2`; 1 without trials.
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
    """Return a `Cliff` for each method that has several rounds, in the order of the rows (VERGE, figure 3).

    The paper reports 85.2% of trials and χ² = 26.7, without a definition of a trial. 46 of 54 are 85.2%, and their χ²
    against one half is 26.74. Six data sets with nine rounds after the first make 54. So a trial is one later round on
    one data set.
    """
    level = {(row.arm, row.domain): row.accuracy.value for row in rows}
    parted = {row.arm for row in rows if row.domain is not None}
    # With a single data set, the only row of a method is the one over all data sets.
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
