"""Logistic regression with a ridge: how much each feature says for an answer of two."""

from __future__ import annotations

from typing import Any

import numpy as np

_STEPS, _CLOSE = 60, 1e-4


def logistic_regression(matrix: Any, right: Any, ridge: Any) -> Any:
    """Return the weights by Newton's method; the problem is convex.

    `matrix` has shape (examples, features), `right` is 0 or 1 for each example, and `ridge` is the strength of the
    prior that a weight is 0: one number, or one for each feature.
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
