"""The ledger of slots: which value each slot of an app has, who said so, and what became of it.

A reader says that a slot is set, freed or dropped; what that does is decided here. Another value for a slot that has
one amends it, whether or not the user says "instead"; the same value again restates it; a freed slot may have any
value; a dropped one is as if nothing had been said. A slot may also have limits: a least or greatest value, or values
that it must not have. Of a value and a limit that exclude each other, the newer one stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date as calendar

from holdtrue.ledger.entries import Entries, Event, EventKind, Source
from holdtrue.logic.value_sorts import WEEKDAYS
from holdtrue.record import SlotRelation

SlotContent = str | int | float | bool
_LOW, _HIGH = frozenset({"at_least", "more_than"}), frozenset({"at_most", "less_than"})
_IN_WORDS: Mapping[SlotRelation, str] = {
    "is": "is",
    "not": "is not",
    "at_least": "is at least",
    "at_most": "is at most",
    "more_than": "is more than",
    "less_than": "is less than",
}


@dataclass(frozen=True, slots=True)
class SlotEntry:
    """A `SlotEntry` is what was said of a slot; `quote` is how, and `source` by whom.

    Its `value` is None where any will do. `relation` says whether the slot `is` the value, is `not`, or on which side
    of it.
    """

    id: str
    slot: str
    value: SlotContent | None
    quote: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0
    relation: SlotRelation = "is"

    @property
    def sentence(self) -> str:
        """Return the entry in words."""
        if self.value is None:
            return f"{self.slot} may be anything"
        return f"{self.slot} {_IN_WORDS[self.relation]} {self.value}"

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the slot and its value; a limit has its relation before it."""
        if self.value is None:
            return self.slot, ()
        value = self.value if isinstance(self.value, int) else str(self.value)
        return self.slot, (value,) if self.relation == "is" else (self.relation, value)

    def allows(self, value: SlotContent) -> bool:
        """Return whether a slot of which this was said can be a value; values of two types are not compared."""
        if self.value is None:
            return True
        if self.relation in ("is", "not"):
            return (_same(self.value, value) or _falls_on(self.value, value)) is (self.relation == "is")
        if not _are_ordered(self.value, value):
            return True
        low, high = (self.value, value) if self.relation in ("at_least", "more_than") else (value, self.value)
        strict = self.relation in ("more_than", "less_than")
        ordered: bool = low < high if strict else low <= high  # type: ignore[operator]
        return ordered


class SlotLedger(Entries[SlotEntry]):
    """The slots of one conversation. It only records: whether a reading is sure enough is decided before."""

    def __init__(self, events: Iterable[Event[SlotEntry]] = ()) -> None:
        self._by_slot: dict[str, tuple[SlotEntry, ...]] = {}
        """What holds of each slot: what is amended again and again leaves holes in a mapping of all that holds."""
        self._latest: dict[tuple[str, SlotRelation | None], int] = {}
        super().__init__(events)

    def _enter(self, entry: SlotEntry) -> None:
        self._by_slot[entry.slot] = (*self._by_slot.get(entry.slot, ()), entry)
        self._note(entry)

    def _restate(self, event: Event[SlotEntry]) -> None:
        super()._restate(event)
        self._note(event.entry)
        own = self._by_slot[event.entry.slot]
        self._by_slot[event.entry.slot] = tuple(event.entry if each.id == event.entry.id else each for each in own)

    def _leave(self, entry: SlotEntry) -> None:
        self._by_slot[entry.slot] = tuple(own for own in self._by_slot[entry.slot] if own.id != entry.id)

    @property
    def values(self) -> dict[str, SlotContent]:
        """Return the values that hold, by slot, in the order in which they were set; freed slots have none."""
        return {own.slot: own.value for own in self.active.values() if own.value is not None and own.relation == "is"}

    @property
    def by_slot(self) -> Mapping[str, SlotEntry]:
        """Return the active entries that are no limits, by slot, freed ones too."""
        return {entry.slot: entry for entry in self.active.values() if entry.relation == "is"}

    def set(
        self,
        slot: str,
        value: SlotContent,
        turn: int,
        *,
        quote: str = "",
        source: Source = Source.USER,
        confidence: float = 1.0,
        relation: SlotRelation = "is",
    ) -> Event[SlotEntry]:
        """Set a slot or a limit of it, and return what that did: `added`, `restated`, or in the place of another.

        Where others give way, their entries are `amended` first, and the event that adds the new one names them in
        `because`.
        """
        new = SlotEntry(self._next_id, slot, value, quote, turn, source, confidence, relation)
        before = self._of(slot)
        same = next((own for own in before if _says_the_same(own, new)), None)
        if same is not None:
            return self.append(Event(EventKind.RESTATED, turn, _restated(same, new)))
        old = [own for own in before if _gives_way(own, new)]
        for own in old:
            self.append(Event(EventKind.AMENDED, turn, own, None, (new.id,)))
        return self.append(Event(EventKind.ADDED, turn, new, None, tuple(own.id for own in old)))

    def free(self, slot: str, turn: int, *, quote: str = "", confidence: float = 1.0) -> Event[SlotEntry]:
        """Free a slot: its value and its limits, if it has any, are withdrawn, and any will do."""
        old = self.by_slot.get(slot)
        if old is not None and old.value is None:
            return self.append(Event(EventKind.RESTATED, turn, old))
        for own in self._of(slot):
            self.append(Event(EventKind.WITHDRAWN, turn, own, "any value will do"))
        new = SlotEntry(self._next_id, slot, None, quote, turn, Source.USER, confidence)
        return self.append(Event(EventKind.ADDED, turn, new))

    def drop(self, slot: str, turn: int) -> Event[SlotEntry] | None:
        """Withdraw what was said of a slot, and return the last event of it; None where nothing was."""
        done = None
        for own in self._of(slot):
            done = self.append(Event(EventKind.WITHDRAWN, turn, own))
        return done

    def latest_turn(self, slot: str, *relations: SlotRelation | None) -> int:
        """Return the last turn in which such a thing was said of a slot, whether or not it holds; 0 if none was.

        A relation of None asks for the turn in which any value would do.
        """
        return max((self._latest.get((slot, own), 0) for own in relations), default=0)

    def _note(self, entry: SlotEntry) -> None:
        key = entry.slot, None if entry.value is None else entry.relation
        self._latest[key] = max(entry.turn, self._latest.get(key, 0))

    def _of(self, slot: str) -> tuple[SlotEntry, ...]:
        return self._by_slot.get(slot, ())

    @property
    def _next_id(self) -> str:
        return f"S{len(self.known) + 1:03d}"


def _restated(old: SlotEntry, new: SlotEntry) -> SlotEntry:
    """Return an entry that was said again: it is as sure as the surer of both, and in the words of the later one.

    What an assistant offers again does not take the place of the user's own words.
    """
    sure = max(old.confidence, new.confidence)
    if old.source is Source.USER and new.source is not Source.USER:
        return replace(old, confidence=sure)
    return replace(old, turn=new.turn, quote=new.quote or old.quote, source=new.source, confidence=sure)


def _says_the_same(old: SlotEntry, new: SlotEntry) -> bool:
    return old.relation == new.relation and new.value is not None and _same(old.value, new.value)


def _gives_way(old: SlotEntry, new: SlotEntry) -> bool:
    """Return whether an entry cannot stay beside a newer one of its slot."""
    if old.value is None or new.value is None:
        return True
    if old.relation == new.relation:
        return old.relation != "not"
    if {old.relation, new.relation} in (_LOW, _HIGH):
        return True
    if new.relation == "is":
        return not old.allows(new.value)
    if old.relation == "is":
        return not new.allows(old.value)
    return _leave_nothing(old, new)


def _leave_nothing(one: SlotEntry, other: SlotEntry) -> bool:
    """Return whether no value keeps two limits on opposite sides."""
    if not {one.relation, other.relation} <= _LOW | _HIGH or one.value is None or other.value is None:
        return False
    low, high = (one, other) if one.relation in _LOW else (other, one)
    assert low.value is not None and high.value is not None
    return not low.allows(high.value) or not high.allows(low.value)


def _falls_on(day: SlotContent, date: SlotContent) -> bool:
    """Return whether a date is on a day of the week."""
    if day not in WEEKDAYS or not isinstance(date, str):
        return False
    try:
        return calendar.fromisoformat(date).toordinal() % 7 == WEEKDAYS.index(str(day))
    except ValueError:
        return False


def _are_ordered(one: SlotContent, other: SlotContent) -> bool:
    numbers = (int, float)
    if isinstance(one, str) and isinstance(other, str):
        return len(one) == len(other)  # Dates and times of day, as JSON writes them.
    return isinstance(one, numbers) and isinstance(other, numbers)


def _same(one: SlotContent | None, other: SlotContent) -> bool:
    """Return whether two values are one, however a text is written."""
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
    return one == other and isinstance(one, bool) == isinstance(other, bool)
