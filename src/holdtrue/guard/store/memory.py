"""A `MemoryStore` is for tests, and for conversations that end with their process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.errors import InputError, StoreConflict
from holdtrue.guard.json_values import is_large
from holdtrue.guard.moment_texts import utc_now
from holdtrue.guard.store.event import (
    ERASED,
    FIRST,
    Before,
    Kept,
    NewEvent,
    StoredEvent,
    chained,
    check_names,
    place_of,
    tombstone,
    written,
)


class MemoryStore:
    """A `MemoryStore` keeps events in memory."""

    def __init__(self) -> None:
        self._events: dict[tuple[str, str], list[StoredEvent]] = {}
        self._lock = threading.Lock()

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        """Append events after number `after`; see `Store`."""
        check_names(tenant, conversation)
        if is_large([own.body for own in events]):
            return await asyncio.to_thread(self._append, tenant, conversation, after, events)
        return self._append(tenant, conversation, after, events)

    def _append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        found, behind = tuple[StoredEvent, ...](), ""
        while True:
            with self._lock:
                own = self._events.setdefault((tenant, conversation), [])
                last = own[-1].seq if own else 0
                if last != after or (own and own[-1].kind == ERASED):
                    raise conflict(tenant, conversation, after, last, erased=bool(own) and own[-1].kind == ERASED)
                prev = own[-1].hash if own else FIRST
                if behind == prev:
                    own.extend(found)
                    return found
            # Hashes are computed without the lock.
            found, behind = chained(tenant, conversation, after, prev, events), prev

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation after number `after`; see `Store`."""
        with self._lock:
            return tuple(own for own in self._events.get((tenant, conversation), ()) if own.seq > after)

    async def conversations(self, tenant: str | None = None) -> tuple[Kept, ...]:
        """Return the stored conversations; see `Store`."""
        with self._lock:
            kept = sorted(own for own in self._events if self._events[own] and tenant in (None, own[0]))
            return tuple(_kept(self._events[own]) for own in kept)

    async def recent(
        self, tenant: str | None, *, containing: str = "", before: Before | None = None, most: int = 50
    ) -> tuple[Kept, ...]:
        """Return the conversations with the newest events; see `Store`."""
        wanted = lowered(containing)
        with self._lock:
            found = [_kept(own) for key, own in self._events.items() if own and tenant in (None, key[0])]
            found = [own for own in found if before is None or place_of(own) < before]
            texts = {
                place_of(own): (own.conversation, *(each.body for each in self._events[own.tenant, own.conversation]))
                for own in found
            }
        alike = [own for own in found if any(wanted in lowered(text) for text in texts[place_of(own)])]
        return tuple(sorted(alike, key=place_of, reverse=True)[:most])

    async def conversation_with(self, tenant: str, kind: str, body: Mapping[str, Any]) -> str | None:
        """Return the conversation that has an event; see `Store`."""
        text = written(body)
        with self._lock:
            found = [
                (each.at, own[1])
                for own, events in self._events.items()
                for each in events
                if (own[0], each.kind, each.body) == (tenant, kind, text)
            ]
        return max(found)[1] if found else None

    async def erase(self, tenant: str, conversation: str, reason: str) -> StoredEvent:
        """Erase a conversation except for a tombstone; see `Store`."""
        with self._lock:
            own = self._events.get((tenant, conversation))
            if not own:
                raise InputError(f"there is no conversation {conversation!r} of tenant {tenant!r} to erase")
            if own[-1].kind != ERASED:
                own[:] = [tombstone(tenant, conversation, own[-1], reason, utc_now())]
            return own[-1]

    async def aclose(self) -> None:
        """Do nothing: the events live as long as the store."""


def lowered(text: str) -> str:
    """Return a text with its ASCII letters in lower case, which is what SQLite compares."""
    return text.translate(_LOWER)


_LOWER = {own: own + 32 for own in range(ord("A"), ord("Z") + 1)}


def _kept(events: Sequence[StoredEvent]) -> Kept:
    last = events[-1]
    return Kept(last.tenant, last.conversation, len(events), last.at, last.kind == ERASED)


def conflict(tenant: str, conversation: str, after: int, last: int, *, erased: bool) -> StoreConflict:
    """Return the error for an append after an event that is not the last one."""
    name = f"conversation {conversation!r}" + (f" of tenant {tenant!r}" if tenant else "")
    if erased:
        return StoreConflict(f"{name} was erased, and nothing can be written to it")
    return StoreConflict(
        f"{name} has {last} events, and not {after}: somebody else has written to it meanwhile. "
        "Nothing was written; what they wrote is read now, so do it again"
    )
