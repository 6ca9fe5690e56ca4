"""Paired tests over problems: of two methods that search, and of one method on problems and their rewritten forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue_lab.figures.significance import Paired, paired, wilcoxon
from holdtrue_lab.figures.statistics import Estimate, means
from holdtrue_lab.kinds.search.row import is_revealed
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.pairs import Pair, corrected, rivals
from holdtrue_lab.kit.plays import ArmPlays, Play, of_originals, pooled


@dataclass(frozen=True, slots=True)
class CostDifference:
    """A `CostDifference` says how much more one arm spends than another.

    `difference` is the mean over problems, each by the mean of its trials. `p` is the p-value of Wilcoxon's signed-rank
    test over problems, and `holm` is it after Holm's correction.
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
    `paired_holm` are the two p-values after Holm over the family (`corrected`), pairs with a revealed witness apart
    from the others, because they answer another question.
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


def compare_searches(runs: Sequence[Sequence[ArmPlays[Play]]]) -> tuple[SearchComparison, ...]:
    """Compare every two methods that ask the model, at the same budget, whichever runs played them (`rivals`)."""

    def revealed(each: SearchComparison) -> bool:
        return each.revealed

    found = tuple(map(_comparison, rivals(pooled(runs))))
    found = corrected(found, "holm", lambda each: each.mcnemar, apart=revealed)
    found = corrected(found, "paired_holm", lambda each: each.paired.p, apart=revealed)
    found = corrected(found, "calls.holm", lambda each: each.calls.p, apart=revealed)
    return corrected(found, "generated.holm", lambda each: each.generated.p, apart=revealed)


def _comparison(pair: Pair[Play]) -> SearchComparison:
    """Compare one pair; its p-values are not yet corrected for others."""
    (verified, other_verified), solved, shares = pair.of_problems, pair.solved(), pair.test()
    return SearchComparison(
        arm=pair.arm.arm,
        other=pair.other.arm,
        matched=not (pair.arm.single or pair.other.single),
        revealed=is_revealed(pair.arm.arm) or is_revealed(pair.other.arm),
        problems=len(pair.problems),
        trials=pair.turns,
        verified=verified,
        other_verified=other_verified,
        solved=solved.arm,
        other_solved=solved.other,
        only_arm=solved.only_arm,
        only_other=solved.only_other,
        mcnemar=solved.p,
        holm=solved.p,
        paired=shares,
        paired_holm=shares.p,
        calls=_cost(pair.on("calls")),
        generated=_cost(pair.on("generated")),
    )


def _cost(pair: Pair[Play]) -> CostDifference:
    differences = [one - two for one, two in zip(*pair.means, strict=True)]
    [difference] = means([differences])
    p = wilcoxon(differences)
    return CostDifference(difference, p, p)


@dataclass(frozen=True, slots=True)
class Robustness:
    """One method and one way to rewrite problems, over the problems finished both ways.

    `base` and `rewritten` are the shares of trials that were verified, each original counting once, in 0..1. `paired`
    is `rewritten` less `base`, with its interval over problems and the p-value of flipping signs; `holm` is that after
    Holm over the family (`corrected`): all ways of rewriting and all methods.
    """

    arm: Arm
    variant: str
    base: float
    rewritten: float
    paired: Paired
    holm: float


def robustness(runs: Sequence[Sequence[ArmPlays[Play]]]) -> tuple[Robustness, ...]:
    """Return how each method that asks the model does on rewritten problems, one result for each way of rewriting.

    A problem and its original may have been played in different runs. If runs gave an original's id to different
    problems, nobody knows which of them was rewritten, so neither counts.
    """
    found = [each for arm in pooled(runs) if arm.asks_model for each in _of_arm(arm)]
    return corrected(found, "holm", lambda each: each.paired.p)


def _of_arm(arm: ArmPlays[Play]) -> Iterator[Robustness]:
    """Yield one result for each way of rewriting; their p-values are not yet corrected."""
    originals = of_originals(arm)
    rewritten: dict[str, dict[str, list[float]]] = {}
    for play in arm.plays.values():
        if play.variant and play.base in originals:
            rewritten.setdefault(play.variant, {}).setdefault(play.base, []).append(play.rate)
    for variant, by_base in sorted(rewritten.items()):
        yield _row(arm.arm, variant, by_base, originals)


def _row(arm: Arm, variant: str, by_base: Mapping[str, Sequence[float]], originals: Mapping[str, Play]) -> Robustness:
    """One way of rewriting; an original that was rewritten several times counts once."""
    base = [originals[problem].rate for problem in by_base]
    rewritten = [sum(rates) / len(rates) for rates in by_base.values()]
    test = paired(rewritten, base)
    return Robustness(arm, variant, sum(base) / len(base), sum(rewritten) / len(base), test, test.p)
