"""A message that was read, as the journal keeps it: the reader's part of the record, and the reading against gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdtrue.lab.kinds.readings.problem import Kind
from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.record import AttemptRecord, TurnRecord


class ReadOutcome(StrEnum):
    """A `ReadOutcome` says what became of a message: it settles something, or nothing, or could not be read."""

    READ = "read"
    NOTHING = "nothing"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class TakenEvent:
    """An event as the ledger took it: its `kind` is the ledger's, and `value` is None where it has none."""

    kind: Kind
    slot: str
    value: str | int | float | bool | None
    quote: str
    said: str
    grounding: str
    confidence: float


@dataclass(frozen=True, slots=True)
class ReadingDetail:
    """A `ReadingDetail` has what one message settles.

    Of a message that is an item by itself `TurnRecord.readings` has it, and here is only what was not read. `assistant`
    is what the assistant said before it. `events` are as the ledger took them, and `ledger` is what holds
    after them, by slot. `unread` are, as texts, what a reader met and could not make an event of, each with the reason.
    """

    assistant: str | None
    events: tuple[TakenEvent, ...]
    ledger: Mapping[str, str | int | float | bool]
    unread: tuple[str, ...] = ()

    def outcome_of(self, record: TurnRecord[Any, Any]) -> ReadOutcome:
        """Return what became of the message."""
        if self.events or any(own.status != "rejected" for own in record.readings):
            return ReadOutcome.READ
        return ReadOutcome.UNREAD if self.unread else ReadOutcome.NOTHING


ReadingTurn = TurnRecord[ReadingDetail, AttemptRecord]


@dataclass(frozen=True, slots=True)
class Judged:
    """An event that was read, with its probability, and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class ItemScore:
    """An `ItemScore` has what else is counted where the message is an item by itself.

    Attributes:
        kind: The kind of message, in the word of its file.
        style: Its style.
        family: Its family.
        with_doubtful: Whether what was read, accepted or in doubt, is exactly gold.
        doubtful: The number of constraints that were read in doubt.
        doubtful_right: How many of these are in gold.
        rejected: The number of readings that were rejected.
        taken_back: The number of commitments that the message was read to take back; gold says nothing of these.
        missed: What is in gold and in no reading, in words.
    """

    kind: str
    style: str
    family: str
    with_doubtful: bool
    doubtful: int
    doubtful_right: int
    rejected: int
    taken_back: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """The reading of one message against gold; events of soft sources are left out.

    Where the message is an item by itself, the ledger is what was accepted of it, and an accepted constraint is an
    event; `judged` has what was read in doubt, too.

    Attributes:
        correct: Whether the ledger after the message is exactly what gold holds.
        sound: Whether nothing in the ledger is wrong; something may be missing.
        right: The number of right events, by kind.
        wrong: The number of wrong events, by kind.
        gold: The number of events that gold has, by kind.
        found: The number of gold events that were found, by their source.
        sources: The number of gold events, by their source.
        judged: The events that were read.
        seen: Whether trained readers know all services of the dialogue; None where that is not known.
        item: What else is counted where the message is an item by itself; None in a dialogue.
    """

    correct: bool
    sound: bool
    right: Mapping[str, int]
    wrong: Mapping[str, int]
    gold: Mapping[str, int]
    found: Mapping[str, int]
    sources: Mapping[str, int]
    judged: tuple[Judged, ...]
    seen: bool | None
    item: ItemScore | None = None


@dataclass(frozen=True, slots=True)
class ReadingEntry(PlayedEntry[ReadingScore]):
    """One message under one reader. `problem_lines` name the services, or what the message is about, at first alone."""

    record: ReadingTurn
    score: ReadingScore | None
    kind: str = field(default="readings", kw_only=True)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The events, as the ledger took them, or in words what was accepted of a message by itself."""
        if self.record.readings:
            return self.record.delivered
        return {own.slot: f"{own.kind} {own.value}" for own in self.record.detail.events}

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return False: a message is read once."""
        return False
