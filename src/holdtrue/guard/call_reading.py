"""Read the arguments of a call as typed values, check them against the tool's schema, and list parts without a type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdtrue.guard.json_values import arguments_of, json_text
from holdtrue.guard.policy_parts import Tool
from holdtrue.rules.paths import shortened
from holdtrue.rules.schema_validation import path_of
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null
from holdtrue.rules.values import NotSeen, Reader, ValueFault, field_path

LONGEST_NAME = 160
_WHOLE = 10_000_000
_SCALARS = frozenset({str, int, float, bool, type(None)})
_Names = Callable[[], Mapping[str, Collection[str]] | None]
"""A function that returns the declared names of each object in a call, by its JSON pointer. It returns None without a
schema."""


@dataclass(frozen=True, slots=True)
class Extra:
    """An `Extra` is an argument, or a part of one, that no rule can read.

    Attributes:
        path: Its path within the call.
        value: Its value as JSON.
        declared: Whether the schema declares its name, or explicitly allows any name.
        beside: The names that are declared at the same level.
    """

    path: str
    value: Any
    declared: bool
    beside: tuple[str, ...]

    @property
    def line(self) -> str:
        """Return the argument in full, as a line for the user."""
        return f"{self.path}: {json_text(self.value, _WHOLE)}"

    @property
    def note(self) -> str:
        """Return the argument as a note for the coverage of a decision."""
        return f"the argument {self.path}, which {'no type reads' if self.declared else 'the tool does not declare'}"


def read_call(tool: Tool, arguments: Any, *, partial: bool) -> tuple[dict[str, Any], tuple[Extra, ...]]:
    """Return the arguments as typed values, and all parts that no type covers. Raises `InputError`."""
    root = tool.root
    values = arguments_of(arguments)
    if not isinstance(values, Mapping):
        raise ValueFault(root, "the arguments have to be an object")
    reader = Reader()
    call = reader.read(_partly(values, tool.arguments, root) if partial else values, tool.arguments, root)
    # A partial call may still get missing arguments, but a text that the schema refuses stays refused.
    if (not partial or reader.has_more) and (fault := schema_fault(tool, values, partial=partial)) is not None:
        raise ValueFault(*fault)
    if tool.declares_all_read and not reader.has_more and not partial:
        return call, ()
    names = cache(lambda: None if tool.validator is None else tool.validator.names_in(values, partial=partial))
    return call, tuple(_extras(values, call, tool.arguments, "", "", names))


def schema_fault(tool: Tool, values: Any, *, partial: bool = False) -> tuple[str, str, list[str]] | None:
    """Return the path, reason and decisive paths of the schema's refusal, or None.

    Faults that further arguments of a `partial` call may repair do not count.
    """
    found = None if tool.validator is None else tool.validator.fault(values, partial=partial)
    if found is None:
        return None
    place, why, rests_on = found
    fields, root = {**tool.arguments.fields, **tool.arguments.unread}, tool.root
    there = "" if place or fields.keys() >= values.keys() else f"; there is {', '.join(fields) or 'nothing'}"
    return path_of(place, root), f"the schema refuses it: {why}{there}", [path_of(own, root) for own in rests_on]


def _extras(value: Any, read: Any, type: Type | None, path: str, at: str, names: _Names) -> Iterator[Extra]:
    """Yield parts that no type covers, and parts that no schema declares. `at` is the JSON pointer of the value."""
    own = None if type is None else without_null(type)
    if isinstance(value, list | tuple) and (type is None or isinstance(own, ListOf)):
        item = own.item if isinstance(own, ListOf) else None
        for place, each in enumerate(value):
            if each.__class__ not in _SCALARS:
                own_read = read[place] if item else None
                yield from _extras(each, own_read, item, f"{path}[{place}]", f"{at}/{place}", names)
    if not isinstance(value, Mapping) or not (type is None or isinstance(own, MapOf | Record)):
        return
    fields, unread = (own.fields, own.unread) if isinstance(own, Record) else ({}, {})
    # An object without a schema may have any names, except for the call itself, which then takes no arguments.
    anyway: Mapping[str, Any] = value if not isinstance(own, Record) else {**fields, **unread} if unread else fields
    known = anyway if (told := names()) is None else told.get(at, value if at else ())
    for name, each in value.items():
        # A type made of several shapes also reads names of shapes that do not apply.
        inside = read.get(name) if own is not None else None
        is_read = (isinstance(own, MapOf) or name in fields) and name in known and getattr(inside, "fits", True)
        if is_read and each.__class__ in _SCALARS:
            continue
        short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
        inner = field_path(path, short) if path else short if short.isidentifier() else shortened(short)
        below = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
        if is_read:
            yield from _extras(
                each, inside, own.value if isinstance(own, MapOf) else fields[name].type, inner, below, names
            )
            continue
        if type is not None or name not in known:
            beside = tuple(own for own in (anyway or value) if own in known or own not in value)
            yield Extra(inner, each, name in known, beside)
        if name in known:
            yield from _extras(each, None, None, inner, below, names)


def _partly(values: Any, type: Any, path: str) -> Any:
    """Return values with markers for missing parts."""
    own = without_null(type)
    if isinstance(own, Record) and isinstance(values, Mapping):
        return {
            name: _partly(values[name], field.type, field_path(path, name))
            if name in values
            else NotSeen(field_path(path, name), field.type, None, field.required)
            for name, field in own.fields.items()
        }
    if isinstance(own, ListOf) and isinstance(values, list):
        return [_partly(each, own.item, f"{path}[{place}]") for place, each in enumerate(values)]
    return values
