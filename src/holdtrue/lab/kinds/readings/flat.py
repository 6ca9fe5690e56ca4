"""The Parquet rows of runs of readings: one for each message that was read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kit.flat import FlatRows, solver
from holdtrue.record import Usage, total
from holdtrue.wire import plain_fields


@dataclass(frozen=True, slots=True)
class _Message:
    folder: Path
    entry: ReadingEntry

    @property
    def events(self) -> str:
        """The events as JSON."""
        return json.dumps(self.entry.record.detail.events, default=plain_fields)

    @property
    def ledger(self) -> str:
        """The ledger after the message as JSON."""
        return json.dumps(dict(self.entry.record.detail.ledger))

    @property
    def readings(self) -> str:
        """The readings of a message that is an item by itself, as JSON."""
        return json.dumps(self.entry.record.readings, default=plain_fields)

    @property
    def usage(self) -> Usage:
        return total(call.usage for call in self.entry.record.extraction)

    @property
    def right(self) -> int | None:
        return self._sum("right")

    @property
    def wrong(self) -> int | None:
        return self._sum("wrong")

    @property
    def gold(self) -> int | None:
        return self._sum("gold")

    def _sum(self, name: str) -> int | None:
        counts: Mapping[str, int] | None = None if self.entry.score is None else getattr(self.entry.score, name)
        return None if counts is None else sum(counts.values())


def _messages(folder: Path, turns: Sequence[ReadingEntry]) -> Iterator[_Message]:
    return (_Message(folder, entry) for entry in turns)


MESSAGES = FlatRows(
    ReadingEntry,
    {
        "run": (str, "folder"),
        "suite": (str, "entry.suite"),
        "problem": (str, "entry.problem"),
        "domain": (str, "entry.domain"),
        "turns": (int, "entry.turns"),
        "turn": (int, "entry.turn"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "assistant": (str, "entry.record.detail.assistant"),
        "message": (str, "entry.record.user_message"),
        "events": (str, "events"),
        "ledger": (str, "ledger"),
        "readings": (str, "readings"),
        "unread": (str, "entry.record.detail.unread"),
        "correct": (bool, "entry.score.correct"),
        "sound": (bool, "entry.score.sound"),
        "right": (int, "right"),
        "wrong": (int, "wrong"),
        "gold": (int, "gold"),
        "item_kind": (str, "entry.score.item.kind"),
        "item_style": (str, "entry.score.item.style"),
        "item_family": (str, "entry.score.item.family"),
        "with_doubtful": (bool, "entry.score.item.with_doubtful"),
        "missed": (str, "entry.score.item.missed"),
        "calls": (int, "usage.calls"),
        "prompt_tokens": (int, "usage.prompt_tokens"),
        "completion_tokens": (int, "usage.completion_tokens"),
        "latency_s": (float, "usage.latency_s"),
        **solver("entry.record"),
    },
    _messages,
)
