"""Paired tests over items: of two methods on the same questions, and of one method on questions and their changed
forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue_lab.figures.significance import Paired, benjamini_hochberg
from holdtrue_lab.figures.statistics import Column, Estimate, Rate, clustered, means
from holdtrue_lab.kinds.claims.measure import ClaimPlay
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.pairs import Pair, corrected, rivals
from holdtrue_lab.kit.plays import ArmPlays, of_originals, pooled


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """`arm` against `other`, which differ in the method alone, over the original items that both have answered.

    `accuracy` and `other_accuracy` are in 0..1. `only_arm` and `only_other` are the items that one arm has right and
    the other has not, `mcnemar` the p-value of the exact test on them, and `paired` the difference of the accuracies
    with its interval, and the p-value of flipping signs. `holm`, `q` and `paired_holm` are the first after Holm and
    after Benjamini-Hochberg, and the second after Holm, over the family (`corrected`). `score` compares the scores of
    claims, over the items whose claims were verified under both; None where there is none, and `score_holm` is its
    p-value after Holm.
    """

    arm: Arm
    other: Arm
    items: int
    accuracy: float
    other_accuracy: float
    only_arm: int
    only_other: int
    mcnemar: float
    holm: float
    q: float
    paired: Paired
    paired_holm: float
    score: Paired | None
    score_holm: float | None


def compare_claims(runs: Sequence[Sequence[ArmPlays[ClaimPlay]]]) -> tuple[ClaimComparison, ...]:
    """Compare every two methods that ask the model, with the same settings, whichever runs played them (`rivals`)."""
    # The order of items does not depend on the order of runs.
    arms = [replace(arm, plays=dict(sorted(arm.plays.items()))) for arm in pooled(runs)]
    found = tuple(map(_comparison, rivals(arms)))
    found = corrected(found, "holm", lambda each: each.mcnemar)
    found = corrected(found, "q", lambda each: each.mcnemar, by=benjamini_hochberg)
    found = corrected(found, "paired_holm", lambda each: each.paired.p)
    return corrected(found, "score_holm", lambda each: None if each.score is None else each.score.p)


def _comparison(pair: Pair[ClaimPlay]) -> ClaimComparison:
    """Compare one pair; its p-values are not yet corrected for others."""
    (accuracy, other_accuracy), solved, test = pair.of_problems, pair.solved(), pair.test()
    scores = pair.on("score")
    score = scores.test() if scores.problems else None
    return ClaimComparison(
        arm=pair.arm.arm,
        other=pair.other.arm,
        items=len(pair.problems),
        accuracy=accuracy,
        other_accuracy=other_accuracy,
        only_arm=solved.only_arm,
        only_other=solved.only_other,
        mcnemar=solved.p,
        holm=solved.p,
        q=solved.p,
        paired=test,
        paired_holm=test.p,
        score=score,
        score_holm=None if score is None else score.p,
    )


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
