"""The slots that a conversation can settle: the arguments of an app's tools, or the fields of a schema.

>>> from holdtrue.rules.tools import read_tools
>>> book = {"name": "Clinic.Book", "parameters": {"properties": {"doctor": {"type": "string"}}, "required": ["doctor"]}}
>>> world = slot_world(read_tools([book]), writes={"Clinic.Book"})
>>> [(slot.id, slot.writes) for slot in world.slots.values()]
[('Clinic.doctor', True)]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.logic.value_sorts import Amount, Calendar
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Flag, ListOf, Name, Number, Type, in_words, without_null


@dataclass(frozen=True, slots=True)
class Slot:
    """A `Slot` is something that a conversation can settle once: one argument, in all tools of its group.

    Attributes:
        group: What it belongs to, such as a service; "" where there is only one.
        name: The name of the argument or field.
        type: The type of its value.
        about: What the schema says of it.
        tools: The tools that take it, those that need it under `needed_by`.
        writes: Whether a tool takes it that changes something.
        searched: Whether a tool takes it that changes nothing. What only writing tools take is mostly picked among what
            was found, and so offered by the assistant before a user says it.
    """

    group: str
    name: str
    type: Type
    about: str = ""
    tools: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    writes: bool = False
    searched: bool = False

    @property
    def id(self) -> str:
        """Return the name by which entries and events have it: `Clinic.doctor`."""
        return f"{self.group}.{self.name}" if self.group else self.name

    @property
    def choices(self) -> tuple[str, ...] | None:
        """Return all values that it can have, as texts, or None for a slot that is open."""
        own = without_null(self.type)
        if isinstance(own, Flag):
            return ("true", "false")
        return own.values if isinstance(own, Name) else None


@dataclass(frozen=True, eq=False)
class SlotWorld:
    """A `SlotWorld` has slots by id, what is said of their groups, and what cannot be said with a reason each."""

    slots: Mapping[str, Slot]
    about: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()


def slot_world(
    tools: Sequence[ToolSchema],
    *,
    writes: Collection[str] = (),
    groups: Mapping[str, str] | None = None,
) -> SlotWorld:
    """Return the slots of tools. Tools of one group share the arguments of the same name and type.

    `groups` names the group of a tool; else it is what stands before the last dot of the tool's name, and the name
    itself where it has none. `writes` are the tools that change something.
    """
    slots: dict[str, Slot] = {}
    told: dict[str, str] = {}
    unread: list[str] = []
    for tool in tools:
        group = (groups or {}).get(tool.name) or tool.name.rpartition(".")[0] or tool.name
        told[group] = _joined(told.get(group, ""), tool.description)
        for name, own in tool.arguments.fields.items():
            if not _can_be_said(own.type):
                unread.append(f"{tool.name}.{name}: {in_words(own.type)} is not read from words")
                continue
            new = Slot(
                group,
                name,
                own.type,
                tool.about.get(name, ""),
                (tool.name,),
                (tool.name,) if own.required else (),
                tool.name in writes,
                tool.name not in writes,
            )
            old = slots.get(new.id)
            if old is not None and _shared_type(old.type, new.type) is None:
                new = Slot(tool.name, name, own.type, new.about, new.tools, new.needed_by, new.writes, new.searched)
                old = None
            slots[new.id] = new if old is None else _merged(old, new)
    return SlotWorld(slots, told, tuple(unread))


def _merged(old: Slot, new: Slot) -> Slot:
    return Slot(
        old.group,
        old.name,
        _shared_type(old.type, new.type) or old.type,
        old.about if len(old.about) >= len(new.about) else new.about,
        (*old.tools, *new.tools),
        (*old.needed_by, *new.needed_by),
        old.writes or new.writes,
        old.searched or new.searched,
    )


def _shared_type(one: Type, other: Type) -> Type | None:
    """Return the type of what two tools call alike, as wide as both; None where one value cannot be of both."""
    if one == other:
        return one
    match without_null(one), without_null(other):
        case Number(sort), Number(same) if sort.unit == same.unit:
            step = None if None in (sort.step, same.step) else min(sort.step, same.step)  # type: ignore[type-var]
            return Number(Amount(sort.unit, step))
        case Name(kind, values), Name(same_kind, more) if kind == same_kind:
            if values is None or more is None:
                return Name(kind, values if more is None else more)
            return Name(kind, tuple(dict.fromkeys((*values, *more))))
        case a, b if a == b:
            return a
    return None


def _joined(old: str, new: str) -> str:
    return new if not old else old if not new or new in old else f"{old}; {new}"


def _can_be_said(type: Type) -> bool:
    own = without_null(type)
    if isinstance(own, ListOf):
        own = without_null(own.item)
    return isinstance(own, Flag | Number | Name) or (isinstance(own, Calendar) and own.kind != "moment")
