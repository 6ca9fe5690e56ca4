"""Tests of whether one arm is better than another, paired over problems, and whether a figure rises from step to step.

Source: DRIFT-Bench, section 4.3: problem-level bootstrap intervals, sign-permutation tests, Benjamini-Hochberg; for
searches exact McNemar tests with Holm, and Wilcoxon.

Source: Kendall, A New Measure of Rank Correlation, 1938; tau-b for ties: Kendall, 1945. Against the order of the steps
themselves it is Mann's test for a trend (1945).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Any

from holdtrue_lab.figures.statistics import RESAMPLES, Z95, Interval, block_rows, percentile_levels, resampled, weighted

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray


# Sums that differ by less are equal: the same differences in another order add up to slightly different floats.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Paired:
    """The mean difference over `problems`, with its 95% interval and the two-sided p-value of no difference.

    Differences of accuracies are in -1..1. `interval` names the interval's method: `wilson` where all differences are
    equal (see `paired`), or else `bootstrap`.
    """

    problems: int
    difference: float
    low: float
    high: float
    p: float
    interval: Interval = "bootstrap"


def paired(first: Sequence[float], second: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> Paired:
    """`first` minus `second`, where both hold one value in 0..1 for each problem, in the same order of problems.

    The interval is the expanded percentile one of the bootstrap over problems (`percentile_levels`). BCa mends
    bias and skewness, of which a mean over problems has next to none, and not what spoils intervals over few
    problems: with 9 of them it covers 90%, this one 95%. Where all differences are equal, and the bootstrap would
    claim certainty, the interval allows for as large a share of problems that differ otherwise as Wilson's
    interval has for an event that was never seen.

    The p-value is that of `sign_permutation`. Raises `ValueError` where there is no problem.
    """
    import numpy as np

    differences = np.subtract(first, second, dtype=np.float64)
    if not differences.size:
        raise ValueError("there is no problem to compare")
    mean = float(differences.mean())
    low, high, interval = _interval(differences, mean, resamples, seed)
    # A difference of 0 has no sign to flip; without those, few enough may be left to try every pattern.
    [p] = sign_permutation(differences[np.abs(differences) > _EQUAL, None], resamples, seed)
    return Paired(len(differences), mean, low, high, p, interval)


def sign_permutation(differences: NDArray[Any], resamples: int = RESAMPLES, seed: int = 0) -> list[float]:
    """For each column of differences (one row for each problem), the p-value of a mean as far from 0 as its own.

    Without a difference between the arms, each problem's could as well have the other sign. All sign patterns are
    tried where there are no more than `resamples`, else so many random ones, with the data's own counted among
    them (so p is never 0).
    """
    import numpy as np

    size, width = differences.shape
    total = differences.sum(axis=0)
    every = 2**size <= resamples
    rng = np.random.default_rng(seed)
    extreme = np.zeros(width, dtype=np.int64)
    for flipped in [_all_flips(size)] if every else _random_flips(rng, size, resamples):
        sums = total - 2 * weighted(flipped, differences)
        extreme += (np.abs(sums) >= np.abs(total) - _EQUAL).sum(axis=0)
    p_values = extreme / 2**size if every else (extreme + 1) / (resamples + 1)
    return [float(p) for p in p_values]


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value of McNemar's test, from how many problems only one of two arms has solved.

    If the arms are alike, each such problem could as well have been the other's: twice the smaller tail of a fair
    coin. Source: McNemar, 1947, with the binomial distribution itself in place of its approximation.
    """
    discordant = only_first + only_second
    patterns = tail = 1
    for heads in range(min(only_first, only_second)):
        patterns = patterns * (discordant - heads) // (heads + 1)
        tail += patterns
    return min(1.0, 2 * tail / (1 << discordant))


def against_half(hits: int, of: int) -> tuple[float | None, float]:
    """Return Pearson's χ² (1 degree of freedom) of a share against one half, and its p-value; None and 1 for no trial.

    The p-value takes trials for independent.
    """
    if not of:
        return None, 1.0
    chi2 = (2 * hits - of) ** 2 / of
    return chi2, math.erfc(math.sqrt(chi2 / 2))


def wilcoxon(differences: Sequence[float]) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test that paired values are alike; zeros are dropped.

    It is `sign_permutation` of the signed ranks, where equal sizes share the mean of their ranks: exact for few
    differences, else by random signs, so it is right with ties as well. Source: Wilcoxon, 1945.
    """
    import numpy as np

    found = np.asarray(differences, dtype=np.float64)
    found = found[np.abs(found) > _EQUAL]
    # Means of the same trials in another order differ by rounding, and would not share their rank.
    _, places, counts = np.unique(np.abs(found).round(9), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    [p] = sign_permutation((np.sign(found) * ranks)[:, None])
    return p


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value as it stands in its family: rejecting those up to 5% makes any error in at most 5% of families.

    Source: Holm, 1979; made monotone from the smallest p-value up.
    """
    adjusted = [1.0] * len(p_values)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        most = max(most, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = most
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """The q-value of each p-value: the smallest false-discovery rate at which it would be called a discovery.

    Source: Benjamini and Hochberg, 1995; made monotone from the largest p-value down.
    """
    q_values = [1.0] * len(p_values)
    least = 1.0
    largest_first = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    for rank, place in zip(range(len(p_values), 0, -1), largest_first, strict=True):
        least = min(least, p_values[place] * (len(p_values) / rank))
        q_values[place] = least
    return q_values


def relative_lift(value: float, base: float) -> float | None:
    """The gain over `base` as a share of it (DRIFT-Bench, section 5.2); None where `base` is 0."""
    return (value - base) / base if base else None


def _interval(differences: NDArray[Any], mean: float, resamples: int, seed: int) -> tuple[float, float, Interval]:
    import numpy as np

    size = len(differences)
    if np.ptp(differences) < _EQUAL:
        # Wilson's bound for what was seen in none of them; and no difference is beyond -1 or 1.
        unseen = Z95**2 / (size + Z95**2)
        return mean * (1 - unseen) - unseen, mean * (1 - unseen) + unseen, "wilson"
    means = resampled(differences[:, None], resamples, seed) / size
    low, high = np.quantile(means, percentile_levels(size))
    return float(low), float(high), "bootstrap"


def _all_flips(size: int) -> NDArray[Any]:
    """Every way to choose some of `size` problems, one in each row."""
    import numpy as np

    return (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(np.uint8)


def _random_flips(rng: Generator, size: int, resamples: int) -> Iterator[NDArray[Any]]:
    """So many random ways to choose some of `size` problems, in blocks."""
    import numpy as np

    block = block_rows(size)
    for start in range(0, resamples, block):
        yield rng.integers(0, 2, size=(min(block, resamples - start), size), dtype=np.uint8)


# Means of the same numbers in another order differ by rounding, and are no rise.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Trend:
    """Kendall's tau-b of `of` values against their order, in -1..1, and its two-sided exact p-value.

    `tau` is None where all values are equal, or there are fewer than two.
    """

    of: int
    tau: float | None
    p: float


def kendall(values: Sequence[float]) -> Trend:
    """Test whether the values rise with their place (tau 1: each is above the one before), or fall.

    The p-value is the share of all orders of these values with a tau as far from 0, ties included.
    """
    rounded = [round(value, _DIGITS) for value in values]
    pairs = list(combinations(rounded, 2))
    untied = sum(one != two for one, two in pairs)
    falling = sum(one > two for one, two in pairs)
    if not untied:
        return Trend(len(rounded), None, 1.0)
    orders = _orders_by_falling_pairs(Counter(rounded).values())
    balance = untied - 2 * falling
    extreme = sum(times for count, times in enumerate(orders) if abs(untied - 2 * count) >= abs(balance))
    # The places have no ties, so that only those of the values lower the most that the balance can be.
    return Trend(len(rounded), balance / math.sqrt(untied * len(pairs)), extreme / sum(orders))


def _orders_by_falling_pairs(ties: Iterable[int]) -> list[int]:
    """Return how many orders have 0, 1, 2... pairs that fall; `ties` are the numbers of equal values.

    Each group of equal values is put among those before it, so that the numbers are the coefficients of a product of
    Gaussian binomials.
    """
    orders, placed = [1], 0
    for size in ties:
        orders = _times(orders, _gaussian_binomial(placed + size, size))
        placed += size
    return orders


def _gaussian_binomial(total: int, chosen: int) -> list[int]:
    """The coefficients of [total choose chosen]_q: subsets of places by how many others come before them."""
    # By Pascal's rule [n, k] = [n-1, k-1] + q^k [n-1, k].
    row = [[1]] + [[0]] * chosen
    for _ in range(total):
        pairs = [zip_longest(row[k - 1], [0] * k + row[k], fillvalue=0) for k in range(1, chosen + 1)]
        row = [row[0], *([one + two for one, two in pair] for pair in pairs)]
    return row[chosen]


def _times(one: Sequence[int], two: Sequence[int]) -> list[int]:
    product = [0] * (len(one) + len(two) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            product[i + j] += a * b
    return product
