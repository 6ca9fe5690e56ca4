"""Quotients of two sums over problems whose second sum may well be nothing, such as what a right answer costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from holdtrue.figures.statistics import RESAMPLES, Estimate, percentile_levels, resampled

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers = Sequence[float]


def quotients(pairs: Sequence[tuple[Numbers, Numbers]], *, resamples: int = RESAMPLES, seed: int = 0) -> list[Estimate]:
    """For each pair of numbers by problem, the first sum by the second, with its 95% interval.

    All pairs are over the same problems. There is no value where the second sum is not positive. Intervals are expanded
    percentiles of the bootstrap over problems (`percentile_levels`). A resample whose second sum is not positive has no
    quotient, and counts as one beyond all others: where there are too many of them, the interval has no end, and there
    is none. Leaving them out instead would make what rarely succeeds look cheap.
    """
    import numpy as np

    if not pairs or not len(pairs[0][0]):
        return [Estimate(0) for _ in pairs]
    table = np.array([numbers for pair in pairs for numbers in pair], dtype=np.float64).T
    whole, drawn = table.sum(axis=0), resampled(table, resamples, seed)
    return [
        _quotient(len(table), whole[place : place + 2], drawn[:, place : place + 2])
        for place in range(0, 2 * len(pairs), 2)
    ]


def _quotient(problems: int, whole: NDArray[Any], drawn: NDArray[Any]) -> Estimate:
    import numpy as np

    if whole[1] <= 0:
        return Estimate(problems)
    value = float(whole[0] / whole[1])
    if problems < 2:
        return Estimate(problems, value)
    found = np.divide(drawn[:, 0], drawn[:, 1], out=np.full(len(drawn), np.inf), where=drawn[:, 1] > 0)
    least, most = percentile_levels(problems)
    # No value between two resamples is taken: beside one without an end there is none.
    low, high = np.quantile(found, least, method="lower"), np.quantile(found, most, method="higher")
    # Equal numbers that were added up in another order differ by rounding alone.
    if not np.isfinite(high) or high - low <= 1e-9 * max(1.0, abs(value)):
        return Estimate(problems, value)
    return Estimate(problems, value, float(low), float(high), "bootstrap")
