"""The ledger of slots: which value each slot of an app has, who said so, and what became of it.

A reader says that a slot is set, freed or dropped; what that does is decided here. Another value for a slot that has
one amends it, whether or not the user says "instead"; the same value again restates it; a freed slot may have any
value; a dropped one is as if nothing had been said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.ledger.entries import Entries, Event, EventKind, Source

SlotContent = str | int | float | bool


@dataclass(frozen=True, slots=True)
class SlotEntry:
    """A `SlotEntry` is the value of a slot, None where any will do; `quote` is what was said, and `source` by whom."""

    id: str
    slot: str
    value: SlotContent | None
    quote: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0

    @property
    def sentence(self) -> str:
        """Return the entry in words."""
        return f"{self.slot} may be anything" if self.value is None else f"{self.slot} is {self.value}"

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the slot and its value."""
        return self.slot, () if self.value is None else (
            self.value if isinstance(self.value, int) else str(self.value),
        )


class SlotLedger(Entries[SlotEntry]):
    """The slots of one conversation. It only records: whether a reading is sure enough is decided before."""

    @property
    def values(self) -> dict[str, SlotContent]:
        """Return the values that hold, by slot, in the order in which they were set; freed slots have none."""
        return {entry.slot: entry.value for entry in self.active.values() if entry.value is not None}

    @property
    def by_slot(self) -> Mapping[str, SlotEntry]:
        """Return the active entries by slot, freed ones too."""
        return {entry.slot: entry for entry in self.active.values()}

    def set(
        self,
        slot: str,
        value: SlotContent,
        turn: int,
        *,
        quote: str = "",
        source: Source = Source.USER,
        confidence: float = 1.0,
    ) -> Event[SlotEntry]:
        """Set a slot, and return what that did: it was `added`, or `restated`, or it took the place of another value.

        Where another value gives way, its entry is `amended` first, and the event that adds the new one names it in
        `because`.
        """
        old = self.by_slot.get(slot)
        if old is not None and _same(old.value, value):
            return self.append(Event(EventKind.RESTATED, turn, old))
        new = SlotEntry(self._next_id, slot, value, quote, turn, source, confidence)
        if old is None:
            return self.append(Event(EventKind.ADDED, turn, new))
        self.append(Event(EventKind.AMENDED, turn, old, None, (new.id,)))
        return self.append(Event(EventKind.ADDED, turn, new, None, (old.id,)))

    def free(self, slot: str, turn: int, *, quote: str = "", confidence: float = 1.0) -> Event[SlotEntry]:
        """Free a slot: its value, if it has one, is withdrawn, and any will do."""
        old = self.by_slot.get(slot)
        if old is not None and old.value is None:
            return self.append(Event(EventKind.RESTATED, turn, old))
        if old is not None:
            self.append(Event(EventKind.WITHDRAWN, turn, old, "any value will do"))
        new = SlotEntry(self._next_id, slot, None, quote, turn, Source.USER, confidence)
        return self.append(Event(EventKind.ADDED, turn, new))

    def drop(self, slot: str, turn: int) -> Event[SlotEntry] | None:
        """Withdraw what a slot has; None where it has nothing."""
        old = self.by_slot.get(slot)
        return None if old is None else self.append(Event(EventKind.WITHDRAWN, turn, old))

    @property
    def _next_id(self) -> str:
        return f"S{len(self.known) + 1:03d}"


def _same(one: SlotContent | None, other: SlotContent) -> bool:
    """Return whether two values are one, however a text is written."""
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
    return one == other and isinstance(one, bool) == isinstance(other, bool)
