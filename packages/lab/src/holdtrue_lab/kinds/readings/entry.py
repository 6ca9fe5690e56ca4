"""The record, the score and the journal entry of a message that was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdtrue.record import AttemptRecord, TurnRecord
from holdtrue_lab.kit.entry import PlayedEntry


class ReadOutcome(StrEnum):
    """The outcome of reading a message: the message settles something, or nothing, or could not be read."""

    READ = "read"
    NOTHING = "nothing"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class ReadingDetail:
    """An empty detail. All readings of a message are in `TurnRecord.readings`."""

    def outcome_of(self, record: TurnRecord[Any, Any]) -> ReadOutcome:
        """Return the outcome of reading the message."""
        if any(own.status != "rejected" for own in record.readings):
            return ReadOutcome.READ
        return ReadOutcome.UNREAD if record.readings else ReadOutcome.NOTHING


ReadingTurn = TurnRecord[ReadingDetail, AttemptRecord]


@dataclass(frozen=True, slots=True)
class Judged:
    """A constraint that was read: its probability, and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """The score of the reading of one message. A constraint that was read several times counts once.

    Attributes:
        correct: Whether the accepted constraints are exactly those of gold.
        with_doubtful: Whether the accepted and doubtful constraints together are exactly those of gold.
        right: Number of accepted constraints in gold.
        wrong: Number of accepted constraints that are not in gold.
        gold: Number of constraints in gold.
        doubtful: Number of constraints that were read in doubt.
        doubtful_right: Number of doubtful constraints in gold.
        missed: The constraints in gold without a reading, in words.
        rejected: Number of rejected readings.
        taken_back: Number of earlier commitments that the message takes back according to its readings. Gold does not
            cover these.
        judged: The constraints that were read, accepted or in doubt.
        kind: The kind of message, as its file names it; `style` and `family` are also the file's.
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
    """The journal entry of one message under one reader.

    `problem_lines` describe the message, its instance, and the constraints that were agreed before.
    """

    record: ReadingTurn
    score: ReadingScore
    kind: str = field(default="readings", kw_only=True)


def say_constraint(type: str | None, args: Sequence[str | int]) -> str:
    """Return a constraint in words: 'assign(Mei, pet, Cat)'."""
    return f"{type}({', '.join(map(str, args))})"
