"""Probabilities are fitted, and held against what came true."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue_lab.kinds.readings.calibration import calibration_of, logistic_regression
from holdtrue_lab.kinds.readings.entry import Judged

CONSTRAINTS = st.lists(st.lists(st.builds(Judged, st.floats(0, 1), st.booleans()), max_size=6), min_size=1, max_size=5)


def test_a_perfect_reader_has_no_error() -> None:
    found = calibration_of([[Judged(1.0, True)] * 5, [Judged(0.0, False)] * 5])
    assert found.error == 0
    assert [own.constraints for own in found.bins] == [5, 5]


def test_the_error_is_the_mean_distance_weighed_by_constraints() -> None:
    found = calibration_of([[Judged(0.95, True), Judged(0.95, False)], [Judged(0.65, True), Judged(0.65, True)]])
    assert found.error == pytest.approx((2 * 0.45 + 2 * 0.35) / 4)
    assert calibration_of([[], []]).error is None


@given(CONSTRAINTS)
def test_bins_and_thresholds_count_every_constraint_once(judged: list[list[Judged]]) -> None:
    constraints = [own for each in judged for own in each]
    found = calibration_of(judged)
    assert sum(own.constraints for own in found.bins) == len(constraints)
    assert all(own.low <= (own.mean or 0) <= own.high + 1e-9 for own in found.bins)
    for own in found.thresholds:
        taken = [each for each in constraints if each.confidence >= own.at]
        assert (own.covered.hits, own.covered.of) == (len(taken), len(constraints))
        assert (own.risk.hits, own.risk.of) == (sum(not each.right for each in taken), len(taken))


def test_the_regression_finds_the_minimum_of_its_loss() -> None:
    """A naive twin: no small step from the solution makes the loss smaller."""
    generator = np.random.default_rng(3)
    matrix = generator.normal(size=(80, 4))
    right = (generator.random(80) < 1 / (1 + np.exp(-matrix @ np.array([1.0, -2.0, 0.5, 0.0])))).astype(float)

    def loss(weights: np.ndarray) -> float:
        odds = matrix @ weights
        return float(np.sum(np.logaddexp(0, odds) - right * odds) + 0.25 * weights @ weights)

    found = logistic_regression(matrix, right, np.full(4, 0.5))
    for _ in range(200):
        assert loss(found) <= loss(found + generator.normal(scale=1e-3, size=4)) + 1e-12
