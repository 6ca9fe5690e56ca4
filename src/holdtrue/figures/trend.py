"""This module tests whether a figure rises or falls from step to step.

Source: Kendall, A New Measure of Rank Correlation, 1938; tau-b for ties: Kendall, 1945. Against the order of the steps
themselves it is Mann's test for a trend (1945).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest

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
