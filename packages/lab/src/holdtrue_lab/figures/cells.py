"""This module formats numbers for table cells and sentences in the same way for all parts of a report."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.statistics import Estimate, Interval, Rate

MISSING = "-"
WILSON = "W"  # the last letter of a cell with Wilson's interval; all other intervals are from the bootstrap
SMALLEST_P = 0.0001  # the drawn permutations cannot resolve smaller p-values


def percent(value: float | None) -> str:
    """Return a share as percent with one digit: `63.3`; never `-0.0`."""
    return MISSING if value is None else f"{100 * value:z.1f}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval in 0..1 in percent: `57.4-69.3`."""
    return MISSING if low is None or high is None else f"{100 * low:.1f}-{100 * high:.1f}"


def rate_interval(rate: Rate | Estimate) -> str:
    """Return the interval of a share in percent: `57.4-69.3`, or `72.2-100.0W` if it is Wilson's."""
    return interval(rate.low, rate.high) + _mark(rate.interval)


def rate_in_interval(rate: Rate | Estimate) -> str:
    """Return a share in percent with its interval: `62.1 [55.0, 68.9]`, or `100.0 [72.2, 100.0]W` if it is Wilson's."""
    return in_interval(rate, percent)


def in_interval(figure: Rate | Estimate, show: Callable[[float | None], str]) -> str:
    """Return a figure with its interval, both formatted by `show`, or the figure alone if it has no interval."""
    value = show(figure.value)
    if figure.low is None or figure.high is None:
        return value
    return f"{value} [{show(figure.low)}, {show(figure.high)}]{_mark(figure.interval)}"


def points(value: float | None) -> str:
    """Return a difference in -1..1 in percentage points, with its sign: `+2.0`."""
    return MISSING if value is None else f"{100 * value:+z.1f}"


def points_interval(low: float | None, high: float | None) -> str:
    """Return the interval of a difference: `[+0.3, +3.7]`."""
    return MISSING if low is None or high is None else f"[{points(low)}, {points(high)}]"


def paired_interval(found: Paired, show: Callable[[float], str] = points) -> str:
    """Return the interval of a paired difference: `[+0.3, +3.7]`, or `[-11.4, +11.4]W` if it is Wilson's."""
    return f"[{show(found.low)}, {show(found.high)}]{_mark(found.interval)}"


def _mark(method: Interval | None) -> str:
    return WILSON if method == "wilson" else ""


def p_value(value: float | None) -> str:
    """Return a p- or q-value: `0.0187`, or `<0.0001`."""
    if value is None:
        return MISSING
    return f"<{SMALLEST_P}" if value < SMALLEST_P else f"{value:.4f}"


def fraction(value: float | None) -> str:
    """Return a value in 0..1 with three digits: `0.726`."""
    return MISSING if value is None else f"{value:.3f}"


def decimal(value: float | None) -> str:
    """Return a number with two digits: `6.89`."""
    return MISSING if value is None else f"{value:.2f}"


def times(value: float | None) -> str:
    """Return a ratio as a multiple: `1.55x`."""
    return MISSING if value is None else f"{value:.2f}x"


def share(rate: Rate) -> str:
    """Return a rate for a sentence: `45.1%`."""
    return MISSING if rate.value is None else f"{percent(rate.value)}%"


def mean(total: int, of: int) -> str:
    """Return the mean of `of` numbers whose sum is `total`: `0.25`."""
    return decimal(divide(total, of))


def coverage(known: int, of: int) -> str:
    """Return a count out of its total: `220/221`."""
    return f"{known}/{of}"


def divide(hits: int, of: int) -> float | None:
    return hits / of if of else None
