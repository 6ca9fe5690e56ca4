"""Read the tables of a policy: numbers, texts and lists by keys, with the type that they have together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from holdtrue.logic.value_sorts import NUMBER, WHOLE, Amount
from holdtrue.rules.combining import unified
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import FLAG, NULL, TEXT, ListOf, MapOf, Number, Type
from holdtrue.rules.values import Reader

At = tuple[str | int, ...]


def table(data: Any, path: At, read_type: Callable[..., Type]) -> tuple[object, Type]:
    """Return a table's values and its type.

    A table is written as it is, or as `{type: map of USD(2), entries: {...}}` where its type has to be said.
    """
    if isinstance(data, Mapping) and set(data) == {"type", "entries"}:
        type = read_type(data["type"], (*path, "type"))
        return Reader().read(data["entries"], type, ".".join(map(str, path))), type
    return _value(data, path)


def _value(data: Any, path: At) -> tuple[object, Type]:
    where = ".".join(map(str, path))
    match data:
        case bool():
            return data, FLAG
        case int():
            return data, Number(WHOLE, bare=True)
        case Decimal() | float() | Fraction():
            if not isinstance(data, Fraction) and not math.isfinite(data):
                raise RuleError(f"{where}: {data} is no number")
            exact = Fraction(str(data)) if not isinstance(data, Fraction) else data
            number = exact.numerator if exact.denominator == 1 else exact
            return number, Number(Amount(NUMBER.unit, Fraction(1, exact.denominator)), bare=True)
        case str():
            return data, TEXT
        case None:
            return None, NULL
        case list() | tuple():
            read = [_value(own, (*path, place)) for place, own in enumerate(data)]
            return tuple(own for own, _ in read), ListOf(_common([type for _, type in read], where))
        case Mapping():
            entries = {str(key): _value(own, (*path, str(key))) for key, own in data.items()}
            type = _common([own for _, own in entries.values()], where)
            return {key: own for key, (own, _) in entries.items()}, MapOf(type)
    raise RuleError(f"{where}: a table has numbers, texts, flags, lists and tables, not {data!r:.60}")


def _common(types: list[Type], where: str) -> Type:
    found: Type = NULL
    for place, own in enumerate(types):
        joined = own if place == 0 else unified(found, own)
        if joined is None:
            raise RuleError(f"{where}: the entries of a table have to be of one type, and are {found} and {own}")
        found = joined
    return found
