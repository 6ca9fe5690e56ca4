"""Readings in the form that the scorer of the recorded dialogues reads (`score_sgd.py`), and one for messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kinds.readings.record import TakenEvent


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
