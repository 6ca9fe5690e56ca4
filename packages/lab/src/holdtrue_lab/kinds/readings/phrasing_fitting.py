"""Learn from labelled sentences by which words a domain's constraints are said, and by which ones nothing is agreed.

Both are linear models of sparse features with a ridge, fitted by AdaGrad (Duchi, Hazan and Singer, JMLR 2011): a
conditional logit over the constraints that a sentence can have stated, and a logistic regression of whether it commits.
What they say of a sentence that they were fitted on is worth nothing for what is fitted on top of them, so scores are
crossed: those of a family of messages come from weights of other families.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from holdtrue.language.phrasing import phrasing_score

FOLDS = 8
"""Scores are crossed between so many groups of families."""

RIDGE = 0.03
"""The strength of the prior that a weight is 0; of 0.01 to 1, the one that chose best in families left out."""

FEWEST = 2
"""A feature of fewer sentences is not learned."""

SMALLEST = 0.1
"""A weight nearer to 0 is left out of a table."""

_STEPS, _RATE = 200, 0.5

Table = dict[str, float]


@dataclass(frozen=True, eq=False)
class Phrased:
    """One sentence: the features of each thing that it can say, and the place of what it says."""

    family: str
    features: Sequence[frozenset[str]]
    right: int


def fit_table(examples: Sequence[Phrased], ridge: float = RIDGE) -> Table:
    """Return the weights of a conditional logit over the rows of each example, by the names of features."""
    if not examples:
        return {}
    seen = Counter(chain.from_iterable(set().union(*own.features) for own in examples))
    names = {name: place for place, name in enumerate(sorted(name for name in seen if seen[name] >= FEWEST))}
    weights = _descend(_Sparse(examples, names), ridge)
    return {name: round(float(weights[place]), 3) for name, place in names.items() if abs(weights[place]) >= SMALLEST}


def crossed_scores(
    examples: Sequence[Phrased], told: Callable[[str], None] = lambda text: None
) -> list[tuple[float, ...]]:
    """Return the scores of the rows of each example, by tables that were fitted on other families."""
    found: list[tuple[float, ...]] = [()] * len(examples)
    for fold in range(FOLDS):
        table = fit_table([own for own in examples if _fold(own.family) != fold])
        for place, own in enumerate(examples):
            if _fold(own.family) == fold:
                found[place] = tuple(phrasing_score(table, row) for row in own.features)
        told(f"phrasings: {fold + 1} of {FOLDS} groups of families")
    return found


def _fold(family: str) -> int:
    # A fold is the family's own: which other families there are does not move it.
    return hashlib.sha256(family.encode()).digest()[0] % FOLDS


class _Sparse:
    """All rows of all examples as one table of ones, each row scaled by the root of its features, known or not."""

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
        """Return the slope of the log-loss."""
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
