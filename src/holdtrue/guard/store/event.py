"""The events of conversations as a store keeps them, and the chain of hashes that shows that none was changed."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from holdtrue.errors import InputError, StoreError

FIRST = "0" * 64
"""The hash that the first event of a conversation follows."""
ERASED = "erased"
"""The kind of the one event that is left of an erased conversation."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """Something that happened in a conversation, before it is written down; `body` is JSON."""

    kind: str
    body: Mapping[str, Any]
    at: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as a store has it.

    Attributes:
        seq: Its number in its conversation, from 1.
        at: When it was written down (ISO 8601, UTC).
        body: JSON as text, as it was written.
        prev: The hash of the event before it.
        hash: The hash of all that, of `prev` too.
    """

    tenant: str
    conversation: str
    seq: int
    at: str
    kind: str
    body: str
    prev: str
    hash: str

    @property
    def content(self) -> dict[str, Any]:
        """Return the body as values."""
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass(frozen=True, slots=True)
class Kept:
    """A `Kept` says what a store has of one conversation; an `erased` one has only its tombstone."""

    tenant: str
    conversation: str
    events: int
    last_at: str
    erased: bool


class Store(Protocol):
    """A `Store` keeps the events of conversations in their order. All its methods may be called from any task."""

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        """Keep events behind the one with number `after`, all or none, and return them once they are kept.

        Raises `StoreConflict` where that is not the last one, for another process has written meanwhile, and
        `StoreError` where they cannot be kept.
        """
        ...

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation behind number `after`, in order; none where there is none."""
        ...

    async def conversations(self, tenant: str | None = None) -> tuple[Kept, ...]:
        """Return what is kept, of one tenant or of all."""
        ...

    async def erase(self, tenant: str, conversation: str, reason: str) -> StoredEvent:
        """Erase the events of a conversation but for a tombstone, which says how many there were, and return that.

        Raises `InputError` where there is nothing to erase.
        """
        ...

    async def aclose(self) -> None:
        """Wait until all is kept that was given, and release the store."""
        ...


def chained(
    tenant: str, conversation: str, after: int, prev: str, events: Iterable[NewEvent], key: bytes = b""
) -> tuple[StoredEvent, ...]:
    """Return events with their numbers and hashes, made with a key if there is one, behind a number and a hash."""
    found = []
    for seq, own in enumerate(events, after + 1):
        body = written(own.body)
        hash = event_hash(tenant, conversation, seq, own.at, own.kind, body, prev, key)
        found.append(StoredEvent(tenant, conversation, seq, own.at, own.kind, body, prev, hash))
        prev = hash
    return tuple(found)


def written(body: Mapping[str, Any]) -> str:
    """Return a body as JSON; half a character, which no file can hold, is written as its number."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":"), default=str)
    return text


def event_hash(
    tenant: str, conversation: str, seq: int, at: str, kind: str, body: str, prev: str, key: bytes = b""
) -> str:
    """Return the hash of an event; each part is written with its length, so no two events have the same text.

    It is SHA-256, and HMAC-SHA256 with a key: who has not the key cannot make the hash of an event they changed.
    """
    parts = (tenant, conversation, str(seq), at, kind, body, prev)
    text = "".join(f"{len(own)}:{own}" for own in parts).encode("utf-8", "surrogatepass")
    return hmac.digest(key, text, "sha256").hex() if key else hashlib.sha256(text).hexdigest()


def tombstone(tenant: str, conversation: str, last: StoredEvent, reason: str, at: str, key: bytes = b"") -> StoredEvent:
    """Return what is left of an erased conversation."""
    event = NewEvent(ERASED, {"events": last.seq, "reason": reason}, at)
    return chained(tenant, conversation, last.seq, last.hash, (event,), key)[0]


def check_names(tenant: str, conversation: str) -> None:
    """Raise `InputError` for a tenant or a conversation without a name, or with one that no store can hold."""
    for what, name in (("tenant", tenant), ("conversation", conversation)):
        given: Any = name
        if not isinstance(given, str) or (what == "conversation" and not name) or len(name) > 500:
            raise InputError(f"the name of a {what} is a text of 1 to 500 characters, not {given!r:.60}")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(f"the name of the {what} has half a character: {name!r:.60}") from None


def key_of(store: object) -> bytes:
    """Return the key that the hashes of a store are made with, b"" where it has none."""
    found = getattr(store, "key", b"")
    return found if isinstance(found, bytes) else b""


def chain_fault(events: Sequence[StoredEvent], key: bytes = b"") -> str | None:
    """Return what is wrong with the chain of a conversation, naming the event, or None where it is whole."""
    prev, seq = FIRST, 0
    for own in events:
        if own.kind == ERASED and own is events[0]:
            prev, seq = own.prev, own.seq - 1  # What was before it is erased.
        if own.seq != seq + 1:
            return f"event {seq + 1} is missing: event {own.seq} follows event {seq}"
        if own.prev != prev:
            return f"event {own.seq} does not follow the event before it: its prev is another hash"
        hash = event_hash(own.tenant, own.conversation, own.seq, own.at, own.kind, own.body, own.prev, key)
        if hash != own.hash:
            return f"event {own.seq} was changed: it has not the hash that it is kept with"
        prev, seq = own.hash, own.seq
    return None


def store_error(what: str, error: BaseException) -> StoreError:
    """Return the error of a store that cannot do something."""
    return StoreError(f"{what}: {str(error) or type(error).__name__}")
