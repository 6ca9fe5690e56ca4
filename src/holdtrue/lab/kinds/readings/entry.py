"""The score of a reading, against what its message settles, and the journal entry that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from holdtrue.lab.kinds.readings.record import ReadingTurn
from holdtrue.lab.kit.entry import PlayedEntry
from holdtrue.record import AttemptRecord


@dataclass(frozen=True, slots=True)
class Judged:
    """An event that was read, with its probability, and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """The reading of one message against gold; events of soft sources are left out.

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


@dataclass(frozen=True, slots=True)
class ReadingEntry(PlayedEntry[ReadingScore]):
    """One message of one dialogue under one reader. `problem_lines` name the services, in the first turn alone."""

    record: ReadingTurn
    score: ReadingScore | None
    kind: str = field(default="readings", kw_only=True)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The events, as the ledger took them."""
        return {own.slot: f"{own.kind} {own.value}" for own in self.record.detail.events}

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return False: a message is read once."""
        return False
