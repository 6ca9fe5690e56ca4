from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue_lab.figures.significance import (
    Trend,
    benjamini_hochberg,
    holm,
    kendall,
    mcnemar,
    paired,
    relative_lift,
    sign_permutation,
    wilcoxon,
)
from holdtrue_lab.figures.statistics import percentile_levels
from tests.lab.kit.arms import Numbers, draw_problems, play
from tests.oracles import multipletests, oracle_mcnemar, stats


def naive(values: list[float]) -> float:
    """Return the number of rising pairs less that of falling ones."""
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


ACCURACIES = st.integers(0, 4).map(lambda right: right / 4)
PAIRS = st.lists(st.tuples(ACCURACIES, ACCURACIES), min_size=1, max_size=8)


def accuracies(problems: int, *, more: float) -> tuple[list[float], list[float]]:
    """Return two arms on the same problems, the first one better by `more`."""
    rng = np.random.default_rng(3)
    turns, ease = draw_problems(rng, problems, 1)
    first, second = play(rng, turns, ease, kept=1 - more, more=more), play(rng, turns, ease, kept=1 - more)
    return list((first / turns)[:, 0]), list((second / turns)[:, 0])


def naive_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the p-value by trying all signs."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in product((1, -1), repeat=len(first))
    ]
    return sum(abs(found) >= abs(sum(differences)) - 1e-9 for found in sums) / len(sums)


@hypothesis_settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_few_problems_are_tested_exactly(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = paired(first, second, resamples=256)
    assert found.p == pytest.approx(naive_p(first, second))
    assert found.difference == pytest.approx(sum(first) / len(first) - sum(second) / len(second))


@pytest.mark.parametrize("problems", [5, 12, 40, 300])
def test_the_p_value_agrees_with_scipy(problems: int) -> None:
    first, second = accuracies(problems, more=0.05)
    oracle = stats.permutation_test(
        (np.array(first), np.array(second)),
        lambda a, b, axis: (a - b).mean(axis=axis),
        permutation_type="samples",
        n_resamples=9999,
        rng=np.random.default_rng(1),
        vectorized=True,
    )
    # Two standard deviations of the error of 10,000 random signs, on both sides; 0 if all signs are tried.
    noise = 0.0 if problems <= 12 else 4 * (oracle.pvalue * (1 - oracle.pvalue) / 10_000) ** 0.5
    assert paired(first, second).p == pytest.approx(oracle.pvalue, abs=max(noise, 1e-9))


@pytest.mark.parametrize("problems", [6, 30, 200])
def test_the_interval_agrees_with_scipy(problems: int) -> None:
    first, second = accuracies(problems, more=0.1)
    low, high = percentile_levels(problems)
    oracle = stats.bootstrap(
        (np.subtract(first, second),),
        np.mean,
        method="percentile",
        confidence_level=high - low,
        rng=np.random.default_rng(1),
    ).confidence_interval
    found = paired(first, second)
    width = oracle.high - oracle.low
    assert found.low == pytest.approx(oracle.low, abs=0.04 * width)
    assert found.high == pytest.approx(oracle.high, abs=0.04 * width)


@hypothesis_settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_swapping_the_arms_turns_the_difference_round(pairs: list[tuple[float, float]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = paired(first, second, resamples=300), paired(second, first, resamples=300)
    assert one.difference == -other.difference
    assert one.p == pytest.approx(other.p)
    # Quantiles are interpolated from either end, which rounds differently.
    assert [one.low, one.high] == pytest.approx([-other.high, -other.low])
    assert -1 <= one.low <= one.difference + 1e-9
    assert one.difference - 1e-9 <= one.high <= 1


def test_arms_that_never_differ_are_not_certain_to_be_equal() -> None:
    found = paired([0.5, 1.0, 0.25] * 10, [0.5, 1.0, 0.25] * 10)
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.high == -found.low == pytest.approx(0.1135, abs=1e-4)  # Wilson: 0 of 30 may be up to 11.35%


def test_arms_that_differ_everywhere_alike_are_not_certain_either() -> None:
    found = paired([1.0] * 20, [0.0] * 20)
    assert (found.difference, found.high) == (1.0, 1.0)
    assert 0.6 < found.low < 0.7
    assert found.p == pytest.approx(1 / 10_001)


def test_one_problem_proves_nothing() -> None:
    found = paired([1.0], [0.0])
    assert found.p == 1.0
    assert found.low < 0 < found.high


def test_no_problem_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no problem"):
        paired([], [])


def test_random_signs_do_not_depend_on_the_blocks_they_are_drawn_in() -> None:
    rng = np.random.default_rng(0)
    differences = rng.normal(0.1, 1, (400, 3))  # 655 patterns to a block
    together = sign_permutation(differences, 2000)
    assert together == [sign_permutation(differences[:, [column]], 2000)[0] for column in range(3)]
    naive = np.random.default_rng(5).choice([-1.0, 1.0], (2000, 400)) @ differences
    share = (np.abs(naive) >= np.abs(differences.sum(axis=0))).mean(axis=0)
    assert together == pytest.approx(share.tolist(), abs=0.03)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_q_values_are_those_of_statsmodels(p_values: list[float]) -> None:
    q_values = benjamini_hochberg(p_values)
    expected = multipletests(p_values, method="fdr_bh")[1].tolist() if p_values else []
    assert q_values == pytest.approx(expected)


def test_lift_is_the_gain_as_a_share() -> None:
    assert relative_lift(30.01, 28.19) == pytest.approx(0.064, abs=1e-3)  # Qwen3-8B in the paper
    assert relative_lift(0.2, 0.4) == pytest.approx(-0.5)
    assert relative_lift(0.2, 0.0) is None


def rejections(problems: int, replications: int, *, more: float = 0.0, resamples: int = 10_000) -> float:
    """Return the share of replications with p below 0.05."""
    return float(np.mean(np.array(sign_permutation(differences(problems, replications, more), resamples)) < 0.05))


def differences(problems: int, replications: int, more: float) -> Numbers:
    rng = np.random.default_rng(11)
    turns, ease = draw_problems(rng, problems, replications)
    first = play(rng, turns, ease, kept=1 - more, more=more)
    return (first - play(rng, turns, ease, kept=1 - more)) / turns


@pytest.mark.parametrize("problems", [9, 30])
def test_few_problems_without_a_difference_are_seldom_rejected(problems: int) -> None:
    found = rejections(problems, 1000)
    print(f"{problems} problems, no difference: {found:.1%} rejected")
    assert 0.02 < found <= 0.065


def test_a_difference_of_five_points_is_found_in_a_small_study() -> None:
    assert rejections(816, 60, more=0.05, resamples=1000) > 0.8
    assert rejections(816, 200, resamples=1000) < 0.09


def coverage(problems: int, replications: int, resamples: int) -> float:
    """Return how often the interval of the paired difference contains the planted 5 points."""
    columns = differences(problems, replications, 0.05).T
    found = [paired(column.tolist(), [0.0] * problems, resamples=resamples) for column in columns]
    return sum(each.low <= 0.05 <= each.high for each in found) / replications


def test_intervals_over_few_problems_cover() -> None:
    assert 0.9 < coverage(9, 300, 1000) < 0.985


def test_the_same_values_give_the_same_result() -> None:
    rng = random.Random(4)
    first, second = [rng.random() for _ in range(50)], [rng.random() for _ in range(50)]
    assert paired(first, second) == paired(first, second)
    assert paired(first, second, seed=1) != paired(first, second)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.integers(0, 120), st.integers(0, 120))
def test_mcnemar_agrees_with_statsmodels(only_first: int, only_second: int) -> None:
    oracle = oracle_mcnemar([[7, only_first], [only_second, 9]], exact=True).pvalue
    assert mcnemar(only_first, only_second) == pytest.approx(min(1.0, oracle), rel=1e-9)
    assert mcnemar(only_first, only_second) == mcnemar(only_second, only_first)


def test_mcnemar_knows_small_and_large_tables() -> None:
    assert [mcnemar(0, 0), mcnemar(3, 3), mcnemar(1, 0), mcnemar(5, 0)] == [1.0, 1.0, 1.0, 0.0625]
    assert mcnemar(9, 1) == pytest.approx(22 / 1024)
    assert mcnemar(3000, 2800) == pytest.approx(stats.binomtest(2800, 5800).pvalue)
    assert mcnemar(5000, 0) == 0.0


@hypothesis_settings(max_examples=12, deadline=None)  # each call of the oracle collects garbage, which is slow
@given(st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.05, 1.0]), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


@hypothesis_settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=12, unique=True), st.integers(0, 2**12 - 1))
def test_wilcoxon_without_ties_agrees_with_scipy(sizes: list[int], signs: int) -> None:
    differences = [size if signs >> i & 1 else -size for i, size in enumerate(sizes)]
    assert wilcoxon([*differences, 0.0]) == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue)


@hypothesis_settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_wilcoxon_with_ties_agrees_with_all_signs(differences: list[int]) -> None:
    ranks = stats.rankdata([abs(each) for each in differences if each])
    signed = [np.sign(each) * rank for each, rank in zip(filter(None, differences), ranks, strict=True)]
    assert wilcoxon(differences) == pytest.approx(naive_p(signed, [0.0] * len(signed)))
    # Sizes that only rounding tells apart still share their rank.
    assert wilcoxon([each / 3 + 1e-13 * i for i, each in enumerate(differences)]) == wilcoxon(differences)


def test_wilcoxon_over_many_problems_agrees_with_scipy() -> None:
    rng = np.random.default_rng(8)
    differences = rng.normal(0.13, 1, 200)
    exact = stats.wilcoxon(differences, method="exact").pvalue
    assert 0.01 < exact < 0.5
    assert wilcoxon(differences.tolist()) == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 10_000) ** 0.5)


def test_wilcoxon_without_a_difference_finds_none() -> None:
    assert wilcoxon([]) == wilcoxon([0.0, 0.0]) == 1.0
