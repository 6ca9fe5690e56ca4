"""Does a method solve a problem as often when it is rewritten without changing what it asks?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.figures.significance import Paired, holm, paired
from holdtrue.lab.kinds.search.plays import SearchPlay, SearchPlays, pooled_searches
from holdtrue.lab.kit.arm import Arm


@dataclass(frozen=True, slots=True)
class Robustness:
    """One method and one way to rewrite problems, over the problems finished both ways.

    `base` and `rewritten` are the shares of trials that were verified, each original counting once, in 0..1. `paired`
    is `rewritten` less `base`, with its interval over problems and the p-value of flipping signs; `holm` is that after
    Holm over all ways of rewriting and all methods of one suite, model and budget.
    """

    arm: Arm
    variant: str
    base: float
    rewritten: float
    paired: Paired
    holm: float


def robustness(runs: Sequence[Sequence[SearchPlays]]) -> tuple[Robustness, ...]:
    """Every method that asks the model, with every way of rewriting of which it has finished problems and originals.

    The two may be in different runs. Where runs gave an original's id to different problems, nothing says which of
    them was rewritten, and neither counts.
    """
    families: dict[Arm, list[Robustness]] = {}
    for arm in pooled_searches(runs):
        if arm.asks_model:
            families.setdefault(replace(arm.arm, method=""), []).extend(_of_arm(arm))
    return tuple(each for family in families.values() for each in _adjusted(family))


def _of_arm(arm: SearchPlays) -> list[Robustness]:
    """Each way of rewriting, as a family of its own."""
    originals: dict[str, list[SearchPlay]] = {}
    for (problem, _), play in arm.plays.items():
        if not play.variant:
            originals.setdefault(problem, []).append(play)
    rates = {problem: plays[0].rate for problem, plays in originals.items() if len(plays) == 1}
    rewritten: dict[str, dict[str, list[float]]] = {}
    for play in arm.plays.values():
        if play.variant and play.base in rates:
            rewritten.setdefault(play.variant, {}).setdefault(play.base, []).append(play.rate)
    return [_row(arm.arm, variant, by_base, rates) for variant, by_base in sorted(rewritten.items())]


def _row(arm: Arm, variant: str, by_base: Mapping[str, Sequence[float]], originals: Mapping[str, float]) -> Robustness:
    """One way of rewriting; an original that was rewritten several times counts once."""
    base = [originals[problem] for problem in by_base]
    rewritten = [sum(rates) / len(rates) for rates in by_base.values()]
    test = paired(rewritten, base)
    return Robustness(arm, variant, sum(base) / len(base), sum(rewritten) / len(base), test, test.p)


def _adjusted(family: Sequence[Robustness]) -> list[Robustness]:
    p_values = holm([each.paired.p for each in family])
    return [replace(each, holm=p) for each, p in zip(family, p_values, strict=True)]
