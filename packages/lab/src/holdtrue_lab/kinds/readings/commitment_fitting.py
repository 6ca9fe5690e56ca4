"""Fit the signs by which a sentence commits its user, and learn the words for a domain's constraints.

A sentence *commits* if the user states a constraint with it, and does not ask, wish or doubt. A logistic regression
with a ridge and a table of words predict this. A message with one sentence is judged by its gold constraint. Without a
gold constraint, the sentence is judged by the constraint that the fitted choice takes by words. Figures are over
families of messages that the weights have not seen. No model is asked: on 142 sentences with words that may leave them
open, a small model's odds added nothing.

Tables of words are linear models of sparse features with a ridge, fitted by AdaGrad (Duchi, Hazan and Singer, JMLR
2011). One table is a conditional logit over the constraints that a sentence can state. Another is a logistic regression
of whether the sentence commits. Scores of sentences on which a table was fitted are worth nothing for a further fit. So
scores are crossed: the scores of a family come from weights that were fitted on other families.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from holdtrue.language.channel_reading import WORDS, commitment_signs, weighed_words
from holdtrue.language.reading_weights import BIAS, agreement, commitment_features, phrasing_score
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.readings.calibration import calibration_of, conditional_logit
from holdtrue_lab.kinds.readings.entry import Judged
from holdtrue_lab.kinds.readings.sentence_scores import SentenceChoice

FOLDS = 8
"""The number of groups of families between which scores are crossed."""

PHRASING_RIDGE = 0.03
"""The strength of the prior that a weight is 0. Of the strengths from 0.01 to 1, this one chose best in families left
out.
"""

FEWEST_SENTENCES = 2
"""The least number of sentences with a feature that is learned."""

SMALLEST = 0.1
"""Weights closer to 0 than this are left out of a table."""

_STEPS, _RATE = 200, 0.5

Table = dict[str, float]


@dataclass(frozen=True, eq=False)
class Phrased:
    """One sentence: the features of each option, and the index of the right one."""

    family: str
    features: Sequence[frozenset[str]]
    right: int


def fit_table(examples: Sequence[Phrased], ridge: float = PHRASING_RIDGE) -> Table:
    """Return the weights of a conditional logit over the rows of each example, by the names of features."""
    if not examples:
        return {}
    seen = Counter(chain.from_iterable(set().union(*own.features) for own in examples))
    names = {name: place for place, name in enumerate(sorted(name for name in seen if seen[name] >= FEWEST_SENTENCES))}
    weights = _descend(_Sparse(examples, names), ridge)
    return {name: round(float(weights[place]), 3) for name, place in names.items() if abs(weights[place]) >= SMALLEST}


def crossed_scores(
    examples: Sequence[Phrased], told: Callable[[str], None] = lambda text: None
) -> list[tuple[float, ...]]:
    """Return the scores of the rows of each example, from tables that were fitted on other families."""
    found: list[tuple[float, ...]] = [()] * len(examples)
    for fold in range(FOLDS):
        table = fit_table([own for own in examples if _fold(own.family) != fold])
        for place, own in enumerate(examples):
            if _fold(own.family) == fold:
                found[place] = tuple(phrasing_score(table, row) for row in own.features)
        told(f"phrasings: {fold + 1} of {FOLDS} groups of families")
    return found


def _fold(family: str) -> int:
    # The fold depends on the family alone, so other families do not change it.
    return hashlib.sha256(family.encode()).digest()[0] % FOLDS


class _Sparse:
    """All rows of all examples as one sparse table of ones. Each row is scaled by the root of its feature count."""

    def __init__(self, examples: Sequence[Phrased], names: Mapping[str, int]) -> None:
        all_rows = [row for own in examples for row in own.features]
        rows = [sorted(names[name] for name in row if name in names) for row in all_rows]
        counts = np.array([len(row) for row in rows])
        self.width = len(names)
        self.columns = np.array(list(chain.from_iterable(rows)), dtype=np.int64)
        self.values = np.repeat([1 / math.sqrt(max(1, len(row))) for row in all_rows], counts)
        self.row_of = np.repeat(np.arange(len(rows)), counts)
        sizes = [len(own.features) for own in examples]
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self.example_of = np.repeat(np.arange(len(examples)), sizes)
        self.right = self.starts + np.array([own.right for own in examples])

    def slope(self, weights: Any) -> Any:
        """Return the gradient of the log-loss."""
        odds = np.bincount(self.row_of, self.values * weights[self.columns], len(self.example_of))
        odds -= np.maximum.reduceat(odds, self.starts)[self.example_of]
        probable = np.exp(odds)
        probable /= np.add.reduceat(probable, self.starts)[self.example_of]
        probable[self.right] -= 1
        return np.bincount(self.columns, self.values * probable[self.row_of], self.width)


def _descend(table: _Sparse, ridge: float) -> Any:
    weights, squares = np.zeros(table.width), np.full(table.width, 1e-6)
    for _ in range(_STEPS):
        slope = table.slope(weights) + ridge * weights
        squares += slope * slope
        weights -= _RATE * slope / np.sqrt(squares)
    return weights


RIDGE = 0.3
FEWEST = 20
"""The least number of sentences on which commitments are fitted."""

MOST_GROUPS = 20
"""The largest number of groups in which families are left out. If there are no more families, each is one group."""


@dataclass(frozen=True, eq=False)
class Commitment:
    """A sentence with a constraint: `agreed` says whether the sentence commits to the constraint, and `signs` has the
    evidence.

    `said` are the features of the sentence's words (`commitment_features`), which give the sign `words`.
    """

    family: str
    agreed: bool
    signs: Mapping[str, float]
    said: frozenset[str]


@dataclass(frozen=True, slots=True)
class CommitmentFit:
    """The weights of signs and of words, the number of `sentences`, and the calibration error of held-out ones."""

    weights: Mapping[str, float]
    words: Mapping[str, float]
    sentences: int
    error: float | None


def commitment_of(choice: SentenceChoice, made: Constraint) -> Commitment:
    """Return the signs that a sentence commits to a constraint. `choice.right` says whether the sentence does."""
    left = weighed_words(choice.instance, choice.sentence, made)
    signs = commitment_signs(choice.instance, choice.sentence, made, left, {}, has_choice=len(choice.among) > 1)
    said = commitment_features(choice.instance, choice.sentence, made)
    return Commitment(choice.family, choice.right >= 0, signs, said)


def fit_commitments(examples: Sequence[Commitment]) -> CommitmentFit | None:
    """Return the fit of all examples, or None if they are too few or all commit alike."""
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
    """Return the groups of families that are left out together. Each family is in one of them."""
    ordered = sorted(families)
    return [ordered[start::MOST_GROUPS] for start in range(min(MOST_GROUPS, len(ordered)))]


def weights_of(examples: Sequence[Commitment]) -> dict[str, float]:
    """Return the weights of a logistic regression of the examples, with a ridge on all but its constant."""
    names = sorted({name for own in examples for name in own.signs})
    # A logistic regression is a choice between the signs and a row of zeros.
    tables = [
        np.array([[*(own.signs.get(name, 0.0) for name in names), 1.0], [0.0] * (len(names) + 1)]) for own in examples
    ]
    ridge = np.array([RIDGE] * len(names) + [1e-3])
    weights = conditional_logit(tables, [int(not own.agreed) for own in examples], ridge, len(ridge))
    return {name: round(float(value), 3) for name, value in zip((*names, BIAS), weights, strict=True)}


def probability(weights: Mapping[str, float], example: Commitment) -> float:
    """Return the probability that the sentence commits to its constraint."""
    return agreement(weights, example.signs)
