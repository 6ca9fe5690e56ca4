"""This module defines the operations on numbers, and the functions of CEL that apply these operations.

Source of the functions: CEL specification, "List of standard definitions", and its extension `math`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

from holdtrue.logic.formula import Abs, Constant, Quotient, Term, ite, product
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import WHOLE, Amount
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.signatures import Args, Maker, taking, wrong
from holdtrue.rules.symbolic_choice import Valued
from holdtrue.rules.symbolic_values import (
    FALSE,
    TRUE,
    NotSayable,
    Num,
    added,
    compared,
    number,
    rounded_down,
    scaled,
)
from holdtrue.rules.syntax import Place
from holdtrue.rules.types import BARE, Number
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault

LARGEST_DIGITS = 4000
"""The greatest number of digits of a result; repeated multiplication ends in an error before memory is full."""
NO_NUMBER = "null is no number"
_MOST_BITS = LARGEST_DIGITS * 10 // 3


# Operations on known values


def exact(value: Fraction | int) -> Fraction | int:
    """Return the number, as an int if it is whole. Raises `Fault` if it has too many digits."""
    numerator, denominator = value.numerator, value.denominator
    if numerator.bit_length() > _MOST_BITS or denominator.bit_length() > _MOST_BITS:
        raise Fault(f"a number has over {LARGEST_DIGITS:,} digits")
    return numerator if denominator == 1 else value


def number_of(value: Any) -> Any:
    """Return the number itself. Raises `Fault` for null."""
    if value is None:
        raise Fault(NO_NUMBER)
    return value


def _numbers(make: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def operate(left: Any, right: Any) -> Any:
        if left is None or right is None:
            raise Fault(NO_NUMBER)
        return exact(make(left, right))

    return operate


def divide(left: Any, right: Any) -> Any:
    """Return the exact quotient. Raises `Fault` for a division by zero."""
    if number_of(right) == 0:
        raise Fault("a division by zero")
    return exact(Fraction(number_of(left)) / right)


def whole_divide(left: Any, right: Any) -> int:
    """Return the quotient rounded towards zero, like CEL's `int`. Raises `Fault` for a division by zero."""
    if number_of(right) == 0:
        raise Fault("a division by zero")
    size = abs(number_of(left)) // abs(right)
    return int(exact(size if (left < 0) == (right < 0) else -size))


def remainder(left: Any, right: Any) -> Any:
    """Return the remainder of `whole_divide`, which has the sign of the dividend."""
    return exact(left - right * whole_divide(left, right))


def _nearest(value: Any) -> int:
    """Return the nearest whole number; a half is rounded away from zero, as in CEL."""
    size: int = floor(abs(number_of(value)) + Fraction(1, 2))
    return size if value > 0 else -size


def _scaled(node: t.Apply) -> Callable[[Any], Any]:
    factor = node.factor
    return lambda value: exact(number_of(value) * factor)


# Operations on symbolic values


def _linear(sign: int) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        return added(args[0], args[1], sign), TRUE

    return make


def _product(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    left, right = number(args[0]), number(args[1])
    return Num(product(left.term, right.term), left.step * right.step), TRUE


def _known_divisor(value: Any) -> Fraction | None:
    """Return a known divisor, or None for zero. Raises `NotSayable` for an unknown divisor."""
    own = number(value)
    if not isinstance(own.term, Constant):
        raise NotSayable("a division by what was not seen")
    return own.term.value * own.step or None


def _divide(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    return (None, FALSE) if divisor is None else (_times(args[0], 1 / divisor), TRUE)


def _times(value: Any, factor: Fraction) -> Num:
    own = number(value)
    if factor == 0:
        return Num(Constant(0), own.step)
    return Num(scaled(own.term, 1 if factor > 0 else -1), own.step * abs(factor))


def _whole_quotient(value: Any, divisor: Fraction) -> Term:
    """Return the quotient, rounded towards zero."""
    own = number(value)
    size = own.step / abs(divisor)
    quotient = Quotient(scaled(Abs(own.term), size.numerator), Constant(size.denominator))
    positive = compared("<=", Constant(0), own.term)
    return (
        ite(positive, quotient, scaled(quotient, -1)) if divisor > 0 else ite(positive, scaled(quotient, -1), quotient)
    )


def _whole_divide(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    return (None, FALSE) if divisor is None else (Num(_whole_quotient(args[0], divisor), Fraction(1)), TRUE)


def _remainder(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    divisor = _known_divisor(args[1])
    if divisor is None:
        return None, FALSE
    return added(args[0], _times(Num(_whole_quotient(args[0], divisor), Fraction(1)), divisor), -1), TRUE


def _negative(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], Fraction(-1)), TRUE


def _absolute(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    own = number(args[0])
    return Num(Abs(own.term), own.step), TRUE


def _scale(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return _times(args[0], node.factor), TRUE


def _floor(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return Num(rounded_down(args[0], 1), Fraction(1)), TRUE


def _round(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    """Return the nearest whole number; a half is rounded away from zero."""
    own = number(args[0])
    whole, parts = own.step.numerator, own.step.denominator
    size = Quotient(scaled(Abs(own.term), 2 * whole) + parts, Constant(2 * parts))
    return Num(ite(compared("<=", Constant(0), own.term), size, scaled(size, -1)), Fraction(1)), TRUE


def _sign(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    term = number(args[0]).term
    return Num(
        ite(compared("<", Constant(0), term), 1, ite(compared("==", Constant(0), term), 0, -1)), Fraction(1)
    ), TRUE


ADD = t.Operation("add", _numbers(lambda left, right: left + right), _linear(1))
SUBTRACT = t.Operation("subtract", _numbers(lambda left, right: left - right), _linear(-1))
MULTIPLY = t.Operation("multiply", _numbers(lambda left, right: left * right), _product)
DIVIDE = t.Operation("divide", divide, _divide)
WHOLE_DIVIDE = t.Operation("whole_divide", whole_divide, _whole_divide)
REMAINDER = t.Operation("remainder", remainder, _remainder)
NEGATIVE = t.Operation("negative", lambda value: -number_of(value), _negative)
ABSOLUTE = t.Operation("absolute", lambda value: abs(number_of(value)), _absolute)
SIGN = t.Operation("sign", lambda value: (number_of(value) > 0) - (value < 0), _sign)
FLOOR = t.Operation("floor", lambda value: floor(number_of(value)), _floor)
ROUND = t.Operation("round", _nearest, _round)
SCALE = t.Operation("scale", _scaled, _scale, per_node=True)


# Functions

ONCE = t.Given(1, Number(WHOLE))
"""The divisor of a whole division that only removes the decimals."""


def _int(args: Args, type: Number, place: Place) -> t.Node:
    """Return a number without its decimals."""
    if type.sort.unit != ONE:
        raise wrong("int", "a number that has no unit", args[0], place)
    return args[0] if type.whole else t.Apply(WHOLE_DIVIDE, (args[0], ONCE), Number(WHOLE, bare=type.bare), place=place)


def _absolute_of(args: Args, type: Number, place: Place) -> t.Node:
    return t.Apply(ABSOLUTE, args, Number(type.sort, bare=type.bare), place=place)


def _rounded(name: str, args: Args, type: Number, place: Place) -> t.Node:
    """Return a rounded number in its unit; its type stays that of a decimal."""
    made = Number(Amount(type.sort.unit, Fraction(1, 10 if type.sort.unit == ONE else 1)), bare=type.bare)
    if type.whole:
        return args[0]
    if name == "trunc":
        return t.Apply(WHOLE_DIVIDE, (args[0], ONCE), made, place=place)
    if name == "ceil":
        turned = t.Apply(NEGATIVE, args, type, place=place)
        return t.Apply(NEGATIVE, (t.Apply(FLOOR, (turned,), made, place=place),), made, place=place)
    return t.Apply(FLOOR if name == "floor" else ROUND, args, made, place=place)


_OF_NUMBER: Mapping[str, Callable[[Args, Any, Place], t.Node]] = {
    "math.abs": _absolute_of,
    "math.sign": lambda args, _, place: t.Apply(SIGN, args, BARE, place=place),
    **{f"math.{name}": partial(_rounded, name) for name in ("floor", "ceil", "round", "trunc")},
    "int": _int,
}
FUNCTIONS: Mapping[str, Maker] = {name: taking(name, "a number", Number, make) for name, make in _OF_NUMBER.items()}
