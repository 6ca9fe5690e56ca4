from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.figures.statistics import Estimate, percentile_levels, quotients, resampled

COSTS = st.lists(st.tuples(st.floats(0, 100), st.integers(-2, 5)), min_size=1, max_size=12)


def naive(costs: list[float], by: list[int]) -> tuple[float, float] | None:
    """The interval, resample by resample: None where it has no end."""
    found = []
    for top, bottom in resampled(np.array([costs, by], dtype=float).T, 2000, 0).tolist():
        found.append(top / bottom if bottom > 0 else float("inf"))
    found.sort()
    low, high = (level * (len(found) - 1) for level in percentile_levels(len(costs)))
    ends = found[int(np.floor(low))], found[int(np.ceil(high))]
    return ends if np.isfinite(ends[1]) else None


@given(COSTS)
def test_a_quotient_is_that_of_the_sums_and_its_interval_that_of_the_naive_twin(pairs: list[tuple[float, int]]) -> None:
    costs, by = [cost for cost, _ in pairs], [number for _, number in pairs]
    [found] = quotients([(costs, by)], resamples=2000)
    if sum(by) <= 0:
        assert found == Estimate(len(pairs))
        return
    assert found.value == pytest.approx(sum(costs) / sum(by))
    expected = naive(costs, by) if len(pairs) > 1 else None
    if expected is None or expected[1] - expected[0] <= 1e-9 * max(1.0, abs(found.value or 0)):
        assert (found.low, found.high) == (None, None)
    else:
        assert (found.low, found.high) == pytest.approx(expected)


def test_what_succeeds_rarely_has_no_upper_end() -> None:
    [rare] = quotients([([5.0] * 10, [1, *[0] * 9])])
    assert (rare.value, rare.low, rare.high) == (50.0, None, None)  # 35% of the resamples have no success
    [often] = quotients([([5.0] * 10, [1, 0] * 5)])
    assert often.low is not None and often.high is not None and often.low < 10.0 < often.high


def test_nothing_has_no_quotient() -> None:
    assert quotients([]) == []
    assert quotients([([], [])]) == [Estimate(0)]
    assert quotients([([3.0], [2])]) == [Estimate(1, 1.5)]


@pytest.mark.slow
def test_intervals_cover_the_planted_quotient() -> None:
    """Of 400 samples of 30 problems, 95% are covered, give or take four standard errors (1.1% each)."""
    rng, covered, samples = np.random.default_rng(0), 0, 400
    for _ in range(samples):
        right = rng.binomial(8, rng.beta(3, 2, 30))
        cost = 2.0 * right + rng.gamma(2.0, 1.0, 30)
        [found] = quotients([(cost.tolist(), right.tolist())], resamples=2000)
        truth = 2.0 + 2.0 / (8 * 0.6)
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert abs(covered / samples - 0.95) < 4 * (0.95 * 0.05 / samples) ** 0.5
