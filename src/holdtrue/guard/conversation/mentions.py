"""Find the values of a call in what people said: were all of them listed, and was something else named?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.guard.conversation.said import Said, named_choices
from holdtrue.guard.policy_parts import Tool
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import ListOf, MapOf, Name, Record, Type, without_null
from holdtrue.rules.values import NotSeen, field_path, show


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


def left_out(said: Said, tool: Tool, call: Mapping[str, Any], known: frozenset[str]) -> tuple[str, ...]:
    """Return the paths of what a listing of a call does not say.

    Ids that are `known`, because the user wrote them, need not be said again, nor what a call has by default.
    """
    found = []
    for path, name, value, type in leaves(call, tool.arguments, ""):
        if path in tool.schema.defaults and tool.schema.defaults[path] == value:
            continue
        is_known_id = isinstance(type, Name) and bool(type.kind) and str(value) in known
        if not is_known_id and not said.mentions(name, value, type):
            found.append(path)
    return tuple(found)


def names_another(said: Said, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether a text names something else in the place of what a call has: another day, hour or choice.

    Who hears of Friday for four and of Saturday for two, and says yes, has not said which of them.
    """
    kinds: dict[Type, set[str]] = {}
    for _, name, value, type in leaves(call, tool.arguments, ""):
        if isinstance(type, Calendar):
            kinds.setdefault(type, set()).add(show(value, type))
        elif isinstance(type, Name) and type.values is not None:
            named = named_choices(said.text, type.values)
            if named and value not in named and not said.mentions(name, value, type):
                return True
    return any(
        values and not shown.intersection(values)
        for type, shown in kinds.items()
        if isinstance(type, Calendar)
        for values in said.values(type, surely=True)
    )
