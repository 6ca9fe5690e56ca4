"""Fit the weights that choose a constraint for a sentence: conditional logits over the scores of a model.

Figures are over families of messages that the weights have not seen (leave one family out). The final weights are
fitted on all families. No model is asked here, because the scores are given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdtrue.language.channel_reading import choice_features
from holdtrue.language.reading_weights import ChoiceWeights, ReadingWeights, choose, shipped_reading_weights
from holdtrue.language.residual_content import words_not_carried
from holdtrue.world.instance import Constraint
from holdtrue_lab.figures.statistics import Rate, clustered
from holdtrue_lab.kinds.readings.calibration import calibration_of, conditional_logit
from holdtrue_lab.kinds.readings.commitment_fitting import CommitmentFit, groups_of
from holdtrue_lab.kinds.readings.entry import Judged
from holdtrue_lab.kinds.readings.sentence_scores import Scored, SentenceChoice

RIDGE = 0.3
"""The strength of the prior that a weight is 0, as for the weights in the package."""
PHRASING, LIKELIHOOD, VIEW = "phrasing", "likelihood", "view"


@dataclass(frozen=True, eq=False)
class ChoiceExample:
    """One sentence: the features of each constraint, and the index of the right one.

    If `asked` is false, no model was asked about the sentence, and the features come from words alone.
    """

    family: str
    features: Sequence[Mapping[str, float]]
    right: int
    asked: bool = True


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """The share of sentences with the right choice, and the calibration error of its probability."""

    right: Rate
    error: float | None


@dataclass(frozen=True, slots=True)
class ChoiceFit:
    """The fitted weights, with phrasings and without, and their figures for each way of choosing (`WAYS`).

    `shipped` are the figures of the weights in the package, used as a reader uses them. These weights may have been
    fitted on the same sentences.
    """

    choice: ChoiceWeights
    phrased: ChoiceWeights
    figures: Mapping[str, ChoiceFigures]
    shipped: ChoiceFigures

    def weights(
        self, provenance: str, phrasings: Mapping[str, Mapping[str, float]], commitments: CommitmentFit | None
    ) -> ReadingWeights:
        """Return the weights for a reader. Weights and limits that were not fitted are those of the package."""
        ours = shipped_reading_weights()
        made = replace(
            ours,
            choice=self.choice,
            phrased=self.phrased,
            phrasings={**ours.phrasings, **phrasings},
            provenance=provenance,
        )
        if commitments is None:
            return made
        return replace(made, committed=commitments.weights, commitment_words=commitments.words)


def likeliest(choice: SentenceChoice, phrasings: Sequence[float], fitted: ChoiceWeights) -> Constraint:
    """Return the constraint that fitted weights choose by words alone."""
    example = choice_example(choice, phrasings, None)
    return choice.among[choose(fitted.by_words or fitted.alone, example.features)[0]]


def choice_example(choice: SentenceChoice, phrasings: Sequence[float] | None, scored: Scored | None) -> ChoiceExample:
    """Return the example of a sentence, with the scores of phrasings and of the model for each constraint."""
    instance, sentence = choice.instance, choice.sentence
    features = [
        choice_features(instance, sentence, made, words_not_carried(instance, sentence, made), {})
        for made in choice.among
    ]
    if phrasings is not None:
        features = [{**own, PHRASING: value} for own, value in zip(features, phrasings, strict=True)]
    if scored is not None:
        features = [
            {**own, LIKELIHOOD: value, VIEW: float(seen)}
            for own, value, seen in zip(features, scored.scores, scored.viewed, strict=True)
        ]
    return ChoiceExample(choice.family, features, choice.right, scored is not None)


def fit_choices(
    examples: Sequence[ChoiceExample],
    told: Callable[[str], None] = lambda text: None,
    shipped: Sequence[ChoiceExample] | None = None,
) -> ChoiceFit:
    """Return the weights of all examples, with figures of the choices that weights of other families make in each
    family.

    Families are left out one by one, or in `MOST_GROUPS` groups if there are more families than that. `shipped` are the
    same examples with the scores of the package's phrasings, for the figures of its weights.
    """
    chosen: dict[str, list[list[Judged]]] = {name: [] for name in WAYS}
    families = sorted({own.family for own in examples})
    groups = groups_of(families)
    for number, group in enumerate(groups, 1):
        choice, phrased = _both([own for own in examples if own.family not in group])
        for family in group:
            held_out = [own for own in examples if own.family == family]
            for name, way in WAYS.items():
                chosen[name].append(_judged(held_out, way, choice, phrased))
        told(f"{number} of {len(groups)} groups of families")
    ours = shipped_reading_weights()
    by_us = [
        _judged([own for own in shipped or examples if own.family == family], _as_read, ours.choice, ours.phrased)
        for family in families
    ]
    return ChoiceFit(*_both(examples), {name: _figures(judged) for name, judged in chosen.items()}, _figures(by_us))


def _both(examples: Sequence[ChoiceExample]) -> tuple[ChoiceWeights, ChoiceWeights]:
    """Return the weights without phrasings and with them. Each set is fitted on the examples that have its features."""
    asked = [own for own in examples if own.asked]
    return (
        ChoiceWeights(None, weights_of(asked, {LIKELIHOOD}), weights_of(asked, {LIKELIHOOD, VIEW})),
        ChoiceWeights(
            weights_of(examples, {PHRASING}),
            weights_of(asked, {PHRASING, LIKELIHOOD}),
            weights_of(asked, {PHRASING, LIKELIHOOD, VIEW}),
        ),
    )


Chosen = tuple[int, float]
"""The index of a constraint, and its probability."""

Way = Callable[[ChoiceWeights, ChoiceWeights | None, ChoiceExample], Chosen | None]
"""A way to choose, by the weights without phrasings and by those with them; None if it cannot choose."""


def _by_words(choice: ChoiceWeights, phrased: ChoiceWeights | None, example: ChoiceExample) -> Chosen | None:
    return choose(phrased.by_words, example.features) if phrased and phrased.by_words else None


def _by_likelihood(choice: ChoiceWeights, phrased: ChoiceWeights | None, example: ChoiceExample) -> Chosen | None:
    return choose(choice.alone, example.features) if example.asked else None


def _with_view(choice: ChoiceWeights, phrased: ChoiceWeights | None, example: ChoiceExample) -> Chosen | None:
    return choose(choice.with_view, example.features) if example.asked else None


def _with_all(choice: ChoiceWeights, phrased: ChoiceWeights | None, example: ChoiceExample) -> Chosen | None:
    return choose(phrased.with_view, example.features) if phrased and example.asked else None


def _as_read(choice: ChoiceWeights, phrased: ChoiceWeights | None, example: ChoiceExample) -> Chosen | None:
    """Choose as a reader does, which asks a further question only if the last one settled nothing."""
    if not example.asked:
        return None
    settled = shipped_reading_weights().settled
    known = phrased if phrased and any(PHRASING in own for own in example.features) else choice
    best = (0, 0.0)
    for weights in (known.by_words, known.alone, known.with_view):
        if weights is not None and best[1] < settled:
            best = choose(weights, example.features)
    return best


WAYS: Mapping[str, Way] = {
    "words alone": _by_words,
    "likelihood, no phrasings": _by_likelihood,
    "with a view, no phrasings": _with_view,
    "with all": _with_all,
    "as a reader uses them": _as_read,
}
"""The ways to choose that have figures."""


def _judged(
    examples: Sequence[ChoiceExample],
    way: Way,
    choice: ChoiceWeights,
    phrased: ChoiceWeights | None,
) -> list[Judged]:
    found = [(way(choice, phrased, own), own.right) for own in examples]
    return [Judged(chosen[1], chosen[0] == right) for chosen, right in found if chosen is not None]


def _figures(judged: Sequence[Sequence[Judged]]) -> ChoiceFigures:
    [rate] = clustered([([sum(own.right for own in each) for each in judged], list(map(len, judged)))])
    return ChoiceFigures(rate, calibration_of(judged).error)


def weights_of(examples: Sequence[ChoiceExample], wanted: Collection[str]) -> dict[str, float]:
    """Return the weights of a conditional logit with a ridge, by feature. Of phrasing, likelihood and view, only the
    `wanted` features count.
    """
    given = {name for own in examples for each in own.features for name in each}
    names = sorted(name for name in given if name not in (PHRASING, LIKELIHOOD, VIEW) or name in wanted)
    tables = [np.array([[each.get(name, 0.0) for name in names] for each in own.features]) for own in examples]
    found = conditional_logit(tables, [own.right for own in examples], RIDGE, len(names))
    return {name: round(float(value), 3) for name, value in zip(names, found, strict=True)}
