"""This module computes the cost of right answers, and the gain and cost of verification.

Accuracy counts answers. An answer is one turn, query, question, or trial of a search. Only problems that were played to
their end count. *Changed forms*, which are problems made by changing others, do not count. The cost of wrong answers
counts too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue_lab.figures.statistics import Estimate, quotients
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.pairs import by_settings
from holdtrue_lab.kit.plays import ArmPlays, Play, pooled, shared
from holdtrue_lab.kit.prices import Prices
from holdtrue_lab.kit.spending import Spent

COSTS = ("calls", "prompt_tokens", "completion_tokens", "tokens", "seconds", "dollars")

Runs = Sequence[Sequence[ArmPlays[Any]]]
_Cost = tuple[Play, Spent]


@dataclass(frozen=True, slots=True)
class RightCost:
    """A `RightCost` holds the cost of an arm's answers. Both maps have the keys `COSTS`.

    `per_right` is the total cost of `problems` divided by the number of `right` answers. It has no value without a
    right answer. `per_answer` divides the same cost by all `answers`. Dollars have no value if a model has no price.
    """

    arm: Arm
    problems: int
    answers: int
    right: int
    per_right: Mapping[str, Estimate]
    per_answer: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Gain:
    """A `Gain` compares an arm that checks answers with `other`, the plainest arm with the same model and settings.

    `problems` counts those that both arms have finished, and `answers` those with a score under both. `gained` is the
    difference in right answers per answer. `extra` is the difference in each cost per answer. `per_gained` is the
    difference in each cost per right answer gained, without a value if there is no gain. The keys of both are `COSTS`.
    """

    arm: Arm
    other: Arm
    problems: int
    answers: int
    gained: Estimate
    extra: Mapping[str, Estimate]
    per_gained: Mapping[str, Estimate]


def right_costs(runs: Runs, prices: Prices) -> tuple[RightCost, ...]:
    """Return the costs of each arm (a method with a model) that has a finished problem with a score."""
    return tuple(_right_cost(arm.arm, found, prices) for arm in pooled(runs) if (found := _scored(arm)))


def gains(runs: Runs, prices: Prices, controls: Collection[str]) -> tuple[Gain, ...]:
    """Return the gain of each arm that calls the model and checks, over the plainest arm with the same settings.

    `controls` are the methods that never call the model. Arms that share no problem with the plainest are left out.
    """
    found = []
    for group in by_settings(arm for arm in pooled(runs) if arm.asks_model and arm.arm.method not in controls):
        plain = plainest(group)
        if plain is None:
            continue
        found += [gain for arm in group if not arm.baseline and (gain := _gain(arm, plain, prices)) is not None]
    return tuple(found)


def plainest(arms: Sequence[ArmPlays[Any]]) -> ArmPlays[Any] | None:
    """Return the first baseline with the fewest calls per answer, and among these the fewest tokens.

    If there is no baseline, return None.
    """
    baselines = [(arm, found) for arm in arms if arm.baseline and (found := _scored(arm))]
    return min(baselines, key=lambda each: _needs(each[1]), default=(None, []))[0]


def _needs(found: Sequence[_Cost]) -> tuple[float, float]:
    answers = sum(len(play.right) for play, _ in found)
    return sum(spent.calls for _, spent in found) / answers, sum(spent.tokens for _, spent in found) / answers


def models_asked(runs: Runs) -> set[str]:
    """Return the names of all models that the methods of these runs called."""
    return {
        model
        for arm in pooled(runs)
        for play in arm.originals.values()
        if play.spent is not None
        for model in play.spent.by_model
    }


def _scored(arm: ArmPlays[Any]) -> list[_Cost]:
    """Return the original problems with a score, sorted by key, because resampling depends on their order."""
    return [(play, play.spent) for _, play in sorted(arm.originals.items()) if play.right and play.spent is not None]


def _right_cost(arm: Arm, found: Sequence[_Cost], prices: Prices) -> RightCost:
    right = [sum(play.right.values()) for play, _ in found]
    answers = [len(play.right) for play, _ in found]
    columns = dict(_columns([spent for _, spent in found], prices))
    return RightCost(
        arm,
        len(found),
        sum(answers),
        sum(right),
        _divided(columns, right),
        _divided(columns, answers),
    )


def _gain(arm: ArmPlays[Any], plain: ArmPlays[Any], prices: Prices) -> Gain | None:
    # Problems are sorted, because resampling depends on their order.
    both = shared(replace(arm, plays=dict(sorted(arm.plays.items()))), plain)
    first, second = (
        [spent for one, two, _ in both if (spent := (one, two)[side].spent) is not None] for side in (0, 1)
    )
    if not both or min(len(first), len(second)) < len(both):
        return None
    answers = [len(turns) for _, _, turns in both]
    more = [sum(one.right[turn] - two.right[turn] for turn in turns) for one, two, turns in both]
    ours, theirs = dict(_columns(first, prices)), dict(_columns(second, prices))
    extra = {name: _minus(ours[name], theirs[name]) for name in COSTS}
    [gained] = quotients([(more, answers)])
    return Gain(arm.arm, plain.arm, len(both), sum(answers), gained, _divided(extra, answers), _divided(extra, more))


def _columns(spent: Sequence[Spent], prices: Prices) -> Iterator[tuple[str, list[float] | None]]:
    """Yield the name of each cost with its values by problem, or with None if the cost is not known."""
    for name in COSTS[:-1]:
        yield name, [float(getattr(each, name)) for each in spent]
    dollars = [prices.cost(each.by_model) for each in spent] if prices.source else [None]
    known = [each for each in dollars if each is not None]
    yield COSTS[-1], known if len(known) == len(dollars) else None


def _minus(first: list[float] | None, second: list[float] | None) -> list[float] | None:
    if first is None or second is None:
        return None
    return [one - two for one, two in zip(first, second, strict=True)]


def _divided(costs: Mapping[str, list[float] | None], by: Sequence[int]) -> dict[str, Estimate]:
    known = {name: column for name, column in costs.items() if column is not None}
    found = dict(zip(known, quotients([(column, by) for column in known.values()]), strict=True))
    return {name: found.get(name, Estimate(0)) for name in costs}
