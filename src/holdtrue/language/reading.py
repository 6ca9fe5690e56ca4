"""What was read in a message, and the protocol of everything that reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from holdtrue.domains.instance import Constraint, Instance
from holdtrue.record import CallRecord, ReadingRecord

ReadingStatus = Literal["accepted", "doubtful", "rejected"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing read in one sentence.

    `accepted` and `doubtful` readings have a constraint; a `rejected` one has a reason, and no constraint
    that may be committed. `confidence` is in 0..1. `code` is `ConstraintError.code` where a constraint was stated
    that this instance cannot have.
    """

    sentence: str
    status: ReadingStatus
    constraint: Constraint | None = None
    confidence: float = 1.0
    reason: str | None = None
    code: str | None = None

    def record(self) -> ReadingRecord:
        """The reading as it is written down."""
        made = self.constraint
        return ReadingRecord(
            sentence=self.sentence,
            status=self.status,
            type=made.type if made else None,
            args=made.args if made else (),
            confidence=self.confidence,
            reason=self.reason,
            code=self.code,
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was read in one message, and what reading it cost."""

    readings: tuple[Reading, ...]
    calls: tuple[CallRecord, ...] = ()

    @property
    def stated(self) -> tuple[tuple[Constraint, Reading], ...]:
        """What may be committed: constraints with their readings, in the order in which they were said."""
        kept = (reading for reading in self.readings if reading.status != "rejected")
        return tuple((reading.constraint, reading) for reading in kept if reading.constraint is not None)


class Extractor(Protocol):
    """Turns what was said into constraints of an instance."""

    @property
    def name(self) -> str: ...

    async def read(self, instance: Instance, message: str, *, turn: int, answer: str | None = None) -> Extraction:
        """Read one user message.

        `answer` is the assistant's text of the same turn, given only under protocol `upstream`.
        What cannot be an allowed constraint comes back rejected with a reason.
        """
        ...
