"""This module holds the records of one message's readings, and the protocol that every reader implements.

A message is read about a world, such as an instance of a domain, and states constraints of it.
`holdtrue.language.requests` reads the wishes of users of an app with tools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from inspect import isawaitable
from typing import Any, Literal, Protocol

from holdtrue.errors import ConstraintError, SettingsError
from holdtrue.record import CallRecord, ReadingRecord
from holdtrue.world.world import Constraint

ReadingStatus = Literal["accepted", "doubtful", "rejected"]
Act = Literal["states", "withdraws", "amends"]


class Why(StrEnum):
    """A `Why` is the code of a reading's reason, so that callers can tell reasons apart. `Reading.reason` has the
    words.

    `UNREAD`: the sentence names nothing known. `NO_WORDING`: the domain has no such wording. `NO_ARGUMENT`: the wording
    fits, but an argument does not exist in the instance. `UNLIKE`: the sentence is not worded like the only commitment
    that it can mean. `SEVERAL`: it can mean several commitments. `PERMISSION`: it only permits something.
    """

    UNREAD = "unread"
    NO_WORDING = "no_wording"
    NO_ARGUMENT = "no_argument"
    UNLIKE = "unlike"
    SEVERAL = "several"
    PERMISSION = "permission"

    @classmethod
    def of(cls, error: ConstraintError) -> Why | None:
        """Return `NO_ARGUMENT` if the error is about an argument; other errors have no code."""
        of_argument = ("unknown_entity", "unknown_attribute", "unknown_value", "out_of_range")
        return cls.NO_ARGUMENT if error.code in of_argument else None


@dataclass(frozen=True, slots=True)
class ActiveCommitment:
    """A commitment that holds when a message is read. `turn` is the turn that last stated it."""

    id: str
    constraint: Constraint
    turn: int


@dataclass(frozen=True, slots=True)
class MessageContext:
    """A `MessageContext` holds the facts that a reader knows before it reads a message.

    Attributes:
        turn: The turn of the message, from 1.
        active: The commitments that hold before the message, in order of entry. The message can withdraw or amend
            these. If None, the message can only state constraints.
        answer: The assistant's answer of the same turn. Only the published protocol reads it.
    """

    turn: int = 1
    active: Sequence[ActiveCommitment] | None = None
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A `Reading` is one thing that was read in one sentence.

    `accepted` and `doubtful` readings have a constraint; a `rejected` one has a reason instead. `confidence` is in
    0..1. `code` is the `ConstraintError.code` if the instance cannot have the stated constraint.

    `act` says whether the sentence `states` the constraint, `withdraws` it, or `amends` an earlier one with it. An
    amendment puts the constraint in the place of `replaces`. If `replaces` is None, it displaces every commitment that
    contradicts it.

    If `weighed` is true, the confidence already counts the words that the constraint leaves out. If `held_back` is
    true, the sentence has an 'or', an 'if', an opinion or the like. Such words may also affect its other statements.
    `why` is the code of the reason. `unread` is the part of the sentence without a reading, "" for all of it.
    """

    sentence: str
    status: ReadingStatus
    constraint: Constraint | None = None
    confidence: float = 1.0
    reason: str | None = None
    code: str | None = None
    act: Act = "states"
    replaces: Constraint | None = None
    weighed: bool = False
    held_back: bool = False
    why: Why | None = None
    unread: str = ""

    def record(self) -> ReadingRecord:
        """Return the reading as a record for the journal."""
        made = self.constraint
        return ReadingRecord(
            sentence=self.sentence,
            status=self.status,
            type=made.type if made else None,
            args=made.args if made else (),
            confidence=self.confidence,
            reason=self.reason,
            code=self.code,
            act=self.act,
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """An `Extraction` holds all readings of one message, and the model calls that they took."""

    readings: tuple[Reading, ...]
    calls: tuple[CallRecord, ...] = ()

    @property
    def stated(self) -> tuple[tuple[Constraint, Reading], ...]:
        """Return the constraints that may become commitments, with their readings, in the order of the message."""
        kept = (reading for reading in self.readings if reading.status != "rejected" and reading.act != "withdraws")
        return tuple((reading.constraint, reading) for reading in kept if reading.constraint is not None)

    @property
    def nothing_read(self) -> bool:
        """Return whether every reading of the message was rejected."""
        return all(reading.status == "rejected" for reading in self.readings)


class Extractor(Protocol):
    """An `Extractor` reads messages about a world. It may support one type of world only."""

    @property
    def name(self) -> str: ...

    async def read(self, world: Any, message: str, context: MessageContext) -> Extraction:
        """Read one user message. A statement that this world cannot express comes back rejected, with a reason.

        Raises `ModelError` if the reader's model gives no answer.
        """
        ...


async def read_message(extractor: Extractor, world: Any, message: str, context: MessageContext) -> Extraction:
    """Return the extractor's reading of a message.

    Raises `SettingsError` if the extractor, which a user may have written, returns no `Extraction`.
    """
    coming: Any = extractor.read(world, message, context)
    if not isawaitable(coming):
        raise SettingsError(f"{extractor.name}: read() must be `async def`; it gave {coming!r:.60}, no awaitable")
    read: Any = await coming
    if not isinstance(read, Extraction) or not all(isinstance(one, Reading) for one in read.readings):
        raise SettingsError(f"{extractor.name}: read() must give an Extraction((Reading(...), ...)), not {read!r:.60}")
    return read
