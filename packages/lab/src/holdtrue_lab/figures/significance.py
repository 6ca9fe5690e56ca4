"""This module tests whether one method is better than another, and whether a figure rises over the steps of an order.

Methods are compared on the same problems. Bootstrap intervals over problems, sign-permutation tests and
Benjamini-Hochberg's correction follow DRIFT-Bench, section 4.3. Searches are compared by exact McNemar tests with
Holm's correction, and by Wilcoxon's test.

The test of a rise is Kendall's tau (A New Measure of Rank Correlation, 1938), as tau-b for ties (Kendall, 1945). If the
other variable is an order, this is Mann's test for a trend (1945).
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


# Sums that differ by less count as equal, because the order of a sum changes its rounding.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Paired:
    """A `Paired` is a mean difference over `problems`, with its 95% interval and its two-sided p-value.

    Differences of accuracies are in -1..1. `interval` names the interval's method: `wilson` if all differences are
    equal (see `paired`), or else `bootstrap`.
    """

    problems: int
    difference: float
    low: float
    high: float
    p: float
    interval: Interval = "bootstrap"


def paired(first: Sequence[float], second: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> Paired:
    """Return the mean of `first` minus `second`, which hold one value in 0..1 for each problem, in the same order.

    The interval is the expanded percentile interval of the bootstrap over problems (`percentile_levels`). The BCa
    bootstrap corrects bias and skewness, which a mean over problems hardly has. With 9 problems, BCa covers 90%, and
    this interval 95%. If all differences are equal, the bootstrap would claim certainty. So the interval is then
    extended by Wilson's bound for problems with another difference, of which none was seen.

    The p-value is that of `sign_permutation`. Raises `ValueError` if there is no problem.
    """
    import numpy as np

    differences = np.subtract(first, second, dtype=np.float64)
    if not differences.size:
        raise ValueError("there is no problem to compare")
    mean = float(differences.mean())
    low, high, interval = _interval(differences, mean, resamples, seed)
    # A difference of 0 has no sign to flip. Without these, there may be few enough patterns to try all.
    [p] = sign_permutation(differences[np.abs(differences) > _EQUAL, None], resamples, seed)
    return Paired(len(differences), mean, low, high, p, interval)


def sign_permutation(differences: NDArray[Any], resamples: int = RESAMPLES, seed: int = 0) -> list[float]:
    """Return, for each column of differences, the p-value of the hypothesis that the mean is 0; a row is a problem.

    If the methods do not differ, each problem's difference has either sign with equal probability. The p-value is the
    share of sign patterns with a mean at least as far from 0. All patterns are tried if there are at most `resamples`.
    Otherwise `resamples` random patterns are drawn; the pattern of the data counts too, so p is never 0.
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
    """Return the exact two-sided p-value of McNemar's test, from the numbers of problems that one method alone solved.

    If the methods are equally good, each such problem is a toss of a fair coin. The p-value is twice the smaller tail.
    Source: McNemar, 1947, with the exact binomial distribution.
    """
    discordant = only_first + only_second
    tail = sum(math.comb(discordant, heads) for heads in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << discordant))


def against_half(hits: int, of: int) -> tuple[float | None, float]:
    """Return Pearson's χ² (1 degree of freedom) of a share against one half, and its p-value.

    The p-value assumes independent trials. Without a trial, χ² is None and the p-value 1.
    """
    if not of:
        return None, 1.0
    chi2 = (2 * hits - of) ** 2 / of
    return chi2, math.erfc(math.sqrt(chi2 / 2))


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test on paired differences; zeros are dropped.

    The function applies `sign_permutation` to the signed ranks. Differences of equal size share the mean of their
    ranks. So the test is exact for few differences, and correct with ties. Source: Wilcoxon, 1945.
    """
    import numpy as np

    found = np.asarray(differences, dtype=np.float64)
    found = found[np.abs(found) > _EQUAL]
    # After rounding, means that differ only by the order of their sums share a rank.
    _, places, counts = np.unique(np.abs(found).round(9), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    [p] = sign_permutation((np.sign(found) * ranks)[:, None])
    return p


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of one family, corrected by Holm (1979), and made monotone from the smallest p-value up.

    If hypotheses with corrected values up to 5% are rejected, at most 5% of families contain a wrong rejection.
    """
    adjusted = [1.0] * len(p_values)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        most = max(most, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = most
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the q-value of each p-value: the smallest false-discovery rate at which it counts as a discovery.

    The q-values are made monotone from the largest p-value down. Source: Benjamini and Hochberg, 1995.
    """
    q_values = [1.0] * len(p_values)
    least = 1.0
    largest_first = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    for rank, place in zip(range(len(p_values), 0, -1), largest_first, strict=True):
        least = min(least, p_values[place] * (len(p_values) / rank))
        q_values[place] = least
    return q_values


def relative_lift(value: float, base: float) -> float | None:
    """Return the gain over `base` as a share of it (DRIFT-Bench, section 5.2); None if `base` is 0."""
    return (value - base) / base if base else None


def _interval(differences: NDArray[Any], mean: float, resamples: int, seed: int) -> tuple[float, float, Interval]:
    import numpy as np

    size = len(differences)
    if np.ptp(differences) < _EQUAL:
        # This is Wilson's bound for an event that no problem shows, scaled to differences in -1..1.
        unseen = Z95**2 / (size + Z95**2)
        return mean * (1 - unseen) - unseen, mean * (1 - unseen) + unseen, "wilson"
    means = resampled(differences[:, None], resamples, seed) / size
    low, high = np.quantile(means, percentile_levels(size))
    return float(low), float(high), "bootstrap"


def _all_flips(size: int) -> NDArray[Any]:
    import numpy as np

    return (np.arange(2**size)[:, None] >> np.arange(size) & 1).astype(np.uint8)


def _random_flips(rng: Generator, size: int, resamples: int) -> Iterator[NDArray[Any]]:
    import numpy as np

    block = block_rows(size)
    for start in range(0, resamples, block):
        yield rng.integers(0, 2, size=(min(block, resamples - start), size), dtype=np.uint8)


# Values are rounded to so many digits, because rounding errors of sums must not count as rises.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Trend:
    """A `Trend` is Kendall's tau-b of `of` values against their order, in -1..1, with its two-sided exact p-value.

    `tau` is None if all values are equal, or if there are fewer than two values.
    """

    of: int
    tau: float | None
    p: float


def kendall(values: Sequence[float]) -> Trend:
    """Return whether the values rise with their place, or fall; at tau 1, each value is above the value before it.

    The p-value is the share of all orders of these values whose tau is at least as far from 0.
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
    # The places have no ties, so only ties of values lower the largest possible balance.
    return Trend(len(rounded), balance / math.sqrt(untied * len(pairs)), extreme / sum(orders))


def _orders_by_falling_pairs(ties: Iterable[int]) -> list[int]:
    """Return the numbers of orders with 0, 1, 2... falling pairs; `ties` has the size of each group of equal values.

    Each group of equal values is inserted among the groups before it. So the numbers are the coefficients of a product
    of Gaussian binomials.
    """
    orders, placed = [1], 0
    for size in ties:
        orders = _times(orders, _gaussian_binomial(placed + size, size))
        placed += size
    return orders


def _gaussian_binomial(total: int, chosen: int) -> list[int]:
    """Return the coefficients of the Gaussian binomial [total choose chosen]_q.

    Coefficient i counts the ways to choose `chosen` of `total` places with i pairs of a chosen and a later other place.
    """
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
