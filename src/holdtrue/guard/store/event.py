"""This module has the events of conversations, as a store keeps them, and the hash chain that reveals a changed event.

Events can be written as JSON lines, one event a line. Other stores and tools can read these lines.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from holdtrue.errors import InputError, RecordError, StoreError
from holdtrue.guard.result_forms import stopped_note

FIRST = "0" * 64
"""The hash that precedes the first event of a conversation."""
ERASED = "erased"
"""The kind of the only event that remains of an erased conversation."""
ANSWERED = "answered"
"""The kind of the events that name an answer of a conversation by its id. Stores find them quickly."""
Before = tuple[str, str, str]
"""The place of a conversation in the order of the newest: the time of its last event, its tenant and its id."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A `NewEvent` is an event of a conversation that is not stored yet. `body` is JSON."""

    kind: str
    body: Mapping[str, Any]
    at: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A `StoredEvent` is an event in a store.

    Attributes:
        seq: Its number in its conversation, from 1.
        at: The moment of the event (ISO 8601, UTC).
        body: The JSON text of its content, as written.
        prev: The hash of the event before it.
        hash: The hash of all other attributes.
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
    """A `Kept` describes one stored conversation. An `erased` one has only its tombstone."""

    tenant: str
    conversation: str
    events: int
    last_at: str
    erased: bool


def place_of(kept: Kept) -> Before:
    """Return the place of a conversation in the order of the newest."""
    return kept.last_at, kept.tenant, kept.conversation


class Store(Protocol):
    """A `Store` keeps the events of conversations in order. All its methods may be called from any task."""

    async def append(
        self, tenant: str, conversation: str, after: int, events: Sequence[NewEvent]
    ) -> tuple[StoredEvent, ...]:
        """Append all of these events after number `after`, or none, and return them once they are stored.

        Raises `StoreConflict` if `after` is not the last event, because another process has written since. Raises
        `StoreError` if the events cannot be stored.
        """
        ...

    async def read(self, tenant: str, conversation: str, after: int = 0) -> tuple[StoredEvent, ...]:
        """Return the events of a conversation after number `after`, in order; none for an unknown conversation."""
        ...

    async def conversations(self, tenant: str | None = None) -> tuple[Kept, ...]:
        """Return the stored conversations of one tenant, or of all."""
        ...

    async def recent(
        self, tenant: str | None, *, containing: str = "", before: Before | None = None, most: int = 50
    ) -> tuple[Kept, ...]:
        """Return the conversations of one tenant, or of all, whose last events are the newest; the newest first.

        Args:
            containing: A text that the id or an event has, in upper or lower case.
            before: The place of the last conversation that is known already; see `place_of`.
            most: The largest number of conversations to return.
        """
        ...

    async def conversation_with(self, tenant: str, kind: str, body: Mapping[str, Any]) -> str | None:
        """Return the conversation of a tenant that has an event of just this kind and body, or None.

        Of several, return the one with the newest event. It is quick for events of kind `ANSWERED`.
        """
        ...

    async def erase(self, tenant: str, conversation: str, reason: str) -> StoredEvent:
        """Erase a conversation except for a tombstone with its number of events.

        Raises `InputError` if it is unknown.
        """
        ...

    async def aclose(self) -> None:
        """Wait until all appended events are stored, and release the store."""
        ...


def chained(
    tenant: str, conversation: str, after: int, prev: str, events: Iterable[NewEvent], key: bytes = b""
) -> tuple[StoredEvent, ...]:
    """Return events with numbers and hashes that follow `after` and `prev`. A `key` makes the hashes HMACs."""
    found = []
    for seq, own in enumerate(events, after + 1):
        body = written(own.body)
        hash = event_hash(tenant, conversation, seq, own.at, own.kind, body, prev, key)
        found.append(StoredEvent(tenant, conversation, seq, own.at, own.kind, body, prev, hash))
        prev = hash
    return tuple(found)


def written(body: Mapping[str, Any]) -> str:
    """Return a body as JSON. Lone surrogates, which no file can hold, are escaped."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str)
    return text if is_whole(text) else json.dumps(body, separators=(",", ":"), default=str)


def is_whole(text: str) -> bool:
    """Return whether a text has no lone surrogate, which is half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def event_hash(
    tenant: str, conversation: str, seq: int, at: str, kind: str, body: str, prev: str, key: bytes = b""
) -> str:
    """Return the hash of an event. Each part is hashed with its length, so that no two events share a text.

    It is SHA-256, or HMAC-SHA256 with a key. Nobody without the key can make the hash of a changed event.
    """
    parts = (tenant, conversation, str(seq), at, kind, body, prev)
    text = "".join(f"{len(own)}:{own}" for own in parts).encode("utf-8", "surrogatepass")
    return hmac.digest(key, text, "sha256").hex() if key else hashlib.sha256(text).hexdigest()


def tombstone(tenant: str, conversation: str, last: StoredEvent, reason: str, at: str, key: bytes = b"") -> StoredEvent:
    """Return the event that remains of an erased conversation."""
    event = NewEvent(ERASED, {"events": last.seq, "reason": reason}, at)
    return chained(tenant, conversation, last.seq, last.hash, (event,), key)[0]


def check_names(tenant: str, conversation: str) -> None:
    """Raise `InputError` for a tenant or conversation with an invalid name."""
    for what, name in (("tenant", tenant), ("conversation", conversation)):
        given: Any = name
        if not isinstance(given, str) or (what == "conversation" and not name) or len(name) > 500:
            raise InputError(f"the name of a {what} is a text of 1 to 500 characters, not {given!r:.60}")
        if not is_whole(name):
            raise InputError(f"the name of the {what} has half a character: {name!r:.60}")


def key_of(store: object) -> bytes:
    """Return the key of a store's hashes, or b"" if it has none."""
    found = getattr(store, "key", b"")
    return found if isinstance(found, bytes) else b""


def chain_fault(events: Sequence[StoredEvent], key: bytes = b"") -> str | None:
    """Return the first fault in the chain of a conversation, with the event, or None for an unbroken chain."""
    prev, seq = FIRST, 0
    for own in events:
        if own.kind == ERASED and own is events[0]:
            prev, seq = own.prev, own.seq - 1  # Earlier events are erased.
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
    """Return the error of a store whose operation failed."""
    return StoreError(f"{what}: {str(error) or type(error).__name__}")


_TEXTS = ("tenant", "conversation", "at", "kind", "body", "prev", "hash")


@dataclass(frozen=True, slots=True)
class Imported:
    """An `Imported` counts the events that were written into a store, and lists those left out, with reasons."""

    conversations: int
    events: int
    left_out: tuple[str, ...] = ()


def line_of(event: StoredEvent) -> str:
    """Return an event as a JSON line."""
    return json.dumps(asdict(event), ensure_ascii=True)


def read_events(lines: Iterable[str], where: str) -> list[StoredEvent]:
    """Return the events of JSON lines, in order. Raises `RecordError` with the line for a malformed event."""
    return [_event(line, f"{where}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _event(line: str, where: str) -> StoredEvent:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: no JSON object: {error}") from error
    if not isinstance(found, Mapping) or found.keys() != {*_TEXTS, "seq"}:
        raise RecordError(f"{where}: no event, which has just {', '.join(_TEXTS)} and seq")
    for name in _TEXTS:
        if not isinstance(found[name], str):
            raise RecordError(f"{where}: {name}: a text is needed, got {found[name]!r:.60}")
    seq = found["seq"]
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 1:
        raise RecordError(f"{where}: seq: a whole number from 1 is needed, got {seq!r:.60}")
    try:
        body: Any = json.loads(found["body"])
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: body: no JSON: {error}") from error
    if not isinstance(body, Mapping):
        raise RecordError(f"{where}: body: a JSON object is needed, got {found['body']!r:.60}")
    return StoredEvent(**found)


async def write_events(store: Store, events: Iterable[StoredEvent]) -> Imported:
    """Write conversations into a store that lacks them, each as a whole, if its chain is unbroken.

    Erased conversations are left out, like all others that cannot be written. Raises `StoreError`.
    """
    conversations = total = 0
    left_out = []
    for (tenant, name), own in _by_conversation(events).items():
        what = f"{name!r}" + (f" of {tenant!r}" if tenant else "")
        # A store with a key also accepts events of one without a key.
        fault = chain_fault(own, key_of(store)) and chain_fault(own)
        if fault is not None:
            left_out.append(f"{what}: {fault}")
        elif own[-1].kind == ERASED:
            left_out.append(f"{what}: it was erased")
        elif await store.read(tenant, name):
            left_out.append(f"{what}: the store has a conversation of this name")
        else:
            await store.append(tenant, name, 0, [NewEvent(each.kind, each.content, each.at) for each in own])
            conversations, total = conversations + 1, total + len(own)
    return Imported(conversations, total, tuple(left_out))


def _by_conversation(events: Iterable[StoredEvent]) -> dict[tuple[str, str], list[StoredEvent]]:
    found: dict[tuple[str, str], list[StoredEvent]] = {}
    for own in events:
        found.setdefault((own.tenant, own.conversation), []).append(own)
    return found


def in_words(event: StoredEvent) -> Iterator[str]:
    """Yield an event in lines for people."""
    body = event.content
    head = f"{event.seq:>5}  {event.at[:19]}Z"
    match event.kind:
        case "heard":
            if body.get("assistant") is not None:
                yield f"{head}  assistant: {body['assistant']}"
            if body.get("user") is not None:
                passed_on = f" (passed on by {signed(body)})" if "by" in body else ""
                yield f"{head}  user{passed_on}: {body['user']}"
            if body.get("unheard"):
                yield f"         could not be read: {body['unheard']}"
            for own in (*body.get("taken", ()), *body.get("promises", ())):
                yield f"         {_taken(own)}"
        case "reheard":
            yield f"{head}  read at last, the message of turn {body['turn']}"
            yield from (f"         {_taken(own)}" for own in body.get("taken", ()))
        case "saw":
            outcome = f" ({body['outcome']})" if body.get("outcome") else ""
            yield f"{head}  {body['tool']} gave{outcome}: {json.dumps(body['result'], ensure_ascii=False)[:200]}"
        case "told again":
            yield f"{head}  {body['tool']}: the result of {body['call']!r} was told again, and counts once"
        case "saw stopped":
            yield f"{head}  {stopped_note(body['tool'])}: {json.dumps(body['result'], ensure_ascii=False)[:200]}"
        case "decided":
            first, *rest = str(json.loads(body["record"])["for_log"]).split("\n")
            yield f"{head}  {body['decision']} {first}"
            yield from (f"       {line}" for line in rest)
        case "overridden":
            yield f"{head}  {body['decision']} is let through by {signed(body)}: {body['reason']}"
        case "withdrawn":
            by = f" by {signed(body)}" if "by" in body else ""
            yield f"{head}  {body['id']} is withdrawn{by}: {body['reason']}"
        case _:
            yield f"{head}  {event.kind}: {event.body[:200]}"


def signed(body: Mapping[str, Any]) -> str:
    """Return the person of an event with the role, if it is known."""
    return f"{body['by']} ({body['role']})" if "role" in body else str(body["by"])


def _taken(own: Mapping[str, Any]) -> str:
    if "sentence" in own:
        return f"promised ({own['tool']}): {own['sentence']}"
    sure = f", {own['confidence']:.2f}" if "confidence" in own else ""
    value = "" if own.get("value") is None else json.dumps(own["value"], ensure_ascii=False)
    relation = own.get("relation", "is").replace("_", " ") if value else ""
    what = f"{own['act']}.{own['argument']}" if own.get("argument") else own["act"]
    said = f"({own.get('quote', '')!r}{sure})"
    return " ".join(each for each in (own["do"], what, relation, value, said) if each)
