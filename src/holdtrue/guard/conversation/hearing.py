"""Read what is said in a guarded conversation: what the user settles, whether they say yes, and what is promised."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError
from holdtrue.guard.conversation.promises import Promised, promises_in
from holdtrue.guard.conversation.state import SAID, ConversationState
from holdtrue.language.reading import Extractor, MessageContext, Reading, read_message
from holdtrue.language.slots.candidates import Candidate, candidates_in
from holdtrue.language.slots.slot_reader import CLASH
from holdtrue.language.slots.slot_reading import SlotContext
from holdtrue.language.slots.slot_world import SlotWorld, slot_world
from holdtrue.language.slots.spans import spans_in
from holdtrue.language.slots.talk import talk_of
from holdtrue.logic.value_sorts import Calendar
from holdtrue.record import CallRecord, total
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import Flag, Name, Number, without_null

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

_TAKEN_BACK = re.compile(
    r"\b(?:wait|hold (?:on|off)|not yet|don['\u2019]?t (?:do|book|buy|send|pay|make|place|order|cancel|go|proceed"
    r"|confirm)|"
    r"stop|never ?mind|forget it|cancel that|on second thought|scratch that|changed my mind|hang on)\b",
    re.IGNORECASE,
)
_MILD_NO = re.compile(
    r"\bno (?:problem|worries|issue|rush|need to (?:worry|ask))\b|\bwhy not\b|\bdon['\u2019]?t worry\b", re.I
)


@dataclass(frozen=True, slots=True)
class HeardWords:
    """A `HeardWords` is what a message of the user says, as an event has it; `unheard` is why it could not be read."""

    taken: tuple[Mapping[str, Any], ...]
    yes: bool
    void: bool
    calls: tuple[CallRecord, ...] = ()
    unheard: str = ""
    unread: tuple[str, ...] = ()

    @property
    def cost(self) -> dict[str, int]:
        """Return the number of calls of a model, and of their tokens, as an event has them."""
        return {"calls": len(self.calls), "tokens": total(own.usage for own in self.calls).tokens}


def guard_world(policy: Policy) -> SlotWorld:
    """Return the slots of a policy: the arguments of its tools, and what it says that people may say.

    Tools whose names begin alike, up to a dot, share arguments, and so do all tools whose names have none.
    """
    tools = [replace(own.schema, arguments=own.arguments) for own in policy.tools.values()]
    groups = {own.name: own.name.rpartition(".")[0] or policy.groups.get(own.name, "app") for own in tools}
    groups |= {name: group for name, group in policy.groups.items() if name in groups}
    if policy.said:
        about = {name: own.question for name, own in policy.said.items()}
        tools.append(ToolSchema(SAID, "", policy.said_type, None, True, True, (), about))
        groups[SAID] = SAID
    writes = {name for name in policy.tools if policy.writes(name)}
    return slot_world(tools, writes=writes, groups=groups)


async def hear_user(
    reader: Extractor | None,
    state: ConversationState,
    context: MessageContext,
    message: str,
    timeout_s: float,
    *,
    answers: bool = False,
) -> HeardWords:
    """Return what a message of the user says. A reader that fails, or takes too long, leaves it unheard.

    A yes is one to something that was said before, or that the message `answers`.
    """
    talk = talk_of(_MILD_NO.sub("", message), context.assistant)
    void = _TAKEN_BACK.search(message) is not None
    yes = talk.accepts and not void and not (talk.asks and not talk.short) and bool(context.assistant or answers)
    if reader is None:
        return HeardWords((), yes, void)
    try:
        async with asyncio.timeout(timeout_s):
            found = await read_message(reader, state.world, message, context)
    except TimeoutError:
        return HeardWords((), False, void, unheard=f"the reader did not answer within {timeout_s:g} s")
    except HoldtrueError as error:
        return HeardWords((), False, void, unheard=f"the reader failed: {error}")
    except Exception as error:  # noqa: BLE001  a reader is whatever its author's code does; nothing may be allowed
        return HeardWords((), False, void, unheard=f"the reader failed: {type(error).__name__}: {error}")
    taken = tuple(
        _taken(own) | _clarity(own, state.world, context, yes)
        for own in found.readings
        if own.slot is not None and own.status == "accepted"
    )
    unread = tuple(f"{own.sentence!r}: {own.reason}" for own in found.readings if own.status == "rejected")
    return HeardWords(taken, yes, void, found.calls, unread=unread)


def _clarity(own: Reading, world: SlotWorld, context: MessageContext, yes: bool) -> dict[str, bool]:
    """Return, of an offer that a plain yes takes up, that it is the only one of its kind, where it is."""
    if own.source != "assistant" or not yes or own.slot is None or context.assistant is None or context.now is None:
        return {}
    type = without_null(world.slots[own.slot.slot].type)
    if not isinstance(type, Calendar):
        return {}
    spans = spans_in(context.assistant, context.now, context.locale)
    return {"clear": True} if sum(span.kind == type.kind for span in spans) == 1 else {}


def _taken(own: Reading) -> dict[str, Any]:
    assert own.slot is not None
    return {
        "act": own.act,
        "slot": own.slot.slot,
        "relation": own.slot.relation,
        "value": own.slot.value,
        "quote": own.sentence,
        "source": own.source,
        "confidence": round(own.confidence, 4),
        **({"clash": own.reason} if own.reason is not None and own.reason.startswith(CLASH) else {}),
    }


def hear_promises(policy: Policy, state: ConversationState, message: str, now: datetime) -> list[dict[str, Any]]:
    """Return what an assistant's message promises, as an event has it: the tool, and values of its arguments."""
    found = []
    for own in promises_in(message, policy.tools.values()):
        context = SlotContext(now, locale=state.locale)
        found.append({"sentence": own.sentence, "tool": own.tool, "values": _values_in(own, state.world, context)})
    return found


def _values_in(own: Promised, world: SlotWorld, context: SlotContext) -> list[dict[str, Any]]:
    """Return the values of arguments that a promise names: those of a type of which only one argument is left."""
    slots = {id: slot for id, slot in world.slots.items() if own.tool in slot.tools}
    named: dict[str, list[Candidate]] = {}
    for each in candidates_in(SlotWorld(slots, world.about), own.sentence, context):
        if each.act == "set" and not isinstance(without_null(each.slot.type), Number | Calendar) and _is_closed(each):
            named.setdefault(each.slot.id, []).append(each)
    single = [each[0] for each in named.values() if len({str(one.value) for one in each}) == 1]
    return [
        {"slot": each.slot.id, "value": each.value, "quote": "" if each.span is None else each.span.text.strip()}
        for each in single
    ]


def _is_closed(own: Candidate) -> bool:
    type = without_null(own.slot.type)
    return isinstance(type, Flag) or (isinstance(type, Name) and type.values is not None)


def local_time(now: str) -> datetime:
    """Return a moment of a policy as people near it read it on a clock."""
    return datetime.fromisoformat(now.replace("Z", "+00:00")).replace(tzinfo=None)
