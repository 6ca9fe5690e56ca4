"""Hear what an assistant promises: the tool that does it, and what it says of the call's arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdtrue.guard.conversation.promises import Promised, promises_in
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.language.slots.candidates import Candidate, candidates_in
from holdtrue.language.slots.number_sense import counted, is_money, sense_of
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_words import is_id, is_numbered, is_open, name_class, stems
from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Name, Number, Type, without_null

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


def hear_promises(policy: Policy, state: ConversationState, message: str, now: datetime) -> list[dict[str, Any]]:
    """Return what an assistant's message promises, as an event has it: the tool, and values of its arguments."""
    found = []
    for own in promises_in(message, policy.tools.values()):
        slots = {id: slot for id, slot in state.world.slots.items() if own.tool in slot.tools}
        context = SlotContext(now, locale=state.locale)
        values = _values_in(own, SlotWorld(slots, state.world.about), context)
        if values or not own.needs_values or _names_an_argument(own.sentence, slots.values()):
            found.append({"sentence": own.sentence, "tool": own.tool, "values": values})
    return found


def _names_an_argument(sentence: str, slots: Iterable[Slot]) -> bool:
    """Return whether a sentence speaks of an argument by its name: 'I'll send you the link by email'."""
    said = set(stems(sentence))
    return any(said & set(stems(own.name)) for own in slots)


def _values_in(own: Promised, world: SlotWorld, context: SlotContext) -> list[dict[str, Any]]:
    """Return the values of arguments that a promise names, where its words leave no doubt of which arguments."""
    types = Counter(without_null(slot.type) for slot in world.slots.values())
    named: dict[str, list[Candidate]] = {}
    for each in candidates_in(world, own.sentence, context):
        if each.act == "set" and _is_plain(each, own.sentence, list(world.slots.values()), types):
            named.setdefault(each.slot.id, []).append(each)
    single = [each[0] for each in named.values() if len({str(one.value) for one in each}) == 1]
    return [
        {"slot": each.slot.id, "value": each.value, "quote": "" if each.span is None else each.span.text.strip()}
        for each in single
    ]


def _is_plain(own: Candidate, sentence: str, slots: Sequence[Slot], types: Counter[Type]) -> bool:
    """Return whether a sentence can mean a value of no other argument of the call."""
    type = without_null(own.slot.type)
    if own.span is None:
        return False
    match type:
        case Flag():
            return True
        case Calendar():
            return types[type] == 1 and own.span.kind == type.kind
        case Number():
            if is_money(own.slot):
                return sense_of(sentence, own.span) == "money" and sum(map(is_money, slots)) == 1
            # '30 guests' of `guests`, '8 vegetarian portions' of `vegetarian`, and 'court 5' of `court`.
            things = {counted(sentence, own.span), *stems(sentence[own.span.end :])[:1]}
            things |= set(stems(sentence[: own.span.start])[-1:])
            return not things.isdisjoint(stems(own.slot.name))
        case Name(_, values) if values is not None:
            return True
    return own.span.kind == "name" and (_is_whom(own, sentence, slots) or _is_object(own, sentence, slots))


_WITH = re.compile(r"\bwith (?:the )?$", re.IGNORECASE)
_OBJECT = re.compile(r"(?:['\u2019]ll| will) (?:now |gladly )?\w+ (?:(?:for )?you )?(?:the |our )?$", re.IGNORECASE)


def _is_whom(own: Candidate, sentence: str, slots: Sequence[Slot]) -> bool:
    """Return whether somebody is promised by name: 'I'll book you in with Olga', where a call names one person.

    'I'll book Olga for you' does, too, where a call names no thing that could be meant.
    """
    people = [slot for slot in slots if is_open(slot) and name_class(slot) == "person"]
    before = sentence[: own.span.start] if own.span is not None else ""
    is_object = not _things(slots) and _OBJECT.search(before) is not None
    return people == [own.slot] and (_WITH.search(before) is not None or is_object)


def _is_object(own: Candidate, sentence: str, slots: Sequence[Slot]) -> bool:
    """Return whether a thing is promised by name: 'I'll reserve the Old Chapel', where a call names one thing."""
    return (
        _things(slots) == [own.slot] and own.span is not None and _OBJECT.search(sentence[: own.span.start]) is not None
    )


def _things(slots: Sequence[Slot]) -> list[Slot]:
    return [slot for slot in slots if is_open(slot) and name_class(slot) != "person" and not _is_form(slot)]


def _is_form(slot: Slot) -> bool:
    """Return whether a text is an address or a number rather than a name."""
    return is_id(slot) or is_numbered(slot) or bool(set(stems(slot.name)) & _FORMS)


_FORMS = frozenset(stems("email mail phone telephone mobile address street postcode note message reason"))
