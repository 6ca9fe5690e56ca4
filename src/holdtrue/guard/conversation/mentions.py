"""Find the values of a call in what people said: were all of them listed, and was something else named?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from holdtrue.guard.conversation.said import Said, named_choices
from holdtrue.guard.policy_parts import Tool
from holdtrue.language.requests.written_values import is_written
from holdtrue.logic.value_sorts import DATE, Calendar
from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Record, Type, without_null
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
    """Return the paths of what code does not find in a listing of a call.

    Ids that are `known`, because the user wrote them, need not be said again, nor what a call has by default. A choice
    may be said in other words, or in another language, and a flag in words of its own: a reader finds these.
    """
    found = []
    for path, name, value, type in leaves(call, tool.arguments, ""):
        if path in tool.schema.defaults and tool.schema.defaults[path] == value:
            continue
        is_known_id = isinstance(type, Name) and bool(type.kind) and str(value) in known
        if not is_known_id and not is_chosen(type) and not said.mentions(name, value, type):
            found.append(path)
    return tuple(found)


def is_chosen(type: Type) -> bool:
    """Return whether a value is one of few, a choice or a flag, which users say in words of their own."""
    return isinstance(without_null(type), Flag) or is_choice(type)


def is_choice(type: Type) -> bool:
    """Return whether a value is one of some texts."""
    own = without_null(type)
    return isinstance(own, Name) and own.values is not None


def names_another(said: Said, rest: str, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether a text names something else in the place of what a call has: another day, hour or choice.

    Choices are looked for in the `rest` of it, without the names and texts of the call. Who hears of Friday for four
    and of Saturday for two, and says yes, has not said which of them.
    """
    called: dict[Type, list[Any]] = {}
    for _, name, value, type in leaves(call, tool.arguments, ""):
        if isinstance(type, Calendar):
            called.setdefault(type, []).append(value)
        elif isinstance(type, Name) and type.values is not None:
            named = named_choices(rest, type.values)
            if named and value not in named and not said.mentions(name, value, type):
                return True
    return any(
        not any(_is_said(own, type, words, values) for own in own_values)
        for type, own_values in called.items()
        if isinstance(type, Calendar)
        for words, values in said.values(type, surely=True)
        if values and not words.isdigit()
    )


def _is_said(value: Any, type: Calendar, words: str, values: tuple[str, ...]) -> bool:
    """Return whether words that can mean `values` may say a value, had the other number of `3/12` been the day, too."""
    turned = date.fromordinal(value).strftime("-%d-%m") if type == DATE else ""
    is_turned = bool(turned) and any(own.endswith(turned) for own in values)
    return show(value, type) in values or is_written(value, type, words) or is_turned
