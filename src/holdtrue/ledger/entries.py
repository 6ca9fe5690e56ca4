"""The one ledger: an append-only list of events about entries, and the entries that hold after them.

An entry is something that a conversation is committed to: a constraint (`commitment`), what a label says of a query
(`beliefs`), or a sentence (`Statements`). Each of these has a subclass of `Entries`, and policies of its own that
decide what enters and what gives way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

from holdtrue.record import EventRecord


class Source(StrEnum):
    """A `Source` says who committed the conversation to something."""

    USER = "user"
    ASSISTANT = "assistant"
    CONTEXT = "context"


class EventKind(StrEnum):
    """An `EventKind` says what happened to an entry.

    `added` and `reinstated` make it active. `withdrawn` (by the user), `amended` (replaced by another entry) and
    `set_aside` (by revision, because of others) make it inactive. `restated` means that it was said again, and
    `rejected` that it never became active.
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
    """Every `Entry` has an id, a sentence, the turn in which it was said, by whom, and how surely (0..1)."""

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
        """The content as a type with arguments, for records; None and () for an entry that is only a sentence."""
        ...


AnyEntry = TypeVar("AnyEntry", bound=Entry)


@dataclass(frozen=True, slots=True)
class Event(Generic[AnyEntry]):
    """Something that happened to an entry; no event is ever edited. `because` names the entries that forced it."""

    kind: EventKind
    turn: int
    entry: AnyEntry
    reason: str | None = None
    because: tuple[str, ...] = ()

    def record(self) -> EventRecord:
        """Return the event as records have it."""
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
    """The events of one conversation, and the entries that are known, active or set aside after them."""

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
        """Every entry that was ever proposed, by id, active or not."""
        return self._known

    @property
    def active(self) -> Mapping[str, AnyEntry]:
        """The entries that hold now, by id, in the order in which they entered."""
        return self._active

    @property
    def set_aside(self) -> Mapping[str, AnyEntry]:
        """The entries that revision set aside and that have not come back, by id, the oldest first."""
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
            # What is set aside can be withdrawn too.
            if self._active.pop(entry.id, None) is not None:
                self._leave(entry)
            if event.kind is EventKind.SET_ASIDE:
                self._set_aside[entry.id] = event.because
        return event

    def _enter(self, entry: AnyEntry) -> None:
        """Update what a subclass keeps when an entry becomes active."""

    def _restate(self, event: Event[AnyEntry]) -> None:
        """Update what a subclass keeps when an active entry is said again."""
        self._active[event.entry.id] = self._known[event.entry.id] = event.entry

    def _leave(self, entry: AnyEntry) -> None:
        """Update what a subclass keeps when an entry becomes inactive."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that somebody said; `id` is P1 of a context, U2.1 of the user, T1.C3 of an answer."""

    id: str
    sentence: str
    turn: int
    source: Source
    confidence: float = 1.0

    @property
    def content(self) -> tuple[None, tuple[()]]:
        """The content is the sentence alone; its formula is found when claims are tested."""
        return None, ()


class Statements(Entries[Statement]):
    """`Statements` are what was said in a conversation about claims, and by whom."""

    def add(self, id: str, sentence: str, turn: int, source: Source) -> Event[Statement]:
        """Add a sentence that was said."""
        return self.append(Event(EventKind.ADDED, turn, Statement(id, sentence, turn, source)))

    def end(self, kind: EventKind, id: str, turn: int, because: tuple[str, ...] = ()) -> Event[Statement]:
        """End a statement, because the user withdrew or replaced it, or because it gave way to others."""
        return self.append(Event(kind, turn, self.active[id], None, because))

    @property
    def taken_back(self) -> tuple[str, ...]:
        """Return the sentences that the user took back and did not say again."""
        held = {entry.sentence for entry in self.active.values()}
        ended = (EventKind.WITHDRAWN, EventKind.AMENDED)
        gone = (event.entry.sentence for event in self.events if event.kind in ended)
        return tuple(dict.fromkeys(sentence for sentence in gone if sentence not in held))

    def sentences(self, *sources: Source) -> dict[str, str]:
        """Return the active sentences of these sources, by id."""
        return {id: entry.sentence for id, entry in self.active.items() if entry.source in sources}
