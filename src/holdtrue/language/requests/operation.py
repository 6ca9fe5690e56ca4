"""This module defines the operations of a message on requests, and the context of reading it.

A *request* is one thing that a user wants done: an *act*, such as a group of tools, on one object.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal, Protocol, get_args, runtime_checkable

from holdtrue.logic.value_sorts import Amount
from holdtrue.record import CallRecord, SlotRelation
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Flag, Name, Number, Type, without_null


@dataclass(frozen=True, slots=True)
class Argument:
    """An `Argument` belongs to an act. All tools of the act that take an argument of this name and type share it."""

    act: str
    name: str
    type: Type
    about: str = ""
    tools: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Return the name with which a conversation commits to a value of the argument: `Clinic.doctor`."""
        return f"{self.act}.{self.name}"

    @property
    def choices(self) -> tuple[str, ...] | None:
        """Return all texts that the argument can be, or None if any text, number or moment is possible."""
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
    """An `Act` is the kind of work that users ask for. Its `object` is its first argument that is an id, "" without
    one.
    """

    name: str
    about: str
    tools: tuple[str, ...]
    arguments: Mapping[str, Argument]

    @cached_property
    def object(self) -> str:
        """Return the name of the argument that identifies the thing to act on."""
        return next((name for name, own in self.arguments.items() if own.is_id), "")


def group_of(tool: str, groups: Mapping[str, str] | None = None) -> str:
    """Return the act of a tool: its group, else the part of its name before the last dot, else its name."""
    return (groups or {}).get(tool) or tool.rpartition(".")[0] or tool


def acts_of(tools: Iterable[ToolSchema], groups: Mapping[str, str] | None = None) -> dict[str, Act]:
    """Return the acts of tools by name. If tools disagree on the type of an argument, only the first tool keeps it.

    Lists, maps and records are not read from words, but an app may commit to values of them.
    """
    found: dict[str, Act] = {}
    for tool in tools:
        name = group_of(tool.name, groups)
        old = found.get(name, Act(name, "", (), {}))
        own = dict(old.arguments)
        # Required arguments come first, because the object of an act is not an optional id.
        for argument, taken in sorted(tool.arguments.fields.items(), key=lambda each: not each[1].required):
            new = Argument(name, argument, taken.type, tool.about.get(argument, ""), (tool.name,))
            known = own.get(argument)
            shared = taken.type if known is None else _shared_type(known.type, taken.type)
            if known is None:
                own[argument] = new
            elif shared is not None:
                about = known.about if len(known.about) >= len(new.about) else new.about
                own[argument] = replace(known, type=shared, about=about, tools=(*known.tools, tool.name))
        about = tool.description if not old.about else f"{old.about}; {tool.description}".rstrip("; ")
        found[name] = Act(name, about, (*old.tools, tool.name), own)
    return found


def _shared_type(one: Type, other: Type) -> Type | None:
    """Return a type that covers the values of both types; None if no value can be of both."""
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


Do = Literal["open", "set", "free", "withdraw"]
Content = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Operation:
    """An `Operation` is one thing that a message does to a request.

    Attributes:
        do: It opens the request, sets an argument, frees it so that any value will do, or takes the request back.
        act: The act that is wanted, or `said` for the questions of a policy.
        request: The id of an open request, `*` for all of them, or a label of a new one. Operations of one message with
            one label are on one request. For a withdrawal, `*` means all requests of the act. "" leaves the request to
            the act and the object.
        argument: The argument that is set or freed.
        relation: Whether the argument `is` the value, is `not`, or is limited by it.
        value: The value as JSON has it.
        others: Other values that the words can mean, such as 21:30 for "half past nine".
        quote: The words for this in the message, or in the offer of the assistant.
        source: The speaker of these words. An offer of the assistant counts once the user accepts it.
        confidence: The probability that this is meant, in 0..1.
    """

    do: Do
    act: str
    request: str = ""
    argument: str = ""
    relation: SlotRelation = "is"
    value: Content | None = None
    others: tuple[Content, ...] = ()
    quote: str = ""
    source: Literal["user", "assistant"] = "user"
    confidence: float = 1.0

    def __post_init__(self) -> None:
        """Raise `ValueError` for impossible fields, so that a custom reader fails where it makes the operation."""
        for name, given, known in (
            ("do", self.do, get_args(Do)),
            ("relation", self.relation, get_args(SlotRelation)),
            ("source", self.source, ("user", "assistant")),
        ):
            if given not in known:
                raise ValueError(f"{name} of an operation must be one of {', '.join(known)}, not {given!r:.60}")
        if not all(isinstance(own, str) for own in (self.act, self.request, self.argument, self.quote)):
            raise ValueError(f"act, request, argument and quote of an operation are texts: {self!r:.300}")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence of an operation is in 0..1, not {self.confidence!r}")


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """An `OpenRequest` waits to be done. `said` has a sentence about each argument that was mentioned."""

    id: str
    act: str
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A `RequestContext` holds the facts that a reader knows before it reads a message.

    Attributes:
        turn: The turn of the message, from 1.
        now: The time of the message, local to the user.
        locale: The style of dates, times and numbers.
        requests: The open requests, the oldest first.
        assistant: The assistant's message before it, or "".
        shown: The texts that tools showed. An id must occur among them or in the message.
        questions: The questions of a policy, by their names under `said`.
    """

    turn: int
    now: datetime
    locale: str = "en-US"
    requests: tuple[OpenRequest, ...] = ()
    assistant: str = ""
    shown: frozenset[str] = frozenset()
    questions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestReading:
    """A `RequestReading` holds the operations of one message, the reasons for unread parts, and the calls that reading
    took.
    """

    operations: tuple[Operation, ...] = ()
    unread: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A `Claim` is an assistant's statement that work was done: the tool for it, the named arguments, and the words."""

    tool: str
    arguments: Mapping[str, Content]
    quote: str


@runtime_checkable
class RequestReader(Protocol):
    """A `RequestReader` reads the effects of messages on requests."""

    @property
    def name(self) -> str: ...

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return the effects of a user's message. Raises `ModelError` if its model cannot answer."""
        ...


@runtime_checkable
class ClaimReader(Protocol):
    """A `ClaimReader` reads an assistant's claims about finished work."""

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        """Return the claims of work in a message of the assistant, and add the model's calls to `calls`."""
        ...
