"""The operations of a message on requests, as a reader gives them, and what it is told before it reads."""

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


Do = Literal["open", "set", "free", "withdraw"]
Content = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Operation:
    """An `Operation` is one thing that a message does to a request.

    Attributes:
        do: It opens the request, sets an argument, frees it, so that any value will do, or takes the request back.
        act: The act that is asked for, or `said` for what a policy asks users about.
        request: The id of an open request, `*` for all of them, or any other text as a label of a new one; operations
            of one message with one label are on one request. Where requests are taken back, `*` is for all of the act.
            "" leaves it to the act and the object.
        argument: The argument that is set or freed.
        relation: Whether the argument `is` the value, is `not`, or on which side of it.
        value: The value as JSON has it.
        others: What the words can mean as well, such as 21:30 of "half past nine".
        quote: The words that say so, as they stand in the message, or in what the assistant offered.
        source: Whose words they are; what the assistant offers counts once the user takes it up.
        confidence: How probable it is that this is what is meant, in 0..1.
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
        """Raise `ValueError` for what is no operation, so that a reader of one's own hears of it where it makes it."""
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
    """An `OpenRequest` is one that waits to be done, with what was said of it in sentences, by argument."""

    id: str
    act: str
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A `RequestContext` is what is known when a message is read.

    Attributes:
        turn: The turn in which it is said, from 1.
        now: When it is said, local to who says it.
        locale: How dates, times and numbers are written.
        requests: The requests that are open, the oldest first.
        assistant: What the assistant said before it, or "".
        shown: The texts that tools showed: an id has to stand among them, or in the message.
        questions: What a policy asks users about, by the names under `said`.
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
    """A `RequestReading` is all that one message does, what of it could not be taken and why, and what reading cost."""

    operations: tuple[Operation, ...] = ()
    unread: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A `Claim` is an assistant's word that work was done: the tool that does it, what it names, and how it says it."""

    tool: str
    arguments: Mapping[str, Content]
    quote: str


@runtime_checkable
class RequestReader(Protocol):
    """A `RequestReader` reads what messages do to requests."""

    @property
    def name(self) -> str: ...

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return what a message of the user does. Raises `ModelError` where a model that it asks cannot answer."""
        ...


@runtime_checkable
class ClaimReader(Protocol):
    """A `ClaimReader` reads what an assistant claims to have done."""

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        """Return the claims of work in a message of the assistant, and add calls of a model to `calls`."""
        ...
