"""Readings in the form that the scorer of the recorded dialogues reads (`score_sgd.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.lab.kinds.readings.entry import ReadingEntry
from holdtrue.lab.kinds.readings.record import TakenEvent


def predict(entries: Iterable[ReadingEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield what was read in each dialogue, with its messages counted from 0."""
    turns: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        detail = entry.record.detail
        events = [_event(own) for own in detail.events]
        turn = {"turn": entry.turn - 1, "events": events, "ledger": dict(detail.ledger)}
        turns.setdefault(entry.problem, []).append(turn)
    for problem, found in turns.items():
        yield {"id": problem, "turns": found, "calls": []}


def _event(own: TakenEvent) -> Mapping[str, Any]:
    service, _, slot = own.slot.rpartition(".")
    found = {"kind": own.kind, "service": service, "slot": slot}
    return found if own.value is None else {**found, "value": own.value}
