"""Fit by which signs sentences commit their users: a logistic regression with a ridge, and a table of words.

Of a message with one sentence, the constraint in gold is looked at, or else the one that the fitted choice takes by
words. The figures are of families of messages that the weights have not seen. No model is asked: a small one's odds of
'firm' against 'open' said nothing that words did not say, of 142 sentences with words that may leave them open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdtrue.language.channel_reading import WORDS, commitment_signs, weighed_words
from holdtrue.language.phrasing import commitment_features
from holdtrue.language.reading_weights import BIAS, agreement
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.readings.calibration import calibration_of, logistic_regression
from holdtrue_lab.kinds.readings.entry import Judged
from holdtrue_lab.kinds.readings.phrasing_fitting import Phrased, crossed_scores, fit_table
from holdtrue_lab.kinds.readings.sentence_scores import SentenceChoice

RIDGE = 0.3
FEWEST = 20
"""Whether sentences commit is not fitted on fewer of them."""

MOST_GROUPS = 20
"""Families are left out one by one, or in so many groups where there are more."""


@dataclass(frozen=True, eq=False)
class Commitment:
    """A `Commitment` says whether a sentence commits to a constraint, with the signs of that.

    `said` are the features of its words (`commitment_features`), from which the sign `words` is made.
    """

    family: str
    agreed: bool
    signs: Mapping[str, float]
    said: frozenset[str]


@dataclass(frozen=True, slots=True)
class CommitmentFit:
    """The weights of signs and of words, of how many `sentences`, and the calibration error of held-out ones."""

    weights: Mapping[str, float]
    words: Mapping[str, float]
    sentences: int
    error: float | None


def commitment_of(choice: SentenceChoice, made: Constraint) -> Commitment:
    """Return what speaks for it that a sentence commits to a constraint; `right` of the choice says whether it does."""
    left = weighed_words(choice.instance, choice.sentence, made)
    signs = commitment_signs(choice.instance, choice.sentence, made, left, {}, has_choice=len(choice.among) > 1)
    said = commitment_features(choice.instance, choice.sentence, made)
    return Commitment(choice.family, choice.right >= 0, signs, said)


def fit_commitments(examples: Sequence[Commitment]) -> CommitmentFit | None:
    """Return the fit of all examples; None where they are few or do not differ in whether they commit."""
    if len(examples) < FEWEST or len({own.agreed for own in examples}) < 2:
        return None
    words = [Phrased(own.family, (own.said, frozenset()), 0 if own.agreed else 1) for own in examples]
    scores = [first for first, _ in crossed_scores(words)]
    known = [replace(own, signs={**own.signs, WORDS: score}) for own, score in zip(examples, scores, strict=True)]
    judged = []
    for group in groups_of({own.family for own in known}):
        weights = weights_of([own for own in known if own.family not in group])
        judged += [
            [Judged(probability(weights, own), own.agreed) for own in known if own.family == family] for family in group
        ]
    return CommitmentFit(weights_of(known), fit_table(words), len(known), calibration_of(judged).error)


def groups_of(families: Collection[str]) -> list[list[str]]:
    """Return the groups of families that are left out together, each family in one of them."""
    ordered = sorted(families)
    return [ordered[start::MOST_GROUPS] for start in range(min(MOST_GROUPS, len(ordered)))]


def weights_of(examples: Sequence[Commitment]) -> dict[str, float]:
    """Return the weights of a logistic regression of the examples, with a ridge on all but its constant."""
    names = sorted({name for own in examples for name in own.signs})
    table = np.array([[*(own.signs.get(name, 0.0) for name in names), 1.0] for own in examples])
    agreed = np.array([float(own.agreed) for own in examples])
    ridge = np.array([RIDGE] * len(names) + [1e-3])
    weights = logistic_regression(table, agreed, ridge)
    return {name: round(float(value), 3) for name, value in zip((*names, BIAS), weights, strict=True)}


def probability(weights: Mapping[str, float], example: Commitment) -> float:
    """Return how probably the sentence commits to its constraint."""
    return agreement(weights, example.signs)
