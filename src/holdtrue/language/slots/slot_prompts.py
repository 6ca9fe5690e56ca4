"""The words with which a model is asked what a message settles of slots, and the grammar of its reply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from holdtrue.language.asking import one_line
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.logic.value_sorts import Calendar
from holdtrue.models.chat import Message, Request, assistant, system, user
from holdtrue.rules.types import Flag, Name, Number, without_null

MOST_EVENTS = 6
MOST_HELD = 8
"""So many values that hold are told, the latest ones."""
_LONGEST_REPLY = 400
MOST_WORDS, LONGEST_RUN = 200, 11
_WORD = re.compile(r"[^\s\"\\\\]+")

_READ = """You read chats between a user and an assistant, and note which slots the user's last message gives a value.
Reply with JSON: {"events":[...]}, one event for each value, in the order of the message:
[Q,S] where the words Q of the last message name the value of slot S, nothing but the value
[Q,S,V] for a slot with a choice of values, where V is the one that Q means
[N,S] where the user accepts offer N of the assistant as the value of slot S
[null,S] where the user says that slot S does not matter
Note what the last message says or accepts, and nothing else. Thanks, questions and a plain yes to what is settled \
already give {"events":[]}."""


def slot_request(world: SlotWorld, message: str, context: SlotContext, offers: Sequence[str]) -> Request:
    """Return the request that asks what a message settles."""
    taught = _taught(world)
    lines = [*_held(context), *_offers(context, offers), f"User: {one_line(message)}"]
    asked = (*taught, user("\n".join(lines)))
    return Request(
        asked, "read_slots", schema=_schema(world, message, offers), max_tokens=_LONGEST_REPLY, frame=len(taught)
    )


def _held(context: SlotContext) -> list[str]:
    latest = list(context.held.items())[-MOST_HELD:]
    return ["Settled: " + "; ".join(f"{slot} = {one_line(str(value))}" for slot, value in latest)] if latest else []


def _offers(context: SlotContext, offers: Sequence[str]) -> list[str]:
    lines = [f"Assistant: {one_line(context.assistant)}"] if context.assistant else []
    if offers:
        lines.append("Offers: " + "; ".join(f"{number} = {own}" for number, own in enumerate(offers, 1)))
    return lines


def _taught(world: SlotWorld) -> tuple[Message, ...]:
    lines = [_READ, "Slots:"]
    group = None
    for slot in world.slots.values():
        if slot.group != group:
            group = slot.group
            lines.append(f"{group}: {world.about.get(group, '')}")
        lines.append(f"- {slot.id}: {_kind(slot)}. {slot.about}")
    return (system("\n".join(lines)), *_lessons())


def _kind(slot: Slot) -> str:
    own = without_null(slot.type)
    match own:
        case Flag():
            return "yes or no"
        case Name(_, values) if values is not None:
            return " | ".join(values)
        case Calendar(kind):
            return kind
        case Number():
            return "number"
    return "name"


_LESSONS = (
    (
        "Assistant: Which town, and what kind of dentist?",
        "somewhere in Aldermoor please, and he should be good with kids, an orthodontist",
        '{"events":[["Aldermoor","Dentists.town"],["good with kids","Dentists.treats_children",true],'
        '["orthodontist","Dentists.speciality","Orthodontist"]]}',
    ),
    (
        "Assistant: Dr. Ines Falk is an orthodontist in Aldermoor.\nOffers: 1 = Dr. Ines Falk",
        "Sounds good. What is her phone number?",
        '{"events":[[1,"Dentists.dentist_name"]]}',
    ),
    (
        "Assistant: When do you want to see her?",
        "Next Monday at a quarter past 9 in the morning, for 2 persons",
        '{"events":[["Next Monday","Dentists.day"],["a quarter past 9 in the morning","Dentists.hour"],'
        '["2","Dentists.patients"]]}',
    ),
    (
        "Settled: Dentists.hour = 09:15\nAssistant: Please confirm: Dr. Ines Falk, Monday at 9:15.",
        "Oh, make it half past 10.",
        '{"events":[["half past 10","Dentists.hour"]]}',
    ),
    (
        "Settled: Dentists.hour = 10:30\nAssistant: Please confirm: Dr. Ines Falk, Monday at 10:30, paid by card.\n"
        "Offers: 1 = card",
        "Yes, that is right, thanks!",
        '{"events":[[1,"Dentists.payment"]]}',
    ),
    (
        "Assistant: Dr. Paul Ode is another one in Aldermoor.\nOffers: 1 = Dr. Paul Ode",
        "Hmm, is there anybody else?",
        '{"events":[]}',
    ),
    (
        "Settled: Dentists.payment = card\nAssistant: You are booked. Anything else?",
        "And a taxi to get there, I am going to 12 Quarry Lane.",
        '{"events":[["12 Quarry Lane","Taxis.address"]]}',
    ),
)


def _lessons() -> tuple[Message, ...]:
    messages: list[Message] = []
    for before, said, answer in _LESSONS:
        messages += [user(f"{before}\nUser: {said}"), assistant(answer)]
    return tuple(messages)


def _schema(world: SlotWorld, message: str, offers: Sequence[str]) -> dict[str, Any]:
    quote = {"type": "string", "pattern": _words_of(one_line(message))}
    names = list(world.slots)
    open_slots = [own.id for own in world.slots.values() if own.choices is None]
    items = [_event(quote, {"enum": open_slots})] if open_slots else []
    for own in world.slots.values():
        if own.choices is not None:
            values = [True, False] if isinstance(without_null(own.type), Flag) else list(own.choices)
            items.append(_event(quote, {"enum": [own.id]}, {"enum": values}))
    if offers:
        items.append(_event({"enum": list(range(1, len(offers) + 1))}, {"enum": names}))
    items.append(_event({"type": "null"}, {"enum": names}))
    events = {"type": "array", "maxItems": MOST_EVENTS, "items": {"anyOf": items}}
    return {"type": "object", "properties": {"events": events}, "required": ["events"], "additionalProperties": False}


def _words_of(message: str) -> str:
    """Return a pattern of all runs of words of a message, so that a quote can be nothing else."""
    words = [re.escape(own) for own in dict.fromkeys(_WORD.findall(message))]
    own = "|".join(words[:MOST_WORDS]) or "-"
    return f"^({own})( ({own})){{0,{LONGEST_RUN}}}$"


def _event(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts), "maxItems": len(parts)}
