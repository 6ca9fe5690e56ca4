"""Ask a model what a message settles: one call a message, values by code, and nothing that nobody said."""

from __future__ import annotations

import json
from typing import Any

from holdtrue.language.asking import ask_whole
from holdtrue.language.slots.slot_prompts import slot_request
from holdtrue.language.slots.slot_reading import SlotContext, SlotEvent, SlotReading, Unread
from holdtrue.language.slots.slot_world import SlotWorld
from holdtrue.language.slots.spans import spans_in
from holdtrue.language.slots.value_grounding import ground, plain
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord


async def ask_view(model: ChatModel, world: SlotWorld, message: str, context: SlotContext) -> SlotReading:
    """Return what a model says that a message settles. Raises `ModelError`."""
    offers = offers_in(context)
    calls: list[CallRecord] = []
    reply = await ask_whole(model, slot_request(world, message, context, offers), calls)
    found = _listed(reply.text)
    if found is None:
        why = reply.reason or "the model's reply is no list of events"
        return SlotReading((), (Unread(message, "", why),), tuple(calls))
    events: dict[str, SlotEvent] = {}
    unread: list[Unread] = []
    for own in found:
        read = _event(own, world, message, context, offers)
        if isinstance(read, Unread):
            unread.append(read)
        else:
            events[read.slot] = read
    return SlotReading(tuple(events.values()), tuple(unread), tuple(calls))


def _listed(text: str) -> list[Any] | None:
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
    events = found.get("events") if isinstance(found, dict) else None
    return events if isinstance(events, list) else None


def _event(
    own: Any, world: SlotWorld, message: str, context: SlotContext, offers: tuple[str, ...]
) -> SlotEvent | Unread:
    """Return the event that an item of a reply is, or why it is none."""
    if not isinstance(own, list) or len(own) < 2:
        return Unread(str(own)[:200], "", "it is no event")
    what, slot = own[0], world.slots.get(str(own[1]))
    if slot is None:
        return Unread(str(own)[:200], "", "it names no slot")
    if what is None:
        return SlotEvent("free", slot.id)
    offered = isinstance(what, int) and not isinstance(what, bool)
    quote = (offers[what - 1] if 0 < what <= len(offers) else "") if offered else str(what)
    if not offered and (not plain(quote) or plain(quote) not in plain(message)):
        # A model that takes up an offer often quotes it instead of naming its number.
        offered = bool(plain(quote)) and plain(quote) in plain(context.assistant or "")
        if not offered:
            return Unread(quote, slot.id, "the message does not say this")
    chosen = own[2] if len(own) > 2 else None
    found = ground(quote, slot, context.now, context.locale, chosen, context.assistant if offered else message)
    if found.value is None:
        return Unread(quote, slot.id, found.why)
    if offered:
        return SlotEvent("set", slot.id, found.value, quote, "assistant", "offer")
    return SlotEvent("set", slot.id, found.value, quote, "user", found.grounding)


MOST_OFFERS = 9


def offers_in(context: SlotContext) -> tuple[str, ...]:
    """Return what the assistant's message offers, without what holds already, in its order."""
    if not context.assistant:
        return ()
    held = {plain(str(value)) for value in context.held.values()}
    spans = [own for own in spans_in(context.assistant, context.now, context.locale) if own.kind != "words"]
    whole = [
        own
        for own in spans
        if not any(own != each and each.start <= own.start and own.end <= each.end for each in spans)
    ]
    found = (own.text for own in whole if not {plain(own.text), *map(plain, own.values)} & held)
    return tuple(dict.fromkeys(found))[:MOST_OFFERS]
