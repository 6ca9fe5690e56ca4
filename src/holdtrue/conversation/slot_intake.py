"""Take what was read of slots into their ledger: a value is added or amends another, a slot is freed, or withdrawn."""

from __future__ import annotations

from typing import Literal

from holdtrue.language.reading import Reading
from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.slot_ledger import SlotLedger

Taken = Literal["add", "amend", "waive", "withdraw"]
"""The things that a reading does to a ledger: `amend` where the slot had another value, `waive` where any will do."""


def take_slot(ledger: SlotLedger, reading: Reading, turn: int) -> Taken | None:
    """Let a ledger take a reading about a slot, and return what that did; None where it changes nothing.

    Only what is accepted is taken. An offer of the assistant that the user took up has the assistant for its source.
    """
    if reading.slot is None or reading.status != "accepted":
        return None
    slot, value = reading.slot.slot, reading.slot.value
    if reading.act == "frees":
        freed = ledger.free(slot, turn, quote=reading.sentence, confidence=reading.confidence)
        return "waive" if freed.kind is EventKind.ADDED else None
    if reading.act == "withdraws":
        return None if ledger.drop(slot, turn) is None else "withdraw"
    if value is None:
        return None
    source = Source(reading.source)
    done = ledger.set(
        slot,
        value,
        turn,
        quote=reading.sentence,
        source=source,
        confidence=reading.confidence,
        relation=reading.slot.relation,
    )
    if done.kind is not EventKind.ADDED:
        return None
    return "amend" if done.because else "add"
