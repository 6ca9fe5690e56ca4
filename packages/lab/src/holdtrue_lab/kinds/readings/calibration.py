"""Fit probabilities by logistic regression, and hold them against what came true: calibration and risk."""

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
    """The constraints whose probability lies between `low` and `high`: how many, their mean, and how many are right."""

    low: float
    high: float
    constraints: int
    mean: float | None
    right: Rate


@dataclass(frozen=True, slots=True)
class Threshold:
    """The constraints at least so probable: the share of all that they are (`covered`), and how much of it is wrong."""

    at: float
    covered: Rate
    risk: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """A `Calibration` holds probabilities against what came true.

    `error` is the expected calibration error over ten bins of equal width: the mean distance between the probability
    and the share that is right, weighed by constraints; None without any. `bins` and `thresholds` show it in full.
    """

    error: float | None
    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]


def calibration_of(judged: Sequence[Sequence[Judged]]) -> Calibration:
    """Return the calibration of constraints, given by what intervals are drawn over: messages, or families of them."""
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


_STEPS, _CLOSE = 60, 1e-4


def logistic_regression(matrix: Any, right: Any, ridge: Any) -> Any:
    """Return the weights by Newton's method; the problem is convex.

    `matrix` has shape (examples, features), `right` is 0 or 1 for each example, and `ridge` has, for each
    feature, the strength of the prior that its weight is 0.
    """
    weights = np.zeros(matrix.shape[1])
    for _ in range(_STEPS):
        probable = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        slope = matrix.T @ (probable - right) + ridge * weights
        curve = (matrix * (probable * (1 - probable))[:, None]).T @ matrix + ridge * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
    return weights
