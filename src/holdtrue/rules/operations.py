"""Operations on seen values: one table, which closures use, and formulas wherever everything in them is seen.

Raises of an operation are `Fault`s: what CEL calls an error, such as a division by zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.local_clocks import instants_of, no_instant, offset_at
from holdtrue.rules.patterns import pattern_of
from holdtrue.rules.typed import Apply, Operation
from holdtrue.rules.types import without_null
from holdtrue.rules.values import Fault, NotSeen, Undecided, Unseen

LARGEST_DIGITS = 4000
"""Numbers may have so many digits: what multiplies again and again ends in an error, and not in a full memory."""
MOST_MADE = 100_000
"""A list that is made of others may have so many items."""
LONGEST_TEXT = 1_000_000
"""A text that is made of others may have so many characters."""
NO_NUMBER = "null is no number"
_MOST_BITS = LARGEST_DIGITS * 10 // 3
_PLAIN = frozenset({str, int, bool, Fraction})
"""The classes of values that hold no others."""


def exact(value: Fraction | int) -> Fraction | int:
    """Return the number as an int where it is whole. Raises `Fault` where it is too long to go on with."""
    numerator, denominator = value.numerator, value.denominator
    if numerator.bit_length() > _MOST_BITS or denominator.bit_length() > _MOST_BITS:
        raise Fault(f"a number has over {LARGEST_DIGITS:,} digits")
    return numerator if denominator == 1 else value


def _number(value: Any) -> Any:
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
    """Return the exact quotient."""
    if _number(right) == 0:
        raise Fault("a division by zero")
    return exact(Fraction(_number(left)) / right)


def whole_divide(left: Any, right: Any) -> int:
    """Return the quotient rounded towards zero, as CEL's `int` does."""
    if _number(right) == 0:
        raise Fault("a division by zero")
    size = abs(_number(left)) // abs(right)
    return int(exact(size if (left < 0) == (right < 0) else -size))


def remainder(left: Any, right: Any) -> Any:
    """Return what `whole_divide` leaves: it has the sign of the dividend."""
    return exact(left - right * whole_divide(left, right))


def _round(value: Any) -> int:
    """Return the nearest whole number, and of two the one that is farther from zero, as CEL does."""
    size: int = floor(abs(_number(value)) + Fraction(1, 2))
    return size if value > 0 else -size


def equal(left: object, right: object) -> bool:
    """Return whether two values are the same; null equals null alone, and a flag no number. Raises what it holds."""
    if left.__class__ is right.__class__ and left.__class__ in _PLAIN:
        return left == right
    if isinstance(left, NotSeen) or isinstance(right, NotSeen):
        raise Unseen(left if isinstance(left, NotSeen) else right)  # type: ignore[arg-type]
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and _each_equal(zip(left, right, strict=True))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _same_keys(left, right) and _each_equal((left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def _same_keys(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> bool:
    """Return whether two records or maps have the same entries. Raises `Unseen` where one may be missing."""
    if left.keys() == right.keys():
        return True
    beyond = [of[key] for of, other in ((left, right), (right, left)) for key in of.keys() - other.keys()]
    perhaps = [own for own in beyond if isinstance(own, NotSeen) and not own.there]
    if perhaps and len(perhaps) == len(beyond):
        raise Unseen(perhaps[0])
    return False


def _each_equal(pairs: Any) -> bool:
    """Return whether all pairs are equal; one that is seen not to be settles it, whatever is not seen."""
    missing: Undecided | None = None
    for left, right in pairs:
        try:
            if not equal(left, right):
                return False
        except Undecided as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return True


def in_list(item: object, items: tuple[object, ...]) -> bool:
    """Return whether an item is in a list."""
    if item.__class__ is str and item in items:
        return True
    missing: Undecided | None = None
    for own in items:
        try:
            if equal(item, own):
                return True
        except Undecided as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return False


def _in_map(key: object, of: Mapping[str, object] | None) -> bool:
    if of is None:
        raise Fault("null has no entries")
    return key in of


def _chosen(choose: Callable[..., Any]) -> Callable[[tuple[Any, ...]], Any]:
    def operate(items: tuple[Any, ...]) -> Any:
        if not items:
            raise Fault("there is no least or greatest of an empty list")
        return choose(map(_number, map(_seen, items)))

    return operate


def _seen(value: Any) -> Any:
    if isinstance(value, NotSeen):
        raise Unseen(value)
    return value


def _sum(items: tuple[Any, ...]) -> Any:
    total: int | Fraction = 0
    for item in items:
        total = exact(total + _number(_seen(item)))
    return total


def _concatenate(left: Any, right: Any) -> tuple[Any, ...]:
    return _flatten((left, right))


def _flatten(items: tuple[Any, ...]) -> tuple[Any, ...]:
    lists = [_list(_seen(item)) for item in items]
    if sum(map(len, lists)) > MOST_MADE:
        raise Fault(f"a list has over {MOST_MADE:,} items")
    return tuple([inner for own in lists for inner in own])


def _list(value: Any) -> tuple[Any, ...]:
    if value is None:
        raise Fault("null is no list")
    return value  # type: ignore[no-any-return]


def _text(make: Callable[..., Any]) -> Callable[..., Any]:
    def operate(*args: Any) -> Any:
        if None in args:
            raise Fault("null is no text")
        return make(*args)

    return operate


def _join(left: str, right: str) -> str:
    if len(left) + len(right) > LONGEST_TEXT:
        raise Fault(f"a text has over {LONGEST_TEXT:,} characters")
    return left + right


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_UPPER = {lower: upper for upper, lower in _LOWER.items()}
_SPACES = "".join(map(chr, (*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029)))
_SPACES += "\u202f\u205f\u3000"
"""The characters that are white space to Unicode; Python strips others as well."""


def _day(part: Callable[[date], int]) -> Callable[[Any], int]:
    """Return a part of a date; days that no calendar shows are a fault."""

    def operate(value: Any) -> int:
        try:
            return part(date.fromordinal(_number(value)))
        except (ValueError, OverflowError) as error:
            raise Fault("the date is in no year from 1 to 9999") from error

    return operate


def of_calendar(unit: int, size: int) -> Callable[[Any], int]:
    """Return a part of a number of seconds: which `unit` it is in, counted anew after every `size`."""
    return lambda value: int(_number(value) // unit % size)


OPERATIONS: Mapping[Operation, Callable[..., Any]] = {
    "add": _numbers(lambda left, right: left + right),
    "subtract": _numbers(lambda left, right: left - right),
    "multiply": _numbers(lambda left, right: left * right),
    "divide": divide,
    "whole_divide": whole_divide,
    "remainder": remainder,
    "negative": lambda value: -_number(value),
    "absolute": lambda value: abs(_number(value)),
    "sign": lambda value: (_number(value) > 0) - (value < 0),
    "floor": lambda value: floor(_number(value)),
    "round": _round,
    "less": lambda left, right: _number(left) < _number(right),
    "at_most": lambda left, right: _number(left) <= _number(right),
    "equal": equal,
    "in_list": lambda item, items: in_list(item, _list(items)),
    "in_map": _in_map,
    "concatenate": _concatenate,
    "size": lambda items: len(_list(items)),
    "sum": lambda items: _sum(_list(items)),
    "least": _chosen(min),
    "greatest": _chosen(max),
    "flatten": _flatten,
    "join": _text(_join),
    "text_less": _text(lambda left, right: left < right),
    "text_at_most": _text(lambda left, right: left <= right),
    "text_size": _text(len),
    "starts_with": _text(str.startswith),
    "ends_with": _text(str.endswith),
    "contains": _text(lambda text, part: part in text),
    "matches": _text(lambda text, pattern: pattern_of(pattern).search(text) is not None),
    "lower": _text(lambda text: text.translate(_LOWER)),
    "upper": _text(lambda text: text.translate(_UPPER)),
    "trim": _text(lambda text: text.strip(_SPACES)),
    "date_of": lambda value: int(_number(value) // 86_400) + 1,
    "time_of": lambda value: _number(value) % 86_400,
    "day_start": lambda value: (_number(value) - 1) * 86_400,
    "year": _day(lambda day: day.year),
    "month": _day(lambda day: day.month),
    "day": _day(lambda day: day.day),
    "day_of_year": _day(lambda day: day.timetuple().tm_yday),
    "weekday": lambda value: _number(value) % 7,
    "hour": of_calendar(3600, 24),
    "minute": of_calendar(60, 60),
    "second": of_calendar(1, 60),
}
"""Those of `operation_of` are not here: each has a factor, or a place, of its own."""


def operation_of(node: Apply) -> Callable[..., Any]:
    """Return what an expression does with the values of its operands."""
    match node.operation:
        case "scale":
            factor = node.factor
            return lambda value: exact(_number(value) * factor)
        case "clock_of":
            place = place_of(node)
            return lambda value: value + offset_at(place, floor(_number(value)))
        case "instant_of":
            place = place_of(node)
            return lambda value: _instant(place, _number(value))
    return OPERATIONS[node.operation]


def place_of(node: Apply) -> str:
    """Return the place whose clocks an expression reads."""
    type = without_null(node.type if node.operation == "instant_of" else node.args[0].type)
    return type.zone if isinstance(type, Calendar) else ""


def _instant(place: str, reading: int | Fraction) -> int | Fraction:
    whole = floor(reading)
    instants = instants_of(place, whole)
    if len(instants) != 1:
        text = Calendar("moment").show(whole)
        raise Fault(f"{text} {no_instant(place, instants, whole)}")
    return instants[0] + (reading - whole)
