"""This module computes rates, means, quotients and other figures with 95% intervals.

Turns of one problem are not independent, so counts over turns are resampled by whole problems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray


Z95 = 1.959963984540054  # the normal quantile at 0.975
RESAMPLES = 10_000
# Resamples are drawn in blocks. The draws of a block fit into the processor's cache. The draws of the latest `_KEPT`
# blocks are kept, with one byte each (32 MiB). Arms of a run reuse them, because they have equally many problems.
_BLOCK = 1 << 18
_KEPT = 128
# With at most so many multiplications, numpy stays on one thread. Its thread pool costs up to fifty times the work
# while other programs use the processors.
_TILE = 1 << 18

Column = tuple[Sequence[int], Sequence[int]]
Interval = Literal["bootstrap", "wilson"]
"""The method of a 95% interval: expanded percentiles of the bootstrap over problems, or Wilson's score."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A `Rate` is `hits` out of `of`, with its 95% interval; `interval` names the interval's method.

    `value`, `low` and `high` are in 0..1. They and `interval` are None if `of` is 0.
    """

    hits: int
    of: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """An `Estimate` is a figure from `of` problems, with its 95% interval; `interval` names the interval's method.

    `value` is None if no problem contributes. `low`, `high` and `interval` are also None if all resamples are equal,
    because then the variation of the figure is unknown.
    """

    of: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    interval: Interval | None = None


def wilson(hits: int, of: int) -> Rate:
    """Return a rate of independent events, with Wilson's score interval."""
    return Rate(hits, of, hits / of, *_wilson(hits / of, of), "wilson") if of else Rate(hits, of)


def clustered(columns: Sequence[Column], *, resamples: int = RESAMPLES) -> list[Rate]:
    """Return the rate sum(hits) / sum(of) for each column, which has a pair (hits, of) for each problem.

    All columns are over the same problems. Intervals are percentiles of the bootstrap over problems, expanded if the
    problems are few (`percentile_levels`). If all problems have the same rate, the bootstrap would claim certainty. So
    the interval is then Wilson's, with one event for each problem.
    """
    import numpy as np

    varied = [(np.array(column, dtype=np.float64).T, ratio) for column in columns if _varies(*column)]
    drawn = iter(estimates(varied, resamples=resamples))
    return [_rate(column, drawn) for column in columns]


def means(columns: Sequence[Sequence[float | None]]) -> list[Estimate]:
    """Return the mean of each column, which has for each problem a number or None; see `estimates`."""
    import numpy as np

    tables = [np.array([(0.0, 0.0) if n is None else (n, 1.0) for n in column]).reshape(-1, 2) for column in columns]
    return estimates([(table, ratio) for table in tables])


def ratios(pairs: Sequence[tuple[Column, Column]]) -> list[Estimate]:
    """Return, for each pair of columns, the rate of the first divided by the rate of the second; see `estimates`.

    A problem may contribute to either rate or to both. `of` is the smaller of the two numbers of contributing problems,
    and the interval is expanded for this number.
    """
    import numpy as np

    found = []
    for first, second in pairs:
        table = np.array([*first, *second], dtype=np.float64).T
        [estimate] = estimates([(table, _ratio_of_rates)], fewest=min(_problems(first), _problems(second)))
        found.append(estimate)
    return found


def _problems(column: Column) -> int:
    return sum(of > 0 for of in column[1])


def _ratio_of_rates(sums: NDArray[Any]) -> NDArray[Any]:
    """Return the ratio of two rates for each row (hits, of, hits, of) of `sums`; undefined ratios are nan."""
    import numpy as np

    over = sums[:, 1] * sums[:, 2]
    found: NDArray[Any] = np.divide(sums[:, 0] * sums[:, 3], over, out=np.full(len(sums), np.nan), where=over > 0)
    return found


def ratio(sums: NDArray[Any]) -> NDArray[Any]:
    """Return the first column divided by the second, or nan if the second is not positive; for `estimates`."""
    import numpy as np

    found: NDArray[Any] = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return found


def estimates(
    figures: Sequence[tuple[NDArray[Any], Callable[[NDArray[Any]], NDArray[Any]]]],
    *,
    resamples: int = RESAMPLES,
    fewest: int | None = None,
) -> list[Estimate]:
    """Return figures that follow from sums over problems, such as an F1 from counts of hits and misses.

    Each figure has a table with a row for each problem, and a function. The function maps sums of the columns, shape
    (n, columns), to n figures; undefined figures are nan. All tables have the same problems. Rows of zeros do not
    contribute. Intervals are percentiles of the bootstrap over problems, expanded for `fewest` problems, by default for
    the number of contributing problems.
    """
    import numpy as np

    if not figures or not len(figures[0][0]):
        return [Estimate(0) for _ in figures]
    sums = resampled(np.concatenate([table for table, _ in figures], axis=1), resamples)
    found, start = [], 0
    for table, figure in figures:
        end = start + table.shape[1]
        of = int(table.any(axis=1).sum()) if fewest is None else fewest
        found.append(_estimate(of, figure(table.sum(axis=0)[None, :])[0], figure(sums[:, start:end])))
        start = end
    return found


def _estimate(of: int, value: float, drawn: NDArray[Any], *, between: bool = True) -> Estimate:
    """Return a figure with the interval of its resamples.

    If `between` is true, the ends of the interval may lie between the values of two resamples.
    """
    import numpy as np

    if not np.isfinite(value):
        return Estimate(of)
    drawn = drawn[~np.isnan(drawn)]
    if of < 2:
        return Estimate(of, float(value))
    methods: tuple[Literal["linear", "lower", "higher"], ...] = ("linear", "linear") if between else ("lower", "higher")
    low, high = (
        float(np.quantile(drawn, level, method=own)) for level, own in zip(percentile_levels(of), methods, strict=True)
    )
    # Sums of the same numbers in different orders differ only by rounding.
    if not np.isfinite(high) or high - low <= 1e-9 * max(1.0, abs(value)):
        return Estimate(of, float(value))
    return Estimate(of, float(value), low, high, "bootstrap")


def _rate(column: Column, drawn: Iterator[Estimate]) -> Rate:
    hits, of = sum(column[0]), sum(column[1])
    if not of:
        return Rate(hits, of)
    if _varies(*column):
        found = next(drawn)
        return Rate(hits, of, hits / of, found.low, found.high, found.interval)
    return Rate(hits, of, hits / of, *_wilson(hits / of, _problems(column)), "wilson")


def _varies(hits: Sequence[int], of: Sequence[int]) -> bool:
    total_hits, total = sum(hits), sum(of)
    return any(h * total != total_hits * n for h, n in zip(hits, of, strict=True))


def _wilson(value: float, of: int) -> tuple[float, float]:
    z2 = Z95 * Z95
    centre = (value + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * math.sqrt(value * (1 - value) / of + z2 / (4 * of * of))
    # At 0 and 1, rounding could exclude the rate from its interval.
    return min(value, max(0.0, centre - half)), max(value, min(1.0, centre + half))


def percentile_levels(size: int) -> tuple[float, float]:
    """Return the quantiles of a bootstrap over `size` (at least 2) problems that make a 95% interval.

    Plain percentiles are too narrow for few problems, for two reasons. The variance of resamples is too small by the
    factor (n-1)/n. And percentiles correspond to normal quantiles, not to Student's. More extreme quantiles correct
    both. The expanded percentile interval is by Hesterberg, What Teachers Should Know About the Bootstrap, 2015.
    """
    outside = math.erfc(math.sqrt(size / (size - 1)) * _student(size - 1) / math.sqrt(2)) / 2
    return outside, 1 - outside


def _student(freedom: int) -> float:
    """Return Student's quantile at 0.975, from four terms of its expansion (Abramowitz and Stegun, 26.7.5).

    The error is 0.001 at 4 degrees of freedom, and smaller with more. With fewer it is larger. But then the levels are
    so close to 0 and 1 that all resamples lie between them.
    """
    z, n = Z95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def resampled(table: NDArray[Any], resamples: int, seed: int = 0) -> NDArray[Any]:
    """Return the sums of each column of `table` over resamples of the problems (its rows), shape (resamples, columns).

    The draws depend on the number of problems, `resamples` and `seed` alone.
    """
    import numpy as np

    block = block_rows(len(table))
    counts = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([weighted(_drawn(len(table), n, seed, i), table) for i, n in enumerate(counts)])


def block_rows(size: int) -> int:
    """Return the number of resamples of `size` problems in a block."""
    return max(1, _BLOCK // size)


def weighted(weights: NDArray[Any], table: NDArray[Any]) -> NDArray[Any]:
    """Return `weights @ table` for weights of one byte, computed on one thread."""
    import numpy as np

    size, width = table.shape
    deep = max(1, min(size, 512, _TILE // (8 * width)))
    tall = max(1, _TILE // (deep * width))
    sums = np.zeros((len(weights), width))
    for top in range(0, len(weights), tall):
        for left in range(0, size, deep):
            part = weights[top : top + tall, left : left + deep].astype(np.float64)
            sums[top : top + tall] += part @ table[left : left + deep]
    return sums


@lru_cache(maxsize=_KEPT)
def _drawn(size: int, resamples: int, seed: int, block: int) -> NDArray[Any]:
    """Return how often each resample (row) of a block drew each problem (column), one byte for each count."""
    import numpy as np

    rng = np.random.default_rng((seed, block))
    drawn = rng.integers(0, size, size=(resamples, size), dtype=np.uint16 if size <= 1 << 16 else np.uint32)
    cells = drawn + np.arange(resamples)[:, None] * size
    return np.bincount(cells.ravel(), minlength=resamples * size).reshape(resamples, size).astype(np.uint8)


Numbers = Sequence[float]


def quotients(pairs: Sequence[tuple[Numbers, Numbers]], *, resamples: int = RESAMPLES) -> list[Estimate]:
    """Return, for each pair of columns by problem, the first sum divided by the second, with its 95% interval.

    All columns are over the same problems. There is no value if the second sum is not positive. Intervals are expanded
    percentiles of the bootstrap over problems (`percentile_levels`). A resample whose second sum is not positive counts
    as infinite, because otherwise rare successes would look cheap. If there are too many such resamples, there is no
    interval.
    """
    import numpy as np

    if not pairs or not len(pairs[0][0]):
        return [Estimate(0) for _ in pairs]
    table = np.array([numbers for pair in pairs for numbers in pair], dtype=np.float64).T
    whole, drawn, problems = table.sum(axis=0)[None, :], resampled(table, resamples), len(table)
    found = []
    for place in range(0, 2 * len(pairs), 2):
        value, without_end = ratio(whole[:, place : place + 2])[0], ratio(drawn[:, place : place + 2])
        without_end[np.isnan(without_end)] = np.inf
        found.append(_estimate(problems, value, without_end, between=False))
    return found
