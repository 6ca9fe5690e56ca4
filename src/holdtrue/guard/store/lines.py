"""Conversations as JSON lines, an event on each: to move them to another store, or to look at them with other tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.result_forms import stopped_note
from holdtrue.guard.store.event import ERASED, NewEvent, Store, StoredEvent, chain_fault, key_of

_TEXTS = ("tenant", "conversation", "at", "kind", "body", "prev", "hash")


@dataclass(frozen=True, slots=True)
class Imported:
    """An `Imported` counts what was written into a store, and says what was left out, with the reasons."""

    conversations: int
    events: int
    left_out: tuple[str, ...] = ()


def line_of(event: StoredEvent) -> str:
    """Return an event as a line."""
    return json.dumps(asdict(event), ensure_ascii=True)


def read_events(lines: Iterable[str], where: str) -> list[StoredEvent]:
    """Return the events of lines, in their order. Raises `RecordError`, with the line, for what is no event."""
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
    """Write conversations into a store that has none of them, each as a whole, and only if its chain is unbroken.

    An erased conversation has nothing to write. What is left out is told. Raises `StoreError`.
    """
    conversations = total = 0
    left_out = []
    for (tenant, name), own in _by_conversation(events).items():
        what = f"{name!r}" + (f" of {tenant!r}" if tenant else "")
        # Lines of a store without a key are how a store gets its first one.
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
                yield f"{head}  user: {body['user']}"
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
            yield f"{head}  {body['decision']} is let through by {body['by']}: {body['reason']}"
        case _:
            yield f"{head}  {event.kind}: {event.body[:200]}"


def _taken(own: Mapping[str, Any]) -> str:
    if "sentence" in own:
        return f"promised ({own['tool']}): {own['sentence']}"
    sure = f", {own['confidence']:.2f}" if "confidence" in own else ""
    value = "" if own.get("value") is None else f" {json.dumps(own['value'], ensure_ascii=False)}"
    relation = own.get("relation", "is").replace("_", " ")
    return f"{own['act']} {own['slot']} {relation}{value} ({own.get('quote', '')!r}{sure})"
