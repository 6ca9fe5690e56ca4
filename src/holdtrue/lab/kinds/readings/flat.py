"""Runs of readings for other programs: Parquet rows, one for each message that was read, and the forms of scorers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.readings.entry import ReadingEntry, TakenEvent
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


def predict(entries: Iterable[ReadingEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield what was read in each dialogue, with its messages counted from 0, or in each message by itself.

    The constraints of the latter are written as they are in its file, by the status of their readings.
    """
    turns: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        if entry.score is not None and entry.score.item is not None:
            yield {"id": entry.problem, **{status: _stated(entry, status) for status in ("accepted", "doubtful")}}
            continue
        detail = entry.record.detail
        events = [_event(own) for own in detail.events]
        turn = {"turn": entry.turn - 1, "events": events, "ledger": dict(detail.ledger)}
        turns.setdefault(entry.problem, []).append(turn)
    for problem, found in turns.items():
        yield {"id": problem, "turns": found, "calls": []}


def _stated(entry: ReadingEntry, status: str) -> list[list[str | int]]:
    found = (own for own in entry.record.readings if own.status == status and own.act != "withdraws")
    return [[own.type, *own.args] for own in found if own.type is not None]


def _event(own: TakenEvent) -> Mapping[str, Any]:
    service, _, slot = own.slot.rpartition(".")
    found = {"kind": own.kind, "service": service, "slot": slot}
    return found if own.value is None else {**found, "value": own.value}
