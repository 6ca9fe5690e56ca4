"""The *coverage* of a verdict: the share of the users' sentences that was read, and so checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.record import ReadingRecord, TurnRecord
from holdtrue.wire import plain_fields

_LONGEST = 200  # characters of a quoted sentence
_NO_REASON = "no reason is told"


@dataclass(frozen=True, slots=True)
class Unread:
    """A sentence that was not read, or only in part, with the reason. The verdict does not cover it."""

    sentence: str
    reason: str

    def __str__(self) -> str:
        said = self.sentence
        shown = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 3]}..."
        return f'"{shown}" ({self.reason.rstrip(".")})'


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one turn's verdict.

    `agreed` counts the active commitments, and `read` the sentences of this turn's message that were read. `unread`
    lists its sentences that were not read, or only in part. `doubtful` lists the ones read without confidence.
    `earlier` counts the unread sentences of earlier messages.
    """

    agreed: int
    read: int = 0
    unread: tuple[Unread, ...] = ()
    doubtful: tuple[Unread, ...] = ()
    earlier: int = 0

    @property
    def nothing_read(self) -> bool:
        """Return whether the message has unread sentences, and none that was read."""
        return bool(self.unread) and not self.read

    @property
    def complete(self) -> bool:
        """Return whether the verdict covers every sentence."""
        return not (self.unread or self.doubtful or self.earlier)

    def gaps(self) -> list[str]:
        """Describe the sentences that the verdict does not cover. Each text can follow a semicolon."""
        gaps = [f"not read: {', '.join(map(str, self.unread))}"] if self.unread else []
        gaps += [f"read with doubt: {', '.join(map(str, self.doubtful))}"] if self.doubtful else []
        one = self.earlier == 1
        return gaps + (
            [f"{self.earlier} earlier sentence{' was' if one else 's were'} not read"] if self.earlier else []
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "agreed": self.agreed,
            "read": self.read,
            "unread": list(map(plain_fields, self.unread)),
            "doubtful": list(map(plain_fields, self.doubtful)),
            "earlier_unread": self.earlier,
        }


def coverage_of(record: TurnRecord[Any, Any]) -> Coverage:
    """Return the coverage of a turn at the time of its answer."""
    readings = (*record.readings, *record.final.readings) if record.attempts else record.readings
    read = {reading.sentence for reading in readings if reading.status == "accepted"}
    return Coverage(
        agreed=len(record.holds),
        read=len(read),
        unread=unread_of(readings),
        doubtful=_with_status(readings, "doubtful"),
        earlier=record.unread_before,
    )


def unread_of(readings: Iterable[ReadingRecord]) -> tuple[Unread, ...]:
    """Return the sentences that were not read, or only in part, each once with its first reason."""
    return _with_status(readings, "rejected")


def _with_status(readings: Iterable[ReadingRecord], status: str) -> tuple[Unread, ...]:
    found: dict[str, Unread] = {}
    for reading in readings:
        if reading.status == status:
            found.setdefault(reading.sentence, Unread(reading.sentence, reading.reason or _NO_REASON))
    return tuple(found.values())


def describe_kept(coverage: Coverage | None) -> str:
    """Return the verdict on an answer that breaks nothing, limited to the sentences that were read.

    A coverage of None means that the messages are unknown, and that all commitments were given.
    """
    if coverage is None:
        return "The answer keeps every commitment."
    gaps = coverage.gaps()
    if coverage.agreed:
        return f"The answer keeps every commitment{' that was read' if gaps else ''}{_follow(gaps)}."
    if coverage.unread:
        unread, *others = gaps
        return f"Nothing was read: {unread.removeprefix('not read: ')}{_follow(others)}."
    return f"Nothing was agreed so far that could be broken{_follow(gaps)}."


def describe_gaps(coverage: Coverage | None) -> list[str]:
    """Return one sentence for each gap in the coverage."""
    return [] if coverage is None else [f"{gap[0].upper()}{gap[1:]}." for gap in coverage.gaps()]


def _follow(gaps: Sequence[str]) -> str:
    return "".join(f"; {gap}" for gap in gaps)
