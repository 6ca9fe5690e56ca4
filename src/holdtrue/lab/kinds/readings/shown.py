"""The dialogues or messages that the HTML page shows with all their readings: those on which readers differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kinds.readings.report import ReadingReport
from holdtrue.lab.kinds.readings.teller import say_events, say_score
from holdtrue.lab.kit.shown import SHOWN, ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message of the user, and what the assistant said before it."""

    turn: int
    assistant: str
    said: str


@dataclass(frozen=True, slots=True)
class ShownReading:
    """One reading in words; `correct` says whether the ledger after it is right, None where nobody knows."""

    turn: int
    told: tuple[str, ...]
    unread: tuple[str, ...]
    correct: bool | None
    worth: str


@dataclass(frozen=True)
class ShownDialogue(ProblemOnPage[ReadingEntry]):
    """One dialogue with all readers that read its messages."""

    @cached_property
    def messages(self) -> tuple[ShownMessage, ...]:
        return tuple(map(_message, self.longest))

    @cached_property
    def conversations(self) -> list[Talk[ShownReading]]:
        return [Talk(side, tuple(map(_reading, entries))) for side, entries in self.entries.items()]


def show_dialogues(report: ReadingReport, number: int) -> list[ShownDialogue]:
    """Return at most `number` dialogues, those on which readers differ most."""
    return show_most_telling(report, number, ReadingEntry, ShownDialogue)


def _message(entry: ReadingEntry) -> ShownMessage:
    return ShownMessage(entry.turn, (entry.record.detail.assistant or "")[:SHOWN], entry.record.user_message[:SHOWN])


def _reading(entry: ReadingEntry) -> ShownReading:
    return ShownReading(
        turn=entry.turn,
        told=tuple(own[:SHOWN] for own in say_events(entry)),
        unread=tuple(own[:SHOWN] for own in entry.record.detail.unread),
        correct=None if entry.score is None else entry.score.correct,
        worth=say_score(entry.score),
    )
