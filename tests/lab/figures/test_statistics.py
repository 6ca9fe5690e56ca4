"""Rates, means, quotients and their intervals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue_lab.figures.statistics import (
    Estimate,
    Rate,
    clustered,
    estimates,
    means,
    percentile_levels,
    quotients,
    ratios,
    resampled,
    weighted,
    wilson,
)
from tests.lab.kit.arms import draw_problems
from tests.oracles import stats


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


def test_the_bootstrap_agrees_with_scipy() -> None:
    rng = random.Random(6)
    of = [rng.randint(4, 10) for _ in range(25)]
    hits = [rng.randint(0, n) for n in of]
    low, high = percentile_levels(25)
    oracle = stats.bootstrap(
        (hits, of),
        lambda hits, of, axis: hits.sum(axis=axis) / of.sum(axis=axis),
        paired=True,
        method="percentile",
        confidence_level=high - low,
        rng=np.random.default_rng(1),
    ).confidence_interval
    [rate] = clustered([(hits, of)])
    assert rate.low == pytest.approx(oracle.low, abs=0.005)
    assert rate.high == pytest.approx(oracle.high, abs=0.005)


def test_the_interval_of_a_mean_agrees_with_scipy() -> None:
    rng = random.Random(8)
    values: list[float | None] = [rng.expovariate(0.3) for _ in range(30)]
    low, high = percentile_levels(30)
    oracle = stats.bootstrap(
        (values,), np.mean, method="percentile", confidence_level=high - low, rng=np.random.default_rng(1)
    ).confidence_interval
    [alone] = means([values])
    assert (alone.of, alone.value) == (30, pytest.approx(np.mean(values)))  # type: ignore[arg-type]
    assert alone.low == pytest.approx(oracle.low, rel=0.03)
    assert alone.high == pytest.approx(oracle.high, rel=0.03)


def test_the_mean_of_rates_out_of_one_is_their_rate() -> None:
    hits, there = [0, 1, 1, 0, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0]
    [rate] = clustered([(hits, there)])
    [mean] = means([[hit if n else None for hit, n in zip(hits, there, strict=True)]])
    assert (mean.of, mean.value, mean.low, mean.high) == (rate.of, rate.value, rate.low, rate.high)


def test_nothing_to_average_has_no_mean() -> None:
    assert means([]) == []
    assert means([[]]) == [Estimate(0)]
    assert means([[None, None], [2.5, None], [0.1, 0.1]]) == [Estimate(0), Estimate(1, 2.5), Estimate(2, 0.1)]


def test_a_figure_is_worked_out_from_resampled_sums() -> None:
    rng = np.random.default_rng(4)
    table = rng.integers(0, 5, (40, 3)).astype(float)
    [found, again] = estimates(
        [(table, lambda sums: sums[:, 0] ** 2 / sums[:, 1]), (table[:, 1:], lambda sums: sums[:, 0] - sums[:, 1])],
        resamples=2000,
    )
    sums = resampled(table, 2000, seed=0)
    low, high = percentile_levels(40)
    total = table.sum(axis=0)
    assert found.value == total[0] ** 2 / total[1]
    assert [found.low, found.high] == pytest.approx(np.quantile(sums[:, 0] ** 2 / sums[:, 1], [low, high]))
    assert again.value == total[1] - total[2]
    assert [again.low, again.high] == pytest.approx(np.quantile(sums[:, 1] - sums[:, 2], [low, high]))


@pytest.mark.parametrize("size", [4, 5, 6, 9, 30, 100, 816, 10_000])
def test_levels_are_those_of_students_quantile(size: int) -> None:
    quantile = stats.t.ppf(0.975, size - 1)
    low, high = percentile_levels(size)
    assert low == pytest.approx(stats.norm.cdf(-quantile * math.sqrt(size / (size - 1))), rel=0.02)
    assert low + high == pytest.approx(1)


def test_levels_of_few_problems_hold_all_resamples_and_of_many_are_the_plain_ones() -> None:
    assert percentile_levels(2)[0] < percentile_levels(3)[0] < 1e-6
    assert percentile_levels(100_000)[0] == pytest.approx(0.025, abs=1e-5)


@pytest.mark.parametrize(("rows", "size", "width"), [(1, 1, 1), (7, 513, 3), (300, 40, 700), (40, 2000, 1)])
def test_tiles_multiply_as_a_whole(rows: int, size: int, width: int) -> None:
    rng = np.random.default_rng(2)
    weights, table = rng.integers(0, 9, (rows, size), dtype=np.uint8), rng.integers(0, 50, (size, width)).astype(float)
    assert np.array_equal(weighted(weights, table), weights @ table)


@pytest.mark.parametrize("size", [3, 300, 5000])
def test_a_resample_draws_as_many_problems_as_there_are(size: int) -> None:
    table = np.stack([np.ones(size), np.arange(size)], axis=1)
    sums = resampled(table, 200, seed=0)
    assert sums.shape == (200, 2)
    assert np.all(sums[:, 0] == size)
    assert len(np.unique(sums[:, 1])) > (5 if size == 3 else 190)  # blocks of draws differ from each other
    assert np.array_equal(sums, resampled(table, 200, seed=0))
    assert not np.array_equal(sums, resampled(table, 200, seed=1))


def coverage(problems: int, replications: int, resamples: int) -> float:
    """Return how often the interval contains the planted accuracy, if later turns of a problem are harder."""
    rng = np.random.default_rng(7)
    turns, ease = draw_problems(rng, problems, replications)
    hits = np.zeros_like(turns)
    for turn in range(1, 11):
        hits += (turn <= turns) & (rng.random(turns.shape) < ease * 0.95**turn)
    # The mean ease is 0.45, lengths are uniform in 4..10, and their mean is 7.
    truth = 0.45 * sum(sum(0.95**turn for turn in range(1, last + 1)) for last in range(4, 11)) / 7 / 7
    rates = clustered([(h.tolist(), n.tolist()) for h, n in zip(hits.T, turns.T, strict=True)], resamples=resamples)
    return sum(r.low <= truth <= r.high for r in rates if r.low is not None and r.high is not None) / replications


@pytest.mark.parametrize(("problems", "least"), [(9, 0.9), (60, 0.92)])
def test_intervals_cover_the_planted_accuracy_of_small_runs(problems: int, least: float) -> None:
    assert least <= coverage(problems, 200, 1000) < 0.99


RIGHT = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted), min_size=2, max_size=8)


def test_every_interval_says_how_it_was_made() -> None:
    assert wilson(1, 2).interval == "wilson"
    alike, varied, none = clustered([([1, 1], [1, 1]), ([1, 0], [1, 1]), ([0, 0], [0, 0])])
    assert (alike.interval, varied.interval, none.interval) == ("wilson", "bootstrap", None)
    assert [each.interval for each in means([[1.0, 2.0], [1.0, 1.0]])] == ["bootstrap", None]


@hypothesis_settings(max_examples=50, deadline=None)
@given(RIGHT, RIGHT)
def test_a_ratio_of_rates_is_what_a_naive_division_says(one: list[list[int]], two: list[list[int]]) -> None:
    size = min(len(one), len(two))
    first, second = (([hits for hits, _ in column[:size]], [of for _, of in column[:size]]) for column in (one, two))
    [found] = ratios([(first, second)])
    [rate, base] = clustered([first, second])
    if rate.value is None or not base.value:
        assert (found.value, found.low, found.interval) == (None, None, None)
    else:
        assert found.value == pytest.approx(rate.value / base.value)
    assert found.of == min(sum(of > 0 for of in column[1]) for column in (first, second))
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.high


def test_the_interval_of_a_ratio_is_that_of_its_naive_bootstrap() -> None:
    rng = np.random.default_rng(4)
    size, resamples = 40, 100_000
    late = rng.random(size) < 0.6
    table = np.column_stack([late & (rng.random(size) < 0.5), late, rng.random(size) < 0.8, np.ones(size)]).astype(int)
    [found] = ratios([((table[:, 0].tolist(), table[:, 1].tolist()), (table[:, 2].tolist(), table[:, 3].tolist()))])
    sums = table[rng.integers(0, size, (resamples, size))].sum(axis=1)
    drawn = sums[:, 0] / sums[:, 1] / (sums[:, 2] / sums[:, 3])
    levels = percentile_levels(int(late.sum()))
    for end, level in zip((found.low, found.high), levels, strict=True):
        # Four standard errors of the share of resamples below, in ours and in these.
        noise = 4 * (level * (1 - level) * (1 / 10_000 + 1 / resamples)) ** 0.5
        low, high = np.quantile(drawn, [max(0.0, level - noise), min(1.0, level + noise)])
        assert end is not None and low - 1e-9 <= end <= high + 1e-9


COSTS = st.lists(st.tuples(st.floats(0, 100), st.integers(-2, 5)), min_size=1, max_size=12)


def naive(costs: list[float], by: list[int]) -> tuple[float, float] | None:
    """Return the interval, resample by resample, or None if it is infinite."""
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
