"""The acts that a conversation can ask for: writing tools, or tools of one end, with the arguments that they take.

>>> from holdtrue.rules.tools import read_tools
>>> book = {"name": "Clinic.Book", "parameters": {"properties": {"doctor": {"type": "string"}}, "required": ["doctor"]}}
>>> [own.id for own in acts_of(read_tools([book]))["Clinic"].arguments.values()]
['Clinic.doctor']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from holdtrue.logic.value_sorts import Amount
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Flag, Name, Number, Type, without_null


@dataclass(frozen=True, slots=True)
class Argument:
    """An `Argument` is one of an act: all tools of it that take one of this name and type, take this one."""

    act: str
    name: str
    type: Type
    about: str = ""
    tools: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Return the name by which people commit a conversation to a value of it: `Clinic.doctor`."""
        return f"{self.act}.{self.name}"

    @property
    def choices(self) -> tuple[str, ...] | None:
        """Return all texts that it can be, or None where any text, number or moment may be one."""
        own = without_null(self.type)
        return own.values if isinstance(own, Name) else None

    @property
    def is_id(self) -> bool:
        """Return whether its values are ids of things."""
        own = without_null(self.type)
        return isinstance(own, Name) and bool(own.kind)

    @property
    def is_read(self) -> bool:
        """Return whether its values are read from words."""
        own = without_null(self.type)
        return isinstance(own, Flag | Number | Name) or getattr(own, "kind", "") in ("date", "time")

    @property
    def is_text(self) -> bool:
        """Return whether any text can be its value."""
        own = without_null(self.type)
        return isinstance(own, Name) and not own.kind and own.values is None


@dataclass(frozen=True, eq=False)
class Act:
    """An `Act` is what users ask for. Its `object` is the first of its arguments that is an id, "" if none is."""

    name: str
    about: str
    tools: tuple[str, ...]
    arguments: Mapping[str, Argument]

    @cached_property
    def object(self) -> str:
        """Return the name of the argument that says on which thing it is."""
        return next((name for name, own in self.arguments.items() if own.is_id), "")


def group_of(tool: str, groups: Mapping[str, str] | None = None) -> str:
    """Return the act of a tool: its group, what stands before the last dot of its name, or else itself."""
    return (groups or {}).get(tool) or tool.rpartition(".")[0] or tool


def acts_of(tools: Iterable[ToolSchema], groups: Mapping[str, str] | None = None) -> dict[str, Act]:
    """Return the acts of tools, by their names. Arguments of one name, but of two types, are of the first tool alone.

    Lists, maps and records are not read from words; an app may commit them.
    """
    found: dict[str, Act] = {}
    for tool in tools:
        name = group_of(tool.name, groups)
        old = found.get(name, Act(name, "", (), {}))
        own = dict(old.arguments)
        # What has to be given comes first: the object of an act is no id that may be left out.
        for argument, field in sorted(tool.arguments.fields.items(), key=lambda each: not each[1].required):
            new = Argument(name, argument, field.type, tool.about.get(argument, ""), (tool.name,))
            known = own.get(argument)
            shared = field.type if known is None else _shared_type(known.type, field.type)
            if known is None:
                own[argument] = new
            elif shared is not None:
                about = known.about if len(known.about) >= len(new.about) else new.about
                own[argument] = replace(known, type=shared, about=about, tools=(*known.tools, tool.name))
        about = tool.description if not old.about else f"{old.about}; {tool.description}".rstrip("; ")
        found[name] = Act(name, about, (*old.tools, tool.name), own)
    return found


def _shared_type(one: Type, other: Type) -> Type | None:
    """Return the type of what two tools call alike, as wide as both; None where one value cannot be of both."""
    match without_null(one), without_null(other):
        case Number(sort), Number(same) if sort.unit == same.unit:
            step = None if sort.step is None or same.step is None else min(sort.step, same.step)
            return Number(Amount(sort.unit, step))
        case Name(kind, values), Name(same_kind, more) if kind == same_kind:
            both = None if values is None or more is None else tuple(dict.fromkeys((*values, *more)))
            return Name(kind, both)
        case a, b if a == b:
            return a
    return None
