"""Methods against each other, paired over problems (DRIFT-Bench, tables 1, 3 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.significance import Paired, benjamini_hochberg, paired, relative_lift
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.plays import ArmPlays, Shared, pooled, shared

DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`arm` against `other`, which differ in the method alone, over the problems that both have finished.

    `strongest`: `other` is the strongest other baseline (see `ArmPlays`), the 'strongest non-MUS comparator' of
    the paper; else it is the reference, `direct` by default. It may be both. `accuracy` and `other_accuracy` are
    over turns, in 0..1, and `lift` is the first's gain as a share of the second (section 5.2). `paired` is over
    problems, each counting once by the mean of its turns, so its difference need not be that of the accuracies. `q`
    is the p-value after Benjamini-Hochberg over all comparisons that are reported together.
    """

    arm: Arm
    other: Arm
    strongest: bool
    turns: int
    accuracy: float
    other_accuracy: float
    lift: float | None
    paired: Paired
    q: float


def direct(arm: Arm) -> str:
    """The reference of every arm, where a suite has no other."""
    return DIRECT


def compare(runs: Sequence[Sequence[ArmPlays]], reference: Callable[[Arm], str] = direct) -> tuple[Comparison, ...]:
    """Every method against its reference, and against the strongest other baseline; all runs are one family for `q`.

    `reference` names the method that an arm is compared with. Only methods within the same suite, model, protocol and
    extractor are compared, over problems that both have finished in whichever run. A pair is compared once: two
    baselines that are each other's strongest are one comparison, and what is its own reference is only ever the other.
    The strongest has the highest accuracy over the turns that it finished; of equals it is the first.
    """
    groups: dict[Arm, list[ArmPlays]] = {}
    for arm in pooled(runs):
        groups.setdefault(replace(arm.arm, method=""), []).append(arm)
    pairs = [pair for group in groups.values() for pair in _pairs(group, reference)]
    tests = [_test(pair) for pair in pairs]
    q_values = benjamini_hochberg([test.p for test in tests])
    return tuple(_comparison(*each) for each in zip(pairs, tests, q_values, strict=True))


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two methods that are to be compared, on what both have played."""

    arm: Arm
    other: Arm
    strongest: bool
    shared: Sequence[Shared]


def _pairs(group: Sequence[ArmPlays], reference: Callable[[Arm], str]) -> Iterator[_Pair]:
    named = {arm.arm.method: arm for arm in group}
    done: set[frozenset[Arm]] = set()
    for arm in group:
        base = named.get(reference(arm.arm))
        if arm is base:
            continue
        baselines = [other for other in group if other.baseline and other.plays and other is not arm]
        strongest = max(baselines, key=_accuracy, default=None)
        for other in (base, strongest if strongest is not base else None):
            if other is None or frozenset((arm.arm, other.arm)) in done:
                continue
            both = shared(arm, other)
            if both:
                done.add(frozenset((arm.arm, other.arm)))
                yield _Pair(arm.arm, other.arm, other is strongest, both)


def _accuracy(arm: ArmPlays) -> float:
    """Over the turns of finished problems; 0 where none has a score."""
    turns = [right for play in arm.plays.values() for right in play.right.values()]
    return sum(turns) / len(turns) if turns else 0.0


def _test(pair: _Pair) -> Paired:
    """Each problem counts once, by the mean accuracy of its turns."""
    first = [sum(one.right[turn] for turn in turns) / len(turns) for one, _, turns in pair.shared]
    second = [sum(two.right[turn] for turn in turns) / len(turns) for _, two, turns in pair.shared]
    return paired(first, second)


def _comparison(pair: _Pair, test: Paired, q: float) -> Comparison:
    turns = sum(len(scored) for _, _, scored in pair.shared)
    accuracy = sum(one.right[turn] for one, _, scored in pair.shared for turn in scored) / turns
    other = sum(two.right[turn] for _, two, scored in pair.shared for turn in scored) / turns
    return Comparison(
        arm=pair.arm,
        other=pair.other,
        strongest=pair.strongest,
        turns=turns,
        accuracy=accuracy,
        other_accuracy=other,
        lift=relative_lift(accuracy, other),
        paired=test,
        q=q,
    )
