from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.figures.trend import Trend, kendall
from tests.oracles import stats


def naive(values: list[float]) -> float:
    """Rising less falling pairs."""
    return sum((b > a) - (b < a) for place, a in enumerate(values) for b in values[place + 1 :])


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=12, unique=True))
def test_without_ties_all_is_as_scipy_says(values: list[int]) -> None:
    found = kendall(values)
    oracle = stats.kendalltau(range(len(values)), values, method="exact")
    assert found.tau == pytest.approx(oracle.statistic)
    assert found.p == pytest.approx(oracle.pvalue)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_with_ties_tau_is_as_scipy_says_and_p_is_by_trying_all_orders(values: list[int]) -> None:
    found, own = kendall(values), abs(naive(list(values)))
    tau = stats.kendalltau(range(len(values)), values, variant="b").statistic
    assert found.tau is None if math.isnan(tau) else found.tau == pytest.approx(tau)
    orders = [abs(naive(list(order))) for order in permutations(values)]
    assert found.p == pytest.approx(sum(each >= own for each in orders) / len(orders))


def test_a_perfect_rise_over_ten_rounds_has_the_published_tau_and_p() -> None:
    found = kendall([0.32 + 0.01 * n for n in range(10)])
    assert (found.of, found.tau) == (10, 1.0)
    assert found.p == pytest.approx(2 / math.factorial(10))
    assert found.p < 0.001
    assert kendall([-n for n in range(10)]).tau == -1.0


def test_long_series_go_on_in_reasonable_time() -> None:
    values = [n // 3 for n in range(60)]
    found, oracle = kendall(values), stats.kendalltau(range(60), values)
    assert found.tau == pytest.approx(oracle.statistic)
    assert 0 < found.p < 1e-20


def test_nothing_to_compare_is_no_trend() -> None:
    assert kendall([]) == Trend(0, None, 1.0)
    assert kendall([0.5]) == Trend(1, None, 1.0)
    assert kendall([0.1 + 0.2, 0.3, 0.3]) == Trend(3, None, 1.0)  # equal but for rounding


def test_what_falls_is_the_mirror_of_what_rises() -> None:
    values = [3.0, 1.0, 1.0, 2.0, 5.0]
    up, down = kendall(values), kendall(values[::-1])
    assert up.tau is not None
    assert down == Trend(5, -up.tau, up.p)
