"""The values in a call, each with its type, and which of them people say in words of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Record, Type, without_null
from holdtrue.rules.values import NotSeen, field_path


def leaves(value: Any, type: Type, path: str, name: str = "") -> Iterator[tuple[str, str, Any, Type]]:
    """Yield all values in a call: the path, the nearest name of a field, the value and its type."""
    own = without_null(type)
    if value is None or isinstance(value, NotSeen):
        return
    match own:
        case Record(fields) if isinstance(value, Mapping):
            for field, each in value.items():
                yield from leaves(each, fields[field].type, field_path(path, field) if path else field, field)
        case ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from leaves(each, item, f"{path}[{place}]", name)
        case MapOf(inner) if isinstance(value, Mapping):
            for key, each in value.items():
                yield from leaves(each, inner, f"{path}[{key!r}]", name)
        case _:
            yield path, name, value, own


def is_chosen(type: Type) -> bool:
    """Return whether a value is one of few, a choice or a flag, which users say in words of their own."""
    return isinstance(without_null(type), Flag) or is_choice(type)


def is_choice(type: Type) -> bool:
    """Return whether a value is one of some texts."""
    own = without_null(type)
    return isinstance(own, Name) and own.values is not None
