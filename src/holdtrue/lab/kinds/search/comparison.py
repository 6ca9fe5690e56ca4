"""Arms of a search against each other, paired over problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.significance import Paired, holm, mcnemar, paired, wilcoxon
from holdtrue.figures.statistics import Estimate, means
from holdtrue.lab.kinds.search.plays import (
    SearchPlay,
    SearchPlays,
    SearchTrial,
    pooled_searches,
)
from holdtrue.lab.kinds.search.row import is_revealed
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.rivals import rivals


@dataclass(frozen=True, slots=True)
class CostDifference:
    """What one arm spends more than another: the mean over problems, each counting once by the mean of its trials.

    `p` is that of Wilcoxon's signed-rank test over problems, and `holm` after Holm over the family.
    """

    difference: Estimate
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """`arm` against `other`, which differ in the method alone, over the original problems that both have finished.

    `matched`: both had the same budget, neither makes but a single call. `revealed`: one of them was shown solutions of
    the solver. `trials` is how many the two have both played, over all problems.

    `verified` and `other_verified` are the shares of trials, each problem counting once. A problem is solved where most
    of its trials were verified; a tie is no majority, and not solved. `only_arm` and `only_other` are the problems that
    one arm solved and the other did not, and `mcnemar` is the p-value of the exact test on them. `paired` is about
    the shares of trials: difference, interval, and the p-value of flipping the signs of whole problems. `holm` and
    `paired_holm` are the two p-values after Holm over the family: all pairs of arms of one suite, model and budget,
    those with a revealed witness apart from the others, because they answer another question.
    """

    arm: Arm
    other: Arm
    matched: bool
    revealed: bool
    problems: int
    trials: int
    verified: float
    other_verified: float
    solved: int
    other_solved: int
    only_arm: int
    only_other: int
    mcnemar: float
    holm: float
    paired: Paired
    paired_holm: float
    calls: CostDifference
    generated: CostDifference


def compare_searches(runs: Sequence[Sequence[SearchPlays]]) -> tuple[SearchComparison, ...]:
    """Every two methods that ask the model, at the same budget, in whichever run they were played (`rivals`)."""
    found: list[SearchComparison] = []
    for together in rivals(pooled_searches(runs)):
        pairs = [_Pair(arm, other) for arm, other in together]
        for revealed in (False, True):
            found += _family([pair for pair in pairs if pair.problems and pair.revealed is revealed])
    return tuple(found)


class _Pair:
    """Two methods, and the trials of both of each problem that both have finished."""

    def __init__(self, arm: SearchPlays, other: SearchPlays) -> None:
        self.arm, self.other = arm, other
        both = [(play, other.plays[asked]) for asked, play in arm.plays.items() if asked in other.plays]
        # A rewritten problem is the original once more, not another one.
        self.problems = [trials for one, two in both if not one.variant and (trials := _shared(one, two))]
        self.revealed = is_revealed(arm.arm) or is_revealed(other.arm)

    def means(self, of: Callable[[SearchTrial], float]) -> tuple[list[float], list[float]]:
        """The mean over trials under either method, by problem."""
        first = [sum(of(one) for one, _ in trials) / len(trials) for trials in self.problems]
        return first, [sum(of(two) for _, two in trials) / len(trials) for trials in self.problems]


def _shared(one: SearchPlay, two: SearchPlay) -> list[tuple[SearchTrial, SearchTrial]]:
    return [(one.trials[turn], two.trials[turn]) for turn in one.trials if turn in two.trials]


def majority(rate: float) -> bool:
    """Whether a problem counts as solved, where this share of its trials was verified: a tie is no majority."""
    return rate > 0.5


def _family(pairs: Sequence[_Pair]) -> list[SearchComparison]:
    """The comparisons, with all p-values adjusted for each other."""
    alone = [_comparison(pair) for pair in pairs]
    solved = holm([each.mcnemar for each in alone])
    shares = holm([each.paired.p for each in alone])
    calls = holm([each.calls.p for each in alone])
    generated = holm([each.generated.p for each in alone])
    return [
        replace(
            each,
            holm=solved[i],
            paired_holm=shares[i],
            calls=replace(each.calls, holm=calls[i]),
            generated=replace(each.generated, holm=generated[i]),
        )
        for i, each in enumerate(alone)
    ]


def _comparison(pair: _Pair) -> SearchComparison:
    """As a family of its own."""
    first, second = pair.means(lambda trial: trial.verified)
    solved, other_solved = [majority(rate) for rate in first], [majority(rate) for rate in second]
    only_arm = sum(one and not two for one, two in zip(solved, other_solved, strict=True))
    only_other = sum(two and not one for one, two in zip(solved, other_solved, strict=True))
    p, shares = mcnemar(only_arm, only_other), paired(first, second)
    return SearchComparison(
        arm=pair.arm.arm,
        other=pair.other.arm,
        matched=not (pair.arm.single or pair.other.single),
        revealed=pair.revealed,
        problems=len(pair.problems),
        trials=sum(map(len, pair.problems)),
        verified=sum(first) / len(first),
        other_verified=sum(second) / len(second),
        solved=sum(solved),
        other_solved=sum(other_solved),
        only_arm=only_arm,
        only_other=only_other,
        mcnemar=p,
        holm=p,
        paired=shares,
        paired_holm=shares.p,
        calls=_cost(*pair.means(lambda trial: trial.calls)),
        generated=_cost(*pair.means(lambda trial: trial.generated)),
    )


def _cost(first: Sequence[float], second: Sequence[float]) -> CostDifference:
    differences = [one - two for one, two in zip(first, second, strict=True)]
    [difference] = means([differences])
    p = wilcoxon(differences)
    return CostDifference(difference, p, p)
