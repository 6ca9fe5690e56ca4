"""The part of a turn's record that has what a reader found in one message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from holdtrue.lab.kinds.readings.problem import Kind
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
