"""Runs of readings for other programs: Parquet rows, one for each message that was read, and what was read of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.record import Usage, total
from holdtrue.wire import plain_fields
from holdtrue_lab.kinds.readings.entry import ReadingEntry
from holdtrue_lab.kit.flat import COSTS, FlatRows, solver, spent


@dataclass(frozen=True, slots=True)
class _Message:
    folder: Path
    entry: ReadingEntry

    @property
    def readings(self) -> str:
        """The readings as JSON."""
        return json.dumps(self.entry.record.readings, default=plain_fields)

    @property
    def usage(self) -> Usage:
        return total(call.usage for call in self.entry.record.extraction)


def _messages(folder: Path, turns: Sequence[ReadingEntry]) -> Iterator[_Message]:
    return (_Message(folder, entry) for entry in turns)


MESSAGES = FlatRows(
    ReadingEntry,
    {
        "run": (str, "folder"),
        "suite": (str, "entry.suite"),
        "problem": (str, "entry.problem"),
        "domain": (str, "entry.domain"),
        "kind": (str, "entry.score.kind"),
        "style": (str, "entry.score.style"),
        "family": (str, "entry.score.family"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "message": (str, "entry.record.user_message"),
        "readings": (str, "readings"),
        "correct": (bool, "entry.score.correct"),
        "with_doubtful": (bool, "entry.score.with_doubtful"),
        "right": (int, "entry.score.right"),
        "wrong": (int, "entry.score.wrong"),
        "gold": (int, "entry.score.gold"),
        "missed": (str, "entry.score.missed"),
        **spent("usage", *COSTS),
        **solver("entry.record"),
    },
    _messages,
)


def predict(entries: Iterable[ReadingEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the constraints of each message by the status of their readings, written as they are in its file."""
    for entry in entries:
        yield {"id": entry.problem, **{status: _stated(entry, status) for status in ("accepted", "doubtful")}}


def _stated(entry: ReadingEntry, status: str) -> list[list[str | int]]:
    found = (own for own in entry.record.readings if own.status == status and own.act != "withdraws")
    return [[own.type, *own.args] for own in found if own.type is not None]
