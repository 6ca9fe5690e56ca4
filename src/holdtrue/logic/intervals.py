"""Compute with ranges of integers, each with a least and a greatest value; None stands for an open end.

Every function returns the smallest range with all results for independent values of its operands. Division is that of
SMT-LIB (theory Ints): the remainder is always in 0..|divisor|-1, and `dividend = divisor * quotient + remainder`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

Range = tuple[int | None, int | None]
EVERYTHING: Range = (None, None)


def added(one: Range, other: Range) -> Range:
    """Return the range of sums."""
    (low, high), (least, most) = one, other
    return (
        None if low is None or least is None else low + least,
        None if high is None or most is None else high + most,
    )


def scaled(factor: int, own: Range) -> Range:
    """Return the range of multiples by a factor."""
    low, high = own if factor >= 0 else (own[1], own[0])
    if factor == 0:
        return 0, 0
    return None if low is None else factor * low, None if high is None else factor * high


def absolute(own: Range) -> Range:
    """Return the range of absolute values."""
    low, high = own
    least = max(0, 0 if low is None else low, 0 if high is None else -high)
    return least, None if low is None or high is None else max(high, -low)


def multiplied(one: Range, other: Range) -> Range:
    """Return the range of products, whose ends are products of ends."""
    corners = [_times(a, b) for a in ends(one) for b in ends(other)]
    return _closed(min(corners)), _closed(max(corners))


def divided(dividend: Range, divisor: Range) -> Range:
    """Return the range of quotients, which has all integers if the divisor may be zero."""
    low, high = divisor
    if high is not None and high < 0:
        # The quotient by a negative divisor is the negated quotient by the positive one.
        return scaled(-1, divided(dividend, (-high, None if low is None else -low)))
    if low is None or low <= 0:
        return EVERYTHING
    least, most = dividend
    # A larger divisor brings the quotient nearer to zero, but a negative quotient never becomes zero.
    if least is not None:
        least = least // low if least < 0 else (0 if high is None else least // high)
    if most is not None:
        most = most // low if most >= 0 else (-1 if high is None else most // high)
    return least, most


def remaining(dividend: Range, divisor: Range) -> Range:
    """Return the range of remainders, which has all integers if the divisor may be zero."""
    low, high = absolute(divisor)
    if low is None or low <= 0:
        return EVERYTHING
    least, most = dividend
    if least is not None and most is not None:
        if least >= 0 and most < low:
            return dividend  # The dividend is less than any divisor.
        if low == high and least // low == most // low:
            return least % low, most % low
    largest = None if high is None else high - 1
    if least is not None and least >= 0 and most is not None:
        largest = most if largest is None else min(most, largest)
    return 0, largest


def joined(ranges: Iterable[Range]) -> Range:
    """Return the range from the least to the greatest value of all ranges."""
    lows, highs = zip(*map(ends, ranges), strict=True)
    return _closed(min(lows)), _closed(max(highs))


def lowest(ranges: Iterable[Range]) -> Range:
    """Return the range of the minimum of several values, one of each range."""
    lows, highs = zip(*map(ends, ranges), strict=True)
    return _closed(min(lows)), _closed(min(highs))


def greatest(ranges: Iterable[Range]) -> Range:
    """Return the range of the maximum of several values, one of each range."""
    lows, highs = zip(*map(ends, ranges), strict=True)
    return _closed(max(lows)), _closed(max(highs))


def ends(own: Range) -> tuple[int | float, int | float]:
    """Return both ends with infinities for open ends. Use them only for comparisons, which are exact."""
    low, high = own
    return -inf if low is None else low, inf if high is None else high


def _closed(end: int | float) -> int | None:
    return end if isinstance(end, int) else None


def _times(a: int | float, b: int | float) -> int | float:
    if a == 0 or b == 0:
        return 0
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    return inf if (a > 0) is (b > 0) else -inf
