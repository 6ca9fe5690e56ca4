"""Write numbers as all parts of a report show them; each function returns the text of a cell."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue_lab.figures.significance import Paired
from holdtrue_lab.figures.statistics import Estimate, Interval, Rate

MISSING = "-"
WILSON = "W"  # ends a cell with an interval that is Wilson's; all others are of the bootstrap
SMALLEST_P = 0.0001  # as many permutations as are drawn cannot tell smaller ones apart


def percent(value: float | None) -> str:
    """A share as percent with one digit: `63.3`; never `-0.0`."""
    return MISSING if value is None else f"{100 * value:z.1f}"


def interval(low: float | None, high: float | None) -> str:
    """An interval in 0..1 in percent: `57.4-69.3`."""
    return MISSING if low is None or high is None else f"{100 * low:.1f}-{100 * high:.1f}"


def rate_interval(rate: Rate | Estimate) -> str:
    """The interval of a share in percent: `57.4-69.3`, or `72.2-100.0W` where it is Wilson's."""
    return interval(rate.low, rate.high) + _mark(rate.interval)


def rate_in_interval(rate: Rate | Estimate) -> str:
    """A share in percent and its interval: `62.1 [55.0, 68.9]`, or `100.0 [72.2, 100.0]W` where it is Wilson's."""
    return in_interval(rate, percent)


def in_interval(figure: Rate | Estimate, show: Callable[[float | None], str]) -> str:
    """Any figure and its interval, both shown alike; only the figure where nothing is known of its interval."""
    value = show(figure.value)
    if figure.low is None or figure.high is None:
        return value
    return f"{value} [{show(figure.low)}, {show(figure.high)}]{_mark(figure.interval)}"


def points(value: float | None) -> str:
    """A difference in -1..1 in percentage points, with its sign: `+2.0`."""
    return MISSING if value is None else f"{100 * value:+z.1f}"


def points_interval(low: float | None, high: float | None) -> str:
    """The interval of a difference: `[+0.3, +3.7]`."""
    return MISSING if low is None or high is None else f"[{points(low)}, {points(high)}]"


def paired_interval(found: Paired, show: Callable[[float], str] = points) -> str:
    """The interval of a paired difference: `[+0.3, +3.7]`, or `[-11.4, +11.4]W` where it is Wilson's."""
    return f"[{show(found.low)}, {show(found.high)}]{_mark(found.interval)}"


def _mark(method: Interval | None) -> str:
    return WILSON if method == "wilson" else ""


def p_value(value: float | None) -> str:
    """A p- or q-value: `0.0187`, or `<0.0001`."""
    if value is None:
        return MISSING
    return f"<{SMALLEST_P}" if value < SMALLEST_P else f"{value:.4f}"


def fraction(value: float | None) -> str:
    """A value in 0..1 as it is: `0.726`."""
    return MISSING if value is None else f"{value:.3f}"


def decimal(value: float | None) -> str:
    """Return any other number, with two digits: `6.89`."""
    return MISSING if value is None else f"{value:.2f}"


def times(value: float | None) -> str:
    """Return a ratio as a multiple: `1.55x`."""
    return MISSING if value is None else f"{value:.2f}x"


def share(rate: Rate) -> str:
    """A rate within a sentence: `45.1%`."""
    return MISSING if rate.value is None else f"{percent(rate.value)}%"


def mean(total: int, of: int) -> str:
    """Return the mean of `of` numbers that add up to `total`: `0.25`."""
    return decimal(divide(total, of))


def coverage(known: int, of: int) -> str:
    """Return how many of all are known: `220/221`."""
    return f"{known}/{of}"


def divide(hits: int, of: int) -> float | None:
    return hits / of if of else None
