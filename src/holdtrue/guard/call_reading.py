"""Read the arguments of a call: as values of their types, against the tool's own schema, and all that no type reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.json_values import arguments_of, json_text
from holdtrue.guard.policy_parts import Tool
from holdtrue.guard.surroundings import ANSWER, CALL
from holdtrue.rules.paths import shortened
from holdtrue.rules.schema_validation import path_of
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null
from holdtrue.rules.values import NotSeen, Reader, ValueFault, field_path

LONGEST_NAME = 160
_WHOLE = 10_000_000
_SCALARS = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Extra:
    """An argument, or a part of one, that no rule can speak of.

    Attributes:
        path: Its path within the call.
        value: Its value, as JSON.
        declared: Whether the schema has its name, or allows any name in so many words.
        beside: The names that are declared where it stands.
    """

    path: str
    value: Any
    declared: bool
    beside: tuple[str, ...]

    @property
    def line(self) -> str:
        """Return it as a user is told it, whole."""
        return f"{self.path}: {json_text(self.value, _WHOLE)}"

    @property
    def note(self) -> str:
        """Return what the coverage says of it."""
        return f"the argument {self.path}, which {'no type reads' if self.declared else 'the tool does not declare'}"


def read_call(tool: Tool, arguments: Any, *, partial: bool) -> tuple[dict[str, Any], tuple[Extra, ...]]:
    """Return the arguments as values, and all that no type of the tool reads. Raises `InputError`."""
    root = ANSWER if tool.is_answer else CALL
    values = arguments_of(arguments)
    if not isinstance(values, Mapping):
        raise ValueFault(root, "the arguments have to be an object")
    fields, unread = tool.arguments.fields, tool.arguments.unread
    if tool.schema.closed and (strange := [str(name) for name in values if name not in fields and name not in unread]):
        raise ValueFault(
            root, f"there is no {', '.join(map(shortened, strange))}; there is {', '.join(fields) or 'nothing'}"
        )
    extras = tuple(_extras(values, tool.arguments, ""))
    call = Reader().read(_partly(values, tool.arguments, root) if partial else values, tool.arguments, root)
    # What is not filled in yet may still become all that the schema asks for.
    if not partial and (fault := schema_fault(tool, values)) is not None:
        raise ValueFault(*fault)
    return call, extras


def schema_fault(tool: Tool, values: Any) -> tuple[str, str] | None:
    """Return the path of what the tool's own schema refuses, and the reason; None where it takes the arguments."""
    found = None if tool.validator is None else tool.validator.fault(values)
    if found is None:
        return None
    place, why = found
    return path_of(place, ANSWER if tool.is_answer else CALL), f"the schema refuses it: {why}"


def _extras(value: Any, type: Type, path: str) -> Iterator[Extra]:
    match without_null(type):
        case Record(fields, _, unread, is_open) if isinstance(value, Mapping):
            for name, own in value.items():
                if name in fields and own.__class__ in _SCALARS:
                    continue
                short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
                inner = field_path(path, short) if path else short if short.isidentifier() else shortened(short)
                if name in fields:
                    yield from _extras(own, fields[name].type, inner)
                else:
                    yield Extra(inner, own, is_open or name in unread, (*fields, *unread))
        case ListOf(item) if isinstance(value, list | tuple):
            for place, own in enumerate(value):
                yield from _extras(own, item, f"{path}[{place}]")
        case MapOf(inner_type) if isinstance(value, Mapping):
            for name, own in value.items():
                yield from _extras(own, inner_type, f"{path}[{name!r:.80}]")


def _partly(values: Any, type: Any, path: str) -> Any:
    """Return values with markers for what is not filled in yet."""
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
