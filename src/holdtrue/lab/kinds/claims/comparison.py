"""Methods that answer questions against each other, paired over items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.significance import Paired, benjamini_hochberg, holm, mcnemar, paired
from holdtrue.lab.kinds.claims.plays import ClaimPlay, ClaimPlays, pooled_claims
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.rivals import rivals


@dataclass(frozen=True, slots=True)
class ClaimComparison:
    """`arm` against `other`, which differ in the method alone, over the original items that both have answered.

    `accuracy` and `other_accuracy` are in 0..1. `only_arm` and `only_other` are the items that one arm has right and
    the other has not, `mcnemar` the p-value of the exact test on them, and `paired` the difference of the accuracies
    with its interval, and the p-value of flipping signs. `holm`, `q` and `paired_holm` are the first after Holm and
    after Benjamini-Hochberg, and the second after Holm, over the family: all pairs of methods of one suite, model and
    settings. `score` compares the scores of claims, over the items whose claims were verified under both; None where
    there is none, and `score_holm` is its p-value after Holm.
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


def compare_claims(runs: Sequence[Sequence[ClaimPlays]]) -> tuple[ClaimComparison, ...]:
    """Every two methods that ask the model, with the same settings, in whichever run they were played (`rivals`)."""
    found: list[ClaimComparison] = []
    for pairs in rivals(pooled_claims(runs)):
        alone = [_comparison(arm, other) for arm, other in pairs]
        found += _family([each for each in alone if each is not None])
    return tuple(found)


def _comparison(arm: ClaimPlays, other: ClaimPlays) -> ClaimComparison | None:
    """As a family of its own; None where they have no item in common."""
    # A changed form of an item is told of beside its original (`perturbed`), not as another item.
    both = [
        (play, other.plays[asked])
        for asked, play in sorted(arm.plays.items())
        if asked in other.plays and not play.perturbation
    ]
    if not both:
        return None
    only_arm = sum(one.right and not two.right for one, two in both)
    only_other = sum(two.right and not one.right for one, two in both)
    p = mcnemar(only_arm, only_other)
    accuracy = paired([one.right for one, _ in both], [two.right for _, two in both])
    score = _score(both)
    return ClaimComparison(
        arm=arm.arm,
        other=other.arm,
        items=len(both),
        accuracy=sum(one.right for one, _ in both) / len(both),
        other_accuracy=sum(two.right for _, two in both) / len(both),
        only_arm=only_arm,
        only_other=only_other,
        mcnemar=p,
        holm=p,
        q=p,
        paired=accuracy,
        paired_holm=accuracy.p,
        score=score,
        score_holm=None if score is None else score.p,
    )


def _score(both: Sequence[tuple[ClaimPlay, ClaimPlay]]) -> Paired | None:
    pairs = [(one.score, two.score) for one, two in both if one.score is not None and two.score is not None]
    return paired([one for one, _ in pairs], [two for _, two in pairs]) if pairs else None


def _family(alone: Sequence[ClaimComparison]) -> list[ClaimComparison]:
    """The comparisons, with all p-values adjusted for each other."""
    tests = [each.mcnemar for each in alone]
    scores = iter(holm([each.score.p for each in alone if each.score is not None]))
    adjusted = zip(alone, holm(tests), benjamini_hochberg(tests), holm([each.paired.p for each in alone]), strict=True)
    return [
        replace(
            each,
            holm=first,
            q=q,
            paired_holm=second,
            score_holm=None if each.score is None else next(scores),
        )
        for each, first, q, second in adjusted
    ]
