"""Fit the weights by which a constraint is chosen for a sentence: conditional logits over the scores of a model.

The figures are of families of messages that the weights have not seen (leave one family out); the weights are then
fitted on all. Nothing here asks a model: scores are given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdtrue.figures.statistics import Rate, clustered
from holdtrue.lab.kinds.readings.calibration import calibration_of
from holdtrue.lab.kinds.readings.commitment_fitting import CommitmentFit
from holdtrue.lab.kinds.readings.entry import Judged
from holdtrue.lab.kinds.readings.sentence_scores import Scored, SentenceChoice
from holdtrue.language.channel_reading import choice_features
from holdtrue.language.reading_weights import ReadingWeights, choose, shipped_reading_weights
from holdtrue.language.residual_content import words_not_carried
from holdtrue.world.instance import Constraint

RIDGE = 0.3
"""The strength of the prior that a weight is 0, as that of the weights in the package."""
VIEW = "view"
_STEPS, _CLOSE = 100, 1e-6


@dataclass(frozen=True, eq=False)
class ChoiceExample:
    """One sentence: the features of each constraint, with those of the model's view, and the place of the right one."""

    family: str
    features: Sequence[Mapping[str, float]]
    right: int


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """The share of sentences for which the right constraint is chosen, and the error of its probability."""

    right: Rate
    error: float | None


@dataclass(frozen=True, slots=True)
class ChoiceFit:
    """The fitted weights, of scores alone and with a view, and what each, and both as a reader uses them, are worth.

    `shipped` are the figures of the weights in the package, used alike; they may have seen the sentences.
    """

    alone: Mapping[str, float]
    with_view: Mapping[str, float]
    figures_alone: ChoiceFigures
    figures_with_view: ChoiceFigures
    figures_as_read: ChoiceFigures
    shipped: ChoiceFigures

    def weights(self, provenance: str, commitments: CommitmentFit | None) -> ReadingWeights:
        """Return the weights for a reader; what was not fitted, limits among it, is the package's own."""
        made = replace(shipped_reading_weights(), alone=self.alone, with_view=self.with_view, provenance=provenance)
        if commitments is None:
            return made
        return replace(made, committed=commitments.weights, agreed_plainly=commitments.agreed_plainly)


def likeliest(choice: SentenceChoice, scored: Scored, fitted: Mapping[str, float]) -> Constraint:
    """Return the constraint that fitted weights choose by the scores alone."""
    return choice.among[choose(fitted, _example(choice, scored).features)[0]]


def choice_examples(choices: Sequence[SentenceChoice], scored: Sequence[Scored]) -> list[ChoiceExample]:
    """Return the examples of sentences with their scores."""
    return [_example(choice, own) for choice, own in zip(choices, scored, strict=True)]


def _example(choice: SentenceChoice, scored: Scored) -> ChoiceExample:
    instance, sentence = choice.instance, choice.sentence
    features = [
        {**choice_features(instance, sentence, made, score, words_not_carried(instance, sentence, made)), VIEW: seen}
        for made, score, seen in zip(choice.among, scored.scores, map(float, scored.viewed), strict=True)
    ]
    return ChoiceExample(choice.family, features, choice.right)


def fit_choices(examples: Sequence[ChoiceExample], told: Callable[[str], None] = lambda text: None) -> ChoiceFit:
    """Return the weights of all examples, and what those of other families choose in each family."""
    alone: dict[str, list[tuple[int, float]]] = {}
    with_view, as_read, shipped = dict(alone), dict(alone), dict(alone)
    ours = shipped_reading_weights()
    families = sorted({own.family for own in examples})
    for number, family in enumerate(families, 1):
        rest = [own for own in examples if own.family != family]
        one, other = weights_of(rest, view=False), weights_of(rest, view=True)
        held_out = [own for own in examples if own.family == family]
        alone[family] = [choose(one, own.features) for own in held_out]
        with_view[family] = [choose(other, own.features) for own in held_out]
        as_read[family] = [_read(one, other, ours.settled, own) for own in held_out]
        shipped[family] = [_read(ours.alone, ours.with_view, ours.settled, own) for own in held_out]
        told(f"{number} of {len(families)} families")
    right = {family: [own.right for own in examples if own.family == family] for family in families}
    figures = (_figures(chosen, right) for chosen in (alone, with_view, as_read, shipped))
    return ChoiceFit(weights_of(examples, view=False), weights_of(examples, view=True), *figures)


def _read(
    alone: Mapping[str, float], with_view: Mapping[str, float], settled: float, example: ChoiceExample
) -> tuple[int, float]:
    """Choose as a reader does, which asks for a view only where the scores alone settle nothing."""
    best, probability = choose(alone, example.features)
    return (best, probability) if probability >= settled else choose(with_view, example.features)


def _figures(chosen: Mapping[str, Sequence[tuple[int, float]]], right: Mapping[str, Sequence[int]]) -> ChoiceFigures:
    judged = [
        [Judged(sure, best == gold) for (best, sure), gold in zip(chosen[family], right[family], strict=True)]
        for family in right
    ]
    [rate] = clustered([([sum(own.right for own in each) for each in judged], list(map(len, judged)))])
    return ChoiceFigures(rate, calibration_of(judged).error)


def weights_of(examples: Sequence[ChoiceExample], *, view: bool) -> dict[str, float]:
    """Return the weights of a conditional logit with a ridge, by features, with that of the view or without it."""
    names = sorted({name for own in examples for each in own.features for name in each if view or name != VIEW})
    tables = [np.array([[each.get(name, 0.0) for name in names] for each in own.features]) for own in examples]
    found = conditional_logit(tables, [own.right for own in examples], RIDGE, len(names))
    return {name: round(float(value), 3) for name, value in zip(names, found, strict=True)}


def conditional_logit(tables: Sequence[Any], right: Sequence[int], ridge: float, features: int) -> Any:
    """Return the weights by Newton's method with halved steps; the problem is convex.

    `tables` have a row for each constraint to choose from, shape (constraints, features), and `right` the rows chosen.
    """
    weights = np.zeros(features)
    loss = _loss(tables, right, ridge, weights)
    for _ in range(_STEPS):
        slope, curve = ridge * weights, ridge * np.eye(features)
        for table, row in zip(tables, right, strict=True):
            probable = _softmax(table @ weights)
            mean = probable @ table
            slope = slope + mean - table[row]
            curve = curve + (table * probable[:, None]).T @ table - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        while (smaller := _loss(tables, right, ridge, weights - step)) > loss and np.abs(step).max() > _CLOSE:
            step = step / 2
        weights, loss = weights - step, smaller
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
    return weights


def _loss(tables: Sequence[Any], right: Sequence[int], ridge: float, weights: Any) -> float:
    odds = [table @ weights for table in tables]
    missed = sum(np.logaddexp.reduce(own) - own[row] for own, row in zip(odds, right, strict=True))
    return float(missed + ridge / 2 * weights @ weights)


def _softmax(odds: Any) -> Any:
    found = np.exp(odds - odds.max())
    return found / found.sum()
