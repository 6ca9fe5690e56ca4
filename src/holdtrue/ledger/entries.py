"""This module has the base of all ledgers: an append-only list of events, and the entries that are active after them.

A conversation is committed to its entries, which are constraints (`ledger`), beliefs (`beliefs`), words about a request
(`requests`) or sentences (`Statements`). Each has a subclass of `Entries`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

from holdtrue.record import EventRecord


class Source(StrEnum):
    """A `Source` says who stated an entry."""

    USER = "user"
    ASSISTANT = "assistant"
    CONTEXT = "context"


class EventKind(StrEnum):
    """An `EventKind` is a kind of change of an entry.

    `added` and `reinstated` make the entry active. `withdrawn` (by the user), `amended` (replaced by another entry) and
    `set_aside` (by revision, because of others) make the entry inactive. `restated` means a repeated statement of an
    active entry, and `rejected` a new entry that did not become active.
    """

    ADDED = "added"
    RESTATED = "restated"
    AMENDED = "amended"
    WITHDRAWN = "withdrawn"
    SET_ASIDE = "set_aside"
    REINSTATED = "reinstated"
    REJECTED = "rejected"


ENTERS = frozenset({EventKind.ADDED, EventKind.REINSTATED})
LEAVES = frozenset({EventKind.WITHDRAWN, EventKind.AMENDED, EventKind.SET_ASIDE})


class Entry(Protocol):
    """An `Entry` has an id, a sentence, its turn, its source, and a confidence in 0..1."""

    @property
    def id(self) -> str: ...

    @property
    def sentence(self) -> str: ...

    @property
    def turn(self) -> int: ...

    @property
    def source(self) -> Source: ...

    @property
    def confidence(self) -> float: ...

    @property
    def content(self) -> tuple[str | None, tuple[str | int, ...]]:
        """Return a type with arguments for records, or None and () for an entry that is only a sentence."""
        ...


AnyEntry = TypeVar("AnyEntry", bound=Entry)


@dataclass(frozen=True, slots=True)
class Event(Generic[AnyEntry]):
    """An `Event` is a change of an entry, and is never edited. `because` names the entries that caused the event."""

    kind: EventKind
    turn: int
    entry: AnyEntry
    reason: str | None = None
    because: tuple[str, ...] = ()

    def record(self) -> EventRecord:
        """Return the event for a record."""
        type, args = self.entry.content
        return EventRecord(
            kind=self.kind.value,
            id=self.entry.id,
            turn=self.turn,
            type=type,
            args=args,
            sentence=self.entry.sentence,
            source=self.entry.source.value,
            confidence=self.entry.confidence,
            reason=self.reason,
            because=self.because,
        )


class Entries(Generic[AnyEntry]):
    """An `Entries` has the events of one conversation, and its known, active and set aside entries."""

    def __init__(self, events: Iterable[Event[AnyEntry]] = ()) -> None:
        self.events: list[Event[AnyEntry]] = []
        self._known: dict[str, AnyEntry] = {}
        self._active: dict[str, AnyEntry] = {}
        self._set_aside: dict[str, tuple[str, ...]] = {}
        for event in events:
            self.append(event)

    def fork(self) -> Self:
        """Return an independent copy."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(twin, name, value.copy())
        return twin

    @property
    def known(self) -> Mapping[str, AnyEntry]:
        """Return every entry that was ever proposed, by id."""
        return self._known

    @property
    def active(self) -> Mapping[str, AnyEntry]:
        """Return the active entries by id, in the order in which they entered."""
        return self._active

    @property
    def set_aside(self) -> Mapping[str, AnyEntry]:
        """Return the entries that revision set aside and that have not come back, by id, the oldest first."""
        return {id: entry for id, entry in self._known.items() if id in self._set_aside} if self._set_aside else {}

    def append(self, event: Event[AnyEntry]) -> Event[AnyEntry]:
        """Append an event without any check, and return it."""
        entry = event.entry
        self.events.append(event)
        self._known.setdefault(entry.id, entry)
        self._set_aside.pop(entry.id, None)
        if event.kind in ENTERS:
            self._active[entry.id] = self._known[entry.id] = entry
            self._enter(entry)
        elif event.kind is EventKind.RESTATED:
            self._restate(event)
        elif event.kind in LEAVES:
            # The user can also withdraw an entry that is set aside.
            if self._active.pop(entry.id, None) is not None:
                self._leave(entry)
            if event.kind is EventKind.SET_ASIDE:
                self._set_aside[entry.id] = event.because
        return event

    def _enter(self, entry: AnyEntry) -> None:
        """Update the state of a subclass when an entry becomes active."""

    def _restate(self, event: Event[AnyEntry]) -> None:
        """Update the entry when it is stated again."""
        self._active[event.entry.id] = self._known[event.entry.id] = event.entry

    def _leave(self, entry: AnyEntry) -> None:
        """Update the state of a subclass when an entry becomes inactive."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A `Statement` is a sentence from a context (with an `id` such as P1), a user (U2.1) or an answer (T1.C3)."""

    id: str
    sentence: str
    turn: int
    source: Source
    confidence: float = 1.0

    @property
    def content(self) -> tuple[None, tuple[()]]:
        """Return no type and no arguments."""
        return None, ()


class Statements(Entries[Statement]):
    """A `Statements` has the sentences of a conversation about claims."""

    def add(self, id: str, sentence: str, turn: int, source: Source) -> Event[Statement]:
        """Add a sentence."""
        return self.append(Event(EventKind.ADDED, turn, Statement(id, sentence, turn, source)))

    def end(self, kind: EventKind, id: str, turn: int, because: tuple[str, ...] = ()) -> Event[Statement]:
        """Make a statement inactive, because the user withdrew or replaced it, or because it gave way to others."""
        return self.append(Event(kind, turn, self.active[id], None, because))

    @property
    def taken_back(self) -> tuple[str, ...]:
        """Return the sentences that the user withdrew or replaced, and that are not active."""
        held = {entry.sentence for entry in self.active.values()}
        ended = (EventKind.WITHDRAWN, EventKind.AMENDED)
        gone = (event.entry.sentence for event in self.events if event.kind in ended)
        return tuple(dict.fromkeys(sentence for sentence in gone if sentence not in held))

    def sentences(self, *sources: Source) -> dict[str, str]:
        """Return the active sentences of these sources, by id."""
        return {id: entry.sentence for id, entry in self.active.items() if entry.source in sources}
