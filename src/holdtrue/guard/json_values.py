"""Read JSON strictly, and turn arguments of calls into JSON, so that a record can hold all inputs of a decision."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdtrue.errors import InputError
from holdtrue.logic.value_sorts import decimal_places, decimal_text
from holdtrue.rules.paths import shortened
from holdtrue.rules.types import DURATION
from holdtrue.rules.values import MOST_DIGITS, to_json

MOST_TEXT = 10_000_000
"""A text may have at most this many characters. A longer one is reported and not read."""
MOST_VALUES = 500_000
"""Arguments may contain at most this many values."""
DEEPEST = 100
"""Arguments may be nested at most this deep."""
_LONG_TEXT = 100_000
_MANY_VALUES = 2_000
"""Longer texts or more values take too long to copy and compare inside an event loop."""
UNREADABLE = "#unreadable"
"""The only key of an object that stands for arguments which JSON cannot express. Its value is the reason."""


def is_large(*values: Any) -> bool:
    """Return whether values are too large for an event loop. The search stops as soon as a limit is passed."""
    left, length, count = list(values), 0, 0
    while left:
        own = left.pop()
        count += 1
        if isinstance(own, str | bytes):
            length += len(own)
        elif isinstance(own, dict | list | tuple):
            if len(own) > _MANY_VALUES:
                return True
            left += own
            left += own.values() if isinstance(own, dict) else ()
        if length > _LONG_TEXT or count > _MANY_VALUES:
            return True
    return False


def parsed(value: Any, *, strict: bool = True) -> Any:
    """Return arguments or a result as values with exact numbers.

    Raises `InputError` for malformed JSON, and for a repeated key, whose value would be ambiguous. If `strict` is
    false, as for results, an unreadable value leaves all other values readable.
    """
    if not isinstance(value, str | bytes):
        return value
    if len(value) > MOST_TEXT:
        raise InputError(f"{len(value):,} characters, over {MOST_TEXT:,}")
    try:
        text = value.decode() if isinstance(value, bytes) else value
        return json.loads(text, parse_float=Decimal, **(_STRICT if strict else _LENIENT))
    except RecursionError as error:
        raise InputError("no JSON that can be read: it is nested too deep") from error
    except UnicodeDecodeError as error:
        raise InputError("no JSON: the bytes are no text in UTF-8") from error
    except ValueError as error:
        raise InputError(f"no JSON: {error}") from error


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"the key {shortened(twice)} stands twice")
    return found


def _whole(text: str) -> int | Decimal:
    return int(text) if len(text) <= MOST_DIGITS * 2 else Decimal(text)


def merged(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return an object made of pairs.

    A key with two different values gets as its value the reason why it is unreadable.
    """
    found: dict[Any, Any] = {}
    for name, value in pairs:
        differs = name in found and repr(found[name]) != repr(value)
        found[name] = {UNREADABLE: f"the key {shortened(name)} stands twice"} if differs else value
    return found


_STRICT: dict[str, Any] = {"parse_constant": _no_number, "object_pairs_hook": _pairs}
_LENIENT: dict[str, Any] = {"parse_constant": float, "object_pairs_hook": merged, "parse_int": _whole}


def recorded(arguments: Any, *, odd: bool = False) -> Any:
    """Return arguments as equal JSON values, or as their text if no float represents one of the numbers exactly.

    A text that is no JSON stays unchanged. If JSON cannot express a value, the reason takes its place, and no tool
    accepts it. If `odd` is true, as for results, only the parts that JSON cannot express are replaced.
    """
    if odd and isinstance(arguments, bytes):
        arguments = arguments.decode(errors="replace")
    try:
        values = parsed(arguments)
    except InputError as error:
        kept = isinstance(arguments, str) and len(arguments) <= MOST_TEXT
        return arguments if kept else {UNREADABLE: str(error)}
    try:
        found, is_exact = _plainly(values, odd=odd)
        # A bare JSON string would be parsed a second time; a text such as 5 may be an id.
        is_word = isinstance(arguments, str | bytes) and not isinstance(found, dict | list)
        if is_exact and not is_word and not isinstance(found, str):
            return found
        if isinstance(arguments, bytes):
            return arguments.decode()
        return arguments if isinstance(arguments, str) else _text(found)
    except InputError as error:
        return {UNREADABLE: str(error)}


def arguments_of(record: Any) -> Any:
    """Return the values of recorded arguments. Raises `InputError` for arguments that could not be recorded."""
    values = parsed(record)
    if isinstance(values, Mapping) and values.keys() == {UNREADABLE}:
        raise InputError(str(values[UNREADABLE]))
    return values


def plain(value: Any) -> Any:
    """Return a value as plain JSON values, with a `Decimal` for a number that no float represents exactly.

    Raises `InputError` for a value that JSON cannot express, or that is too large.
    """
    return _plainly(value)[0]


def _plainly(value: Any, *, odd: bool = False) -> tuple[Any, bool]:
    """Return a value as JSON values, and whether floats represent all its numbers exactly."""
    own = _Plain(odd=odd)
    try:
        return own.value(value, 0), own.is_exact
    except RecursionError as error:
        raise InputError("no JSON: it is nested too deep") from error
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"no JSON: reading it ended in a {type(error).__name__}") from error


class _Plain:
    def __init__(self, *, odd: bool) -> None:
        self._count, self._odd = 1, odd
        self.is_exact = True

    def value(self, value: Any, depth: int) -> Any:
        if value is None or value.__class__ in (str, bool):
            return value  # Fast path: most values are texts, and `match` is slower.
        try:
            return self._value(value, depth)
        except InputError as error:
            if not self._odd or self._count > MOST_VALUES:
                raise
            return {UNREADABLE: str(error)}

    def _value(self, value: Any, depth: int) -> Any:
        if depth > DEEPEST:
            raise InputError(f"no JSON that can be read: it is nested deeper than {DEEPEST}")
        match value:
            case str():
                return str.__str__(value)  # A subclass could return another text.
            case int() | float() | Decimal() | Fraction():
                number = _number(value)
                if number.__class__ is Decimal:
                    self.is_exact = False
                return number
            case list() | tuple():
                self._count_more(len(value))
                return [self.value(own, depth + 1) for own in value]
            case Mapping():
                self._count_more(len(value))
                return {self._key(name): self.value(own, depth + 1) for name, own in value.items()}
            case datetime() | date() | time():
                return value.isoformat()
            case timedelta():
                return to_json(Fraction(value // timedelta(microseconds=1), 1_000_000), DURATION)
        raise InputError(f"no JSON says a {type(value).__name__}")

    def _count_more(self, values: int) -> None:
        self._count += values
        if self._count > MOST_VALUES:
            raise InputError(f"it has over {MOST_VALUES:,} values")

    def _key(self, name: Any) -> str:
        if isinstance(name, str):
            return str.__str__(name)
        if self._odd:
            return f"{UNREADABLE} {shortened(name)}"
        raise InputError(f"no JSON: a key has to be a text, not {shortened(name)}")


def _number(value: int | float | Decimal | Fraction) -> int | float | Decimal:
    if isinstance(value, int):
        if int.bit_length(value) > MOST_DIGITS * 10:
            raise InputError("a number has more digits than can be read")
        return int.__int__(value)
    if isinstance(value, Fraction):
        places = decimal_places(value)
        if places is None or places > MOST_DIGITS:
            raise InputError(f"no JSON says the number {value}")
        value = Decimal(decimal_text(value, places))
    number = float.__float__(value) if isinstance(value, float) else float(value)
    if isinstance(value, float) and math.isfinite(value):
        return number
    if isinstance(value, float) or not value.is_finite():
        raise InputError(f"no JSON: {value} is no number")
    return number if math.isfinite(number) and Decimal(repr(number)) == value else value


def _text(value: Any) -> str:
    return "".join(_pieces(value, None))


def json_text(value: Any, most: int) -> str:
    """Return a value as JSON on one line for people to read, cut after `most` characters."""
    found, length = [], 0
    for piece in _pieces(value, most):
        found.append(piece)
        length += len(piece)
        if length > most:
            return f"{''.join(found)[: most - 3]}..."
    return "".join(found)


def _pieces(value: Any, most: int | None) -> Iterator[str]:
    """Yield JSON text in pieces, with exact numbers. With `most`, it is for people, and long texts are cut."""
    match value:
        case Decimal():
            yield str(value)
        case list() | tuple():
            yield "["
            for place, own in enumerate(value):
                yield ", " if place else ""
                yield from _pieces(own, most)
            yield "]"
        case Mapping():
            yield "{"
            for place, (name, own) in enumerate(value.items()):
                yield ", " if place else ""
                yield from _pieces(str(name), most)
                yield ": "
                yield from _pieces(own, most)
            yield "}"
        case str() if most is not None:
            part = value[: most + 1]
            yield json.dumps(part, ensure_ascii=not part.isprintable())
        case None | bool() | int() | float() | str():
            yield json.dumps(value)
        case _:
            yield f"a {type(value).__name__}"
