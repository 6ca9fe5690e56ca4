"""Rates with 95% intervals.

Turns of one problem are not independent, so what is counted over turns is resampled by whole problems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Z95 = 1.959963984540054  # the normal quantile at 0.975
RESAMPLES = 10_000
# Drawn indices held at once: few enough to stay in the cache, and for numpy to multiply them on one thread
# (its thread pool costs up to ten times the work where other programs use the processors).
_CHUNK = 1 << 15

Column = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` out of `of`, with its 95% interval; `value`, `low`, `high` are in 0..1, None where `of` is 0."""

    hits: int
    of: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


def wilson(hits: int, of: int) -> Rate:
    """A rate of independent events, with Wilson's score interval."""
    return Rate(hits, of, hits / of, *_wilson(hits / of, of)) if of else Rate(hits, of)


def clustered(columns: Sequence[Column], *, resamples: int = RESAMPLES, seed: int = 0) -> list[Rate]:
    """For each column (hits, of) of counts by problem, the rate sum(hits) / sum(of).

    All columns are over the same problems. Intervals are percentiles of the bootstrap over problems. Where all
    problems have the same rate the bootstrap would claim certainty; then the interval is Wilson's, with each
    problem counting once.
    """
    varied = [column for column in columns if _varies(*column)]
    intervals = iter(_bootstrap(varied, resamples, seed)) if varied else iter(())
    return [_rate(column, intervals) for column in columns]


def _rate(column: Column, intervals: Any) -> Rate:
    hits, of = sum(column[0]), sum(column[1])
    if not of:
        return Rate(hits, of)
    interval = next(intervals) if _varies(*column) else _wilson(hits / of, sum(n > 0 for n in column[1]))
    return Rate(hits, of, hits / of, *interval)


def _varies(hits: Sequence[int], of: Sequence[int]) -> bool:
    total_hits, total = sum(hits), sum(of)
    return any(h * total != total_hits * n for h, n in zip(hits, of, strict=True))


def _wilson(value: float, of: int) -> tuple[float, float]:
    z2 = Z95 * Z95
    centre = (value + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * math.sqrt(value * (1 - value) / of + z2 / (4 * of * of))
    # At the ends rounding could leave the rate itself just outside.
    return min(value, max(0.0, centre - half)), max(value, min(1.0, centre + half))


def _bootstrap(columns: Sequence[Column], resamples: int, seed: int) -> list[tuple[float, float]]:
    import numpy as np

    table = np.array([*(hits for hits, _ in columns), *(of for _, of in columns)], dtype=np.float64).T
    size = len(table)
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // size)
    rates = np.empty((resamples, len(columns)))
    for start in range(0, resamples, step):
        sums = _weights(rng, min(step, resamples - start), size) @ table
        with np.errstate(invalid="ignore"):  # a resample without any event of a column has no rate there
            rates[start : start + step] = sums[:, : len(columns)] / sums[:, len(columns) :]
    intervals = []
    for rate in rates.T:
        low, high = np.quantile(rate[np.isfinite(rate)], (0.025, 0.975))
        intervals.append((float(low), float(high)))
    return intervals


def _weights(rng: Any, resamples: int, size: int) -> NDArray[Any]:
    """How often each resample (row) drew each problem (column): one draw serves all columns."""
    import numpy as np

    drawn = rng.integers(0, size, size=(resamples, size), dtype=np.uint16 if size <= 1 << 16 else np.uint32)
    cells = drawn + np.arange(resamples)[:, None] * size
    return np.bincount(cells.ravel(), minlength=resamples * size).reshape(resamples, size).astype(np.float64)
