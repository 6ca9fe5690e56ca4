"""A message that was read, as the journal keeps it: the record of the reader, and what was read against gold."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdtrue.record import AttemptRecord, TurnRecord
from holdtrue_lab.kit.entry import PlayedEntry


class ReadOutcome(StrEnum):
    """A `ReadOutcome` says what became of a message: it settles something, or nothing, or could not be read."""

    READ = "read"
    NOTHING = "nothing"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class ReadingDetail:
    """A `ReadingDetail` keeps nothing of its own: all that was read of a message stands in `TurnRecord.readings`."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> ReadOutcome:
        """Return what became of the message."""
        if any(own.status != "rejected" for own in record.readings):
            return ReadOutcome.READ
        return ReadOutcome.UNREAD if record.readings else ReadOutcome.NOTHING


ReadingTurn = TurnRecord[ReadingDetail, AttemptRecord]


@dataclass(frozen=True, slots=True)
class Judged:
    """A constraint that was read, with its probability, and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """The reading of one message against gold; a constraint that was read several times counts once.

    Attributes:
        correct: Whether what was accepted is exactly gold.
        with_doubtful: Whether what was read, accepted or in doubt, is exactly gold.
        right: The number of constraints that were accepted and are in gold.
        wrong: The number of constraints that were accepted and are not in gold.
        gold: The number of constraints in gold.
        doubtful: The number of constraints that were read in doubt.
        doubtful_right: How many of these are in gold.
        missed: What is in gold and in no reading, in words.
        rejected: The number of readings that were rejected.
        taken_back: The number of commitments that the message was read to take back; gold says nothing of these.
        judged: The constraints that were read, accepted or in doubt.
        kind: The kind of message, in the word of its file.
        style: Its style.
        family: Its family.
    """

    correct: bool
    with_doubtful: bool
    right: int
    wrong: int
    gold: int
    doubtful: int
    doubtful_right: int
    missed: tuple[str, ...]
    rejected: int
    taken_back: int
    judged: tuple[Judged, ...]
    kind: str
    style: str
    family: str


@dataclass(frozen=True, slots=True)
class ReadingEntry(PlayedEntry[ReadingScore]):
    """One message under one reader. `problem_lines` say what the message is about, and what was agreed before it."""

    record: ReadingTurn
    score: ReadingScore
    kind: str = field(default="readings", kw_only=True)
