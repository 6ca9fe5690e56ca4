"""This module has the records of what was read in a message, and the protocol of everything that reads.

A message is read about a world: an instance of a domain, whose constraints it states, or the slots of an app's tools
or of a schema, which it settles. What holds before it, and who said what, is in its `MessageContext`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from inspect import isawaitable
from typing import Any, Literal, Protocol

from holdtrue.errors import SettingsError
from holdtrue.record import CallRecord, ReadingRecord, SlotRelation
from holdtrue.world.world import Constraint

ReadingStatus = Literal["accepted", "doubtful", "rejected"]
Act = Literal["states", "withdraws", "amends", "frees"]

Said = Literal["user", "assistant"]
"""The source of what was read: the user's own words, or an offer of the assistant that the user took up."""

SlotContent = str | int | float | bool
"""The value of a slot as JSON has it."""


@dataclass(frozen=True, slots=True)
class ActiveCommitment:
    """A commitment that holds when a message is read; `turn` is the one in which it was last said."""

    id: str
    constraint: Constraint
    turn: int


@dataclass(frozen=True, slots=True)
class SettledSlot:
    """A slot, by its id, with the value that it gets; None where any will do, or none holds any more.

    `relation` says whether it `is` the value, is `not`, or on which side of it.
    """

    slot: str
    value: SlotContent | None = None
    relation: SlotRelation = "is"


@dataclass(frozen=True, slots=True)
class MessageContext:
    """A `MessageContext` is what is known when a message is read.

    Attributes:
        turn: The turn in which it is said, from 1.
        active: The commitments that hold before it, in order of entry: what it can take back or change. None where it
            can only state.
        held: The values that slots have before it, by their ids, in order of entry.
        groups: The groups of slots that the conversation is about, the latest first; None for those of `held`.
        doubted: The slots of `held` whose values are in doubt, so that it is news if they are said again.
        shown: The values that tools showed or were called with, as plain texts, and the names they had, as stems.
        assistant: The assistant's message before it, whose offers it may accept.
        earlier: The assistant's messages before that one, the latest first.
        now: When it was said, local to who said it; slots are read only where it is given.
        locale: How dates, times and numbers are written.
        answer: The assistant's answer of the same turn, which only the published protocol reads.
    """

    turn: int = 1
    active: Sequence[ActiveCommitment] | None = None
    held: Mapping[str, SlotContent] = field(default_factory=dict)
    groups: tuple[str, ...] | None = None
    doubted: frozenset[str] = frozenset()
    shown: Mapping[str, frozenset[frozenset[str]]] = field(default_factory=dict)
    assistant: str | None = None
    earlier: tuple[str, ...] = ()
    now: datetime | None = None
    locale: str = "en-US"
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A `Reading` is one thing read in one sentence.

    `accepted` and `doubtful` readings have a constraint; a `rejected` one has a reason, and no constraint that may be
    committed. `confidence` is in 0..1. `code` is `ConstraintError.code` if the stated constraint is one that this
    instance cannot have. `act` says whether the sentence `states` the constraint, `withdraws` it, or `amends`, which
    means that it states it in the place of `replaces`, or, if that is None, of whatever cannot hold beside it.
    A reading about slots has a `slot` with its value instead of a constraint: it `states` the value, `frees` the slot,
    so that any value will do, or `withdraws` what was said of it. `source` is whose words it takes up, and `grounding`
    says what supports the value (`holdtrue.language.slots.slot_reading.Grounding`).

    `weighed`: the words of the sentence that the constraint leaves out are in its confidence already. `held_back`: an
    'or', an 'if', an opinion or the like was found in its words, which may hold for what is said beside it, too.
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
    slot: SettledSlot | None = None
    source: Said = "user"
    grounding: str = ""

    def record(self) -> ReadingRecord:
        """Return the reading as it is written down."""
        made, slot = self.constraint, self.slot
        value = () if slot is None or slot.value is None else (_as_argument(slot.value),)
        return ReadingRecord(
            sentence=self.sentence,
            status=self.status,
            type=made.type if made else slot.slot if slot else None,
            args=made.args if made else value,
            confidence=self.confidence,
            reason=self.reason,
            code=self.code,
            act=self.act,
        )


def _as_argument(value: SlotContent) -> str | int:
    return value if isinstance(value, int) and not isinstance(value, bool) else str(value)


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
