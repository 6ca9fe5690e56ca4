"""What the operators compute, on Python's own booleans, integers and fractions.

Division and remainder are the standard's: `(mod m n)` is in 0..|n|-1 whatever the signs, and
`m = n * (div m n) + (mod m n)` (theory Ints; Boute, "The Euclidean definition of the functions div and mod",
TOPLAS 1992). What a divisor of zero gives is anybody's choice there, and undecided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

LARGEST_BITS = 10_000
"""Larger numbers are not computed: squaring again and again outgrows any memory within a few lines of text."""


class Undecided(Exception):
    """The value cannot be told by evaluation (a divisor of zero, infinitely many values, numbers too large)."""


def quotient(m: int, n: int) -> int:
    """`(div m n)`."""
    return m // n if n > 0 else -(m // -n)


def divide(values: Sequence[int]) -> int:
    if 0 in values[1:]:
        raise Undecided("a division by zero")
    return reduce(quotient, values)


def remain(values: Sequence[int]) -> int:
    m, n = values
    if n == 0:
        raise Undecided("a division by zero")
    return m % abs(n)


def _add(values: Sequence[Any]) -> Any:
    return _sized(sum(values))


def _subtract(values: Sequence[Any]) -> Any:
    return -values[0] if len(values) == 1 else _sized(values[0] - sum(values[1:]))


def _multiply(values: Sequence[Any]) -> Any:
    return reduce(lambda a, b: _sized(a * b), values)


def _share(values: Sequence[Fraction]) -> Fraction:
    if 0 in values[1:]:
        raise Undecided("a division by zero")
    return reduce(lambda a, b: _sized(a / b), values)


def _sized(value: Any) -> Any:
    if value.numerator.bit_length() > LARGEST_BITS or value.denominator.bit_length() > LARGEST_BITS:
        raise Undecided("numbers too large")
    return value


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "<=": lambda a, b: bool(a <= b),
    "<": lambda a, b: bool(a < b),
    ">=": lambda a, b: bool(a >= b),
    ">": lambda a, b: bool(a > b),
}
"""Operators that hold between each operand and the next."""

FOLDED: dict[str, Callable[[Sequence[Any]], Any]] = {
    "xor": lambda values: sum(values) % 2 == 1,
    "distinct": lambda values: len(set(values)) == len(values),
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _share,
    "div": divide,
    "mod": remain,
    "abs": lambda values: abs(values[0]),
    "to_real": lambda values: Fraction(values[0]),
    "to_int": lambda values: values[0].numerator // values[0].denominator,
    "is_int": lambda values: values[0].denominator == 1,
}
"""Operators that take the values of all operands."""
