"""Fit probabilities by conditional logits, and compare probabilities with outcomes: calibration and risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdtrue_lab.figures.statistics import Rate, clustered
from holdtrue_lab.kinds.readings.entry import Judged

BINS = 10
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Bin:
    """The constraints with a probability between `low` and `high`: their number, mean probability, and share of right
    ones.
    """

    low: float
    high: float
    constraints: int
    mean: float | None
    right: Rate


@dataclass(frozen=True, slots=True)
class Threshold:
    """The constraints with a probability of at least `at`: their share of all, and the share of wrong ones in them."""

    at: float
    covered: Rate
    risk: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A comparison of probabilities with outcomes.

    `error` is the expected calibration error over ten bins of equal width, or None without constraints. This is the
    mean distance between probability and share of right ones, weighted by constraints. `bins` and `thresholds` have the
    whole comparison.
    """

    error: float | None
    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]


def calibration_of(judged: Sequence[Sequence[Judged]]) -> Calibration:
    """Return the calibration of constraints. Each item of `judged` is one group, such as a message or family, which
    confidence intervals treat as one cluster.
    """
    constraints = [own for each in judged for own in each]
    bins = tuple(_bin(judged, place) for place in range(BINS))
    known = [own for own in bins if own.mean is not None and own.right.value is not None]
    error = sum(own.constraints * abs((own.mean or 0.0) - (own.right.value or 0.0)) for own in known)
    return Calibration(
        error=error / len(constraints) if constraints else None,
        bins=tuple(own for own in bins if own.constraints),
        thresholds=tuple(_threshold(judged, at) for at in THRESHOLDS),
    )


def _bin(judged: Sequence[Sequence[Judged]], place: int) -> Bin:
    low, high = place / BINS, (place + 1) / BINS
    own = [[each for each in message if min(int(each.confidence * BINS), BINS - 1) == place] for message in judged]
    found = [each for message in own for each in message]
    mean = sum(each.confidence for each in found) / len(found) if found else None
    [right] = clustered([([sum(each.right for each in message) for message in own], list(map(len, own)))])
    return Bin(low, high, len(found), mean, right)


def _threshold(judged: Sequence[Sequence[Judged]], at: float) -> Threshold:
    taken = [[own for own in message if own.confidence >= at] for message in judged]
    wrong = [[own for own in message if not own.right] for message in taken]
    [covered] = clustered([([len(own) for own in taken], [len(own) for own in judged])])
    [risk] = clustered([([len(own) for own in wrong], [len(own) for own in taken])])
    return Threshold(at, covered, risk)


_STEPS, _CLOSE = 100, 1e-6


def conditional_logit(tables: Sequence[Any], right: Sequence[int], ridge: Any, features: int) -> Any:
    """Return the weights of a conditional logit, by Newton's method with halved steps. The problem is convex.

    `tables` have a row for each option, shape (options, features), and `right` has the chosen rows. `ridge` is the
    strength of the prior that a weight is 0, as one number or for each feature.
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


def _loss(tables: Sequence[Any], right: Sequence[int], ridge: Any, weights: Any) -> float:
    odds = [table @ weights for table in tables]
    missed = sum(np.logaddexp.reduce(own) - own[row] for own, row in zip(odds, right, strict=True))
    return float(missed + (ridge * weights) @ weights / 2)


def _softmax(odds: Any) -> Any:
    found = np.exp(odds - odds.max())
    return found / found.sum()
