"""This module has the records of what was read in a message, and the protocol of everything that reads.

A message is read about a world, such as an instance of a domain, whose constraints it states. What holds before it is
in its `MessageContext`. What a user asks of an app with tools is read by `holdtrue.language.requests`.
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
    """The reasons of readings that whoever reads on tells from others; `Reading.reason` says each in words.

    `UNREAD`: it names nothing known. `NO_WORDING`: the domain has no such wording. `NO_ARGUMENT`: the domain's wording
    has an argument that the instance has not. `UNLIKE`: it is not worded like the one thing that it can mean.
    `SEVERAL`: it can mean several. `PERMISSION`: it only permits something.
    """

    UNREAD = "unread"
    NO_WORDING = "no_wording"
    NO_ARGUMENT = "no_argument"
    UNLIKE = "unlike"
    SEVERAL = "several"
    PERMISSION = "permission"

    @classmethod
    def of(cls, error: ConstraintError) -> Why | None:
        """Return `NO_ARGUMENT` where an argument is wrong; a type or a form that is wrong has no code."""
        of_argument = ("unknown_entity", "unknown_attribute", "unknown_value", "out_of_range")
        return cls.NO_ARGUMENT if error.code in of_argument else None


@dataclass(frozen=True, slots=True)
class ActiveCommitment:
    """A commitment that holds when a message is read; `turn` is the one in which it was last said."""

    id: str
    constraint: Constraint
    turn: int


@dataclass(frozen=True, slots=True)
class MessageContext:
    """A `MessageContext` is what is known when a message is read.

    Attributes:
        turn: The turn in which it is said, from 1.
        active: The commitments that hold before it, in order of entry: what it can take back or change. None where it
            can only state.
        answer: The assistant's answer of the same turn, which only the published protocol reads.
    """

    turn: int = 1
    active: Sequence[ActiveCommitment] | None = None
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A `Reading` is one thing read in one sentence.

    `accepted` and `doubtful` readings have a constraint; a `rejected` one has a reason, and no constraint that may be
    committed. `confidence` is in 0..1. `code` is `ConstraintError.code` if the stated constraint is one that this
    instance cannot have. `act` says whether the sentence `states` the constraint, `withdraws` it, or `amends`, which
    means that it states it in the place of `replaces`, or, if that is None, of whatever cannot hold beside it.

    `weighed`: the words of the sentence that the constraint leaves out are in its confidence already. `held_back`: an
    'or', an 'if', an opinion or the like was found in its words, which may hold for what is said beside it, too.
    `why` is the code of the reason. `unread` is the part of the sentence in which nothing was read, "" for all of it.
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
        """Return the reading as it is written down."""
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
    """An `Extraction` holds all that was read in one message, and what reading it cost."""

    readings: tuple[Reading, ...]
    calls: tuple[CallRecord, ...] = ()

    @property
    def stated(self) -> tuple[tuple[Constraint, Reading], ...]:
        """Return the constraints that may be committed, with their readings, in the order in which they were said."""
        kept = (reading for reading in self.readings if reading.status != "rejected" and reading.act != "withdraws")
        return tuple((reading.constraint, reading) for reading in kept if reading.constraint is not None)

    @property
    def nothing_read(self) -> bool:
        """Return whether the message states nothing, and changes nothing, that could be read."""
        return all(reading.status == "rejected" for reading in self.readings)


class Extractor(Protocol):
    """An `Extractor` reads messages about a world; it may be made for one type of world only."""

    @property
    def name(self) -> str: ...

    async def read(self, world: Any, message: str, context: MessageContext) -> Extraction:
        """Read one user message; what cannot be said in this world comes back rejected with a reason.

        Raises `ModelError` if a model that it asks cannot answer.
        """
        ...


async def read_message(extractor: Extractor, world: Any, message: str, context: MessageContext) -> Extraction:
    """Return what the extractor reads in a message. Raises `SettingsError` if a user's one returns no `Extraction`."""
    coming: Any = extractor.read(world, message, context)
    if not isawaitable(coming):
        raise SettingsError(f"{extractor.name}: read() must be `async def`; it gave {coming!r:.60}, no awaitable")
    read: Any = await coming
    if not isinstance(read, Extraction) or not all(isinstance(one, Reading) for one in read.readings):
        raise SettingsError(f"{extractor.name}: read() must give an Extraction((Reading(...), ...)), not {read!r:.60}")
    return read
