"""Commitments, and the events that make a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from holdtrue.record import EventRecord
from holdtrue.world.world import Constraint


class Source(StrEnum):
    """Who committed the conversation to something."""

    USER = "user"
    ASSISTANT = "assistant"
    CONTEXT = "context"


class EventKind(StrEnum):
    """What happened to a commitment.

    `added` and `reinstated` make it active; `withdrawn` (by the user), `amended` (replaced by another) and
    `set_aside` (by revision, because of others) end that; `restated` says it again; `rejected` never let it in.
    """

    ADDED = "added"
    RESTATED = "restated"
    AMENDED = "amended"
    WITHDRAWN = "withdrawn"
    SET_ASIDE = "set_aside"
    REINSTATED = "reinstated"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something said that may become a commitment.

    `confidence` (0..1) is that of its reading; `doubtful` marks a reading that must give way to confident ones.
    """

    constraint: Constraint
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Commitment:
    """One thing that was agreed, with where it came from: `constraint` is canonical, `sentence` says it in words."""

    id: str
    constraint: Constraint
    sentence: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the ledger; nothing is ever edited. `because` names the commitments that forced it."""

    kind: EventKind
    turn: int
    commitment: Commitment
    reason: str | None = None
    because: tuple[str, ...] = ()

    def record(self) -> EventRecord:
        """The event as it is written down."""
        commitment = self.commitment
        return EventRecord(
            kind=self.kind.value,
            id=commitment.id,
            turn=self.turn,
            type=commitment.constraint.type,
            args=commitment.constraint.args,
            sentence=commitment.sentence,
            source=commitment.source.value,
            confidence=commitment.confidence,
            reason=self.reason,
            because=self.because,
        )
