"""The messages that the HTML page shows with all their readings: those on which readers differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kinds.readings.report import ReadingReport
from holdtrue_lab.kinds.readings.teller import say_readings, say_score, say_unread
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Side, show_most_telling


@dataclass(frozen=True, slots=True)
class ShownReading:
    """The reading of a message in words, by one side; `correct` says whether it is exact."""

    side: Side
    told: tuple[str, ...]
    unread: tuple[str, ...]
    correct: bool
    worth: str


@dataclass(frozen=True)
class ShownMessage(ProblemOnPage[ReadingEntry]):
    """One message with all readers that read it."""

    @property
    def messages(self) -> tuple[str, ...]:
        """The one message, as it was said."""
        return (self.longest[0].record.user_message[:SHOWN],)

    @cached_property
    def conversations(self) -> list[ShownReading]:
        # Where a message was read again, the last reading is the one that counts.
        return [_reading(side, entries[-1]) for side, entries in self.entries.items()]


def show_messages(report: ReadingReport, number: int) -> list[ShownMessage]:
    """Return at most `number` messages, those on which readers differ most."""
    return show_most_telling(report, number, ReadingEntry, ShownMessage)


def _reading(side: Side, entry: ReadingEntry) -> ShownReading:
    return ShownReading(
        side=side,
        told=tuple(own[:SHOWN] for own in say_readings(entry)),
        unread=tuple(own[:SHOWN] for own in say_unread(entry)),
        correct=entry.score.correct,
        worth=say_score(entry.score),
    )
