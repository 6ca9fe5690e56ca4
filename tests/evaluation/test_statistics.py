from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.evaluation.statistics import Rate, clustered, wilson


def naive_bootstrap(hits: Sequence[int], of: Sequence[int], resamples: int) -> tuple[float, float]:
    """The same interval, one resample at a time."""
    rng = random.Random(1)
    rates = []
    for _ in range(resamples):
        drawn = [rng.randrange(len(of)) for _ in of]
        total = sum(of[i] for i in drawn)
        if total:
            rates.append(sum(hits[i] for i in drawn) / total)
    rates.sort()
    return rates[int(0.025 * len(rates))], rates[int(0.975 * len(rates))]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [  # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(hits: int, of: int, low: float, high: float) -> None:
    rate = wilson(hits, of)
    assert rate.value == hits / of
    assert rate.low == pytest.approx(low, abs=5e-5)
    assert rate.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_holds_the_rate_and_stays_in_bounds(counts: tuple[int, int]) -> None:
    rate = wilson(*counts)
    assert rate.low is not None
    assert rate.high is not None
    assert 0 <= rate.low <= counts[0] / counts[1] <= rate.high <= 1


def test_nothing_counted_has_no_rate() -> None:
    assert wilson(0, 0) == Rate(0, 0, None, None, None)
    assert clustered([([], [])]) == [Rate(0, 0)]
    assert clustered([([0, 0], [0, 0])]) == [Rate(0, 0)]


def test_the_bootstrap_agrees_with_its_naive_twin() -> None:
    rng = random.Random(5)
    of = [rng.randint(0, 10) for _ in range(60)]
    hits = [sum(rng.random() < 0.3 for _ in range(n)) for n in of]
    [rate] = clustered([(hits, of)])
    low, high = naive_bootstrap(hits, of, 4000)
    assert rate.value == sum(hits) / sum(of)
    assert rate.low == pytest.approx(low, abs=0.01)
    assert rate.high == pytest.approx(high, abs=0.01)


def test_turns_that_go_together_widen_the_interval() -> None:
    # 40 problems of 10 turns, each all right or all wrong: only 40 independent facts, not 400.
    [rate] = clustered([([10, 0] * 20, [10] * 40)])
    independent = wilson(200, 400)
    assert rate.low is not None
    assert rate.high is not None
    assert independent.low is not None
    assert independent.high is not None
    assert rate.high - rate.low > 2.5 * (independent.high - independent.low)


def test_equal_problems_do_not_claim_certainty() -> None:
    [rate] = clustered([([5, 5, 5], [5, 5, 5])])
    by_problem = wilson(3, 3)
    assert (rate.hits, rate.of, rate.value) == (15, 15, 1.0)
    assert (rate.low, rate.high) == (by_problem.low, by_problem.high)


@hypothesis_settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=12))
def test_columns_do_not_influence_each_other(pairs: list[tuple[int, int]]) -> None:
    hits, of = [h for h, _ in pairs], [n for _, n in pairs]
    misses = [n - h for h, n in pairs]
    together = clustered([(hits, of), (misses, of)], resamples=200)
    assert together == [*clustered([(hits, of)], resamples=200), *clustered([(misses, of)], resamples=200)]
    for rate in together:
        if rate.value is not None:
            assert rate.low is not None
            assert rate.high is not None
            assert 0 <= rate.low <= rate.high <= 1
            assert math.isfinite(rate.low)


def test_the_same_counts_give_the_same_interval() -> None:
    column = ([1, 2, 3, 0], [4, 4, 4, 4])
    assert clustered([column]) == clustered([column])
