"""The operations of a message on requests, as a reader gives them, and what it is told before it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, get_args, runtime_checkable

from holdtrue.language.requests.acts import Act
from holdtrue.record import CallRecord, SlotRelation

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
