"""Read what is said in a guarded conversation: what the user settles, whether they say yes, and what is promised."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError
from holdtrue.guard.conversation.happenings import DecidedCall
from holdtrue.guard.conversation.said import read_part, unread_part
from holdtrue.guard.conversation.state import SAID, ConversationState
from holdtrue.guard.conversation.worker import in_worker
from holdtrue.guard.wording import words_of_tool
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extraction, Extractor, MessageContext, Reading, read_message
from holdtrue.language.slots.clashes import CLASH
from holdtrue.language.slots.consent_words import is_clear_yes, takes_back
from holdtrue.language.slots.slot_reader import ScoredSlotReader
from holdtrue.language.slots.slot_world import SlotWorld, slot_world
from holdtrue.language.slots.spans import LONGEST_WORDS, is_searched_whole, spans_in
from holdtrue.language.slots.talk import last_question, sentences, talk_of
from holdtrue.language.yes_words import answer_of
from holdtrue.logic.value_sorts import Calendar
from holdtrue.record import CallRecord, total
from holdtrue.rules.tools import ToolSchema
from holdtrue.rules.types import ListOf, MapOf, Number, without_null

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

_MOST_DOUBTFUL = 0.79
"""A reading that its reader calls doubtful is at most so sure, which is less than what a guard is `sure` of."""
_LONG = 500
"""Code reads a message of so many characters in some tens of milliseconds."""
_TOO_LONG = f"it is too long: only its first {LONGEST_WORDS:,} words, or the values at its beginning, were searched"


@dataclass(frozen=True, slots=True)
class HeardWords:
    """A `HeardWords` is what a message of the user says, as an event has it.

    `unheard` is why it could not be read, and `cut` why only a part of it was. Who says "yes, and where is it?"
    `agrees` to what was said before; a plain `yes` is more.
    """

    taken: tuple[Mapping[str, Any], ...]
    yes: bool
    void: bool
    calls: tuple[CallRecord, ...] = ()
    unheard: str = ""
    cut: str = ""
    unread: tuple[str, ...] = ()
    agrees: bool = False

    @property
    def cost(self) -> dict[str, int]:
        """Return the number of calls of a model, and of their tokens, as an event has them."""
        return cost_of(self.calls)


def cost_of(calls: Sequence[CallRecord]) -> dict[str, int]:
    """Return the number of calls of a model, and of their tokens, as an event has them."""
    return {"calls": len(calls), "tokens": total(own.usage for own in calls).tokens}


def guard_world(policy: Policy) -> SlotWorld:
    """Return the slots of a policy: the arguments of its tools, and what it says that people may say.

    Tools whose names begin alike, up to a dot, share arguments, and so do all tools whose names have none.
    """
    tools = [replace(own.schema, arguments=own.arguments) for own in policy.tools.values()]
    groups = {own.name: own.name.rpartition(".")[0] or policy.groups.get(own.name, "app") for own in tools}
    groups |= {name: group for name, group in policy.groups.items() if name in groups}
    if policy.said:
        about = {name: own.question for name, own in policy.said.items()}
        tools.append(ToolSchema(SAID, "", policy.said_type, None, True, (), about))
        groups[SAID] = SAID
    writes = {name for name in policy.tools if policy.writes(name)}
    return slot_world(tools, writes=writes, groups=groups)


def hear_plainly(context: MessageContext, message: str, asked: Sequence[DecidedCall] = ()) -> HeardWords:
    """Return whether a message is a plain yes to what was said, or to the decisions that the user was `asked` about.

    Whatever says more than a yes or a courtesy ends each yes before it; what it says, a reader has to tell.
    """
    act = {word for own in asked for word in words_of_tool(own.tool)}
    answer = answer_of(message, act)
    return HeardWords((), answer == "yes" and bool(context.assistant or asked), answer == "more")


async def hear_user(
    reader: Extractor | None,
    state: ConversationState,
    context: MessageContext,
    message: str,
    timeout_s: float,
    asked: Sequence[DecidedCall] = (),
) -> HeardWords:
    """Return what a message of the user says. A reader that fails, or takes too long, leaves it unheard.

    A yes is one to something that was said before, or to decisions that the user was `asked` about.
    """
    plainly = hear_plainly(context, message, asked)
    cut, message = unread_part(message), read_part(message)
    if reader is None:
        return plainly
    try:
        async with asyncio.timeout(timeout_s):
            found = await _read(reader, state.world, message, context)
    except TimeoutError:
        return replace(plainly, unheard=f"the reader did not answer within {timeout_s:g} s")
    except HoldtrueError as error:
        return replace(plainly, unheard=f"the reader failed: {error}")
    except Exception as error:  # noqa: BLE001  a reader is whatever its author's code does; nothing may be allowed
        return replace(plainly, unheard=f"the reader failed: {type(error).__name__}: {error}")
    accepts = _takes_up(message, context) and not takes_back(message, context.assistant, answers=bool(asked))
    taken = tuple(
        _taken(own) | _clarity(own, state.world, context, accepts) for own in found.readings if _is_taken(own)
    )
    unread = tuple(f"{own.sentence!r}: {_why_unread(own)}" for own in found.readings if not _is_taken(own))
    cut = cut or (_TOO_LONG if _is_cut(reader, message, context) else "")
    return HeardWords(taken, plainly.yes, plainly.void, found.calls, "", cut, unread, accepts)


async def _read(reader: Extractor, world: SlotWorld, message: str, context: MessageContext) -> Extraction:
    """Return what a reader reads; what code does for long is done in the worker."""
    if len(message) > _LONG and isinstance(reader, TemplateExtractor):
        return await in_worker(lambda: asyncio.run(read_message(reader, world, message, context)))
    if len(message) > _LONG and _is_own(reader) and context.now is not None:
        now = context.now
        await in_worker(lambda: spans_in(message, now, context.locale))  # It is kept, and is most of the work.
    return await read_message(reader, world, message, context)


def _takes_up(message: str, context: MessageContext) -> bool:
    """Return whether a message takes up what was offered, as the reader of slots sees it."""
    talk = talk_of(message, context.assistant)
    accepts = talk.accepts or is_clear_yes(message, asked=True)
    return accepts and not (talk.asks and not talk.short) and bool(context.assistant)


def _is_taken(own: Reading) -> bool:
    """Return whether a reading counts. One in doubt states something; it takes nothing back that was said surely."""
    return own.slot is not None and (own.status == "accepted" or (own.status == "doubtful" and own.act == "states"))


def _why_unread(own: Reading) -> str:
    return own.reason or ("it is doubtful" if own.status == "doubtful" else "it is not about what can be said")


def _is_own(reader: Extractor | None) -> bool:
    """Return whether a reader is one that comes with the guard."""
    return isinstance(reader, TemplateExtractor | LlmExtractor | ScoredSlotReader)


def unread_by(reader: Extractor | None, policy: Policy) -> tuple[str, ...]:
    """Return what a policy asks for that a guard's own reader cannot read: lists and maps, which an app commits."""
    if not _is_own(reader):
        return ()
    return tuple(name for name, own in policy.said.items() if isinstance(without_null(own.type), ListOf | MapOf))


def _is_cut(reader: Extractor, message: str, context: MessageContext) -> bool:
    """Return whether the guard's own reader did not search all of a message; others are given all of it."""
    if not _is_own(reader) or context.now is None:
        return False
    return not is_searched_whole(message, context.now, context.locale)


def _clarity(own: Reading, world: SlotWorld, context: MessageContext, yes: bool) -> dict[str, bool]:
    """Return, of an offer that a plain yes takes up, that it is the only one of its kind, where it is."""
    if own.source != "assistant" or not yes or own.slot is None or context.assistant is None or context.now is None:
        return {}
    type = without_null(world.slots[own.slot.slot].type)
    if not isinstance(type, Calendar | Number):
        return {}
    wanted = type.kind if isinstance(type, Calendar) else "number"
    for text in (last_question(context.assistant), *reversed(sentences(context.assistant))):
        values = {span.values for span in spans_in(text, context.now, context.locale) if span.kind == wanted}
        if values:
            return {"clear": True} if len(values) == 1 else {}
    return {}


def _taken(own: Reading) -> dict[str, Any]:
    assert own.slot is not None
    sure = own.confidence if own.status == "accepted" else min(own.confidence, _MOST_DOUBTFUL)
    return {
        "act": own.act,
        "slot": own.slot.slot,
        "relation": own.slot.relation,
        "value": own.slot.value,
        "quote": own.sentence,
        "source": own.source,
        "confidence": round(sure, 4),
        **({"clash": own.reason} if own.reason is not None and own.reason.startswith(CLASH) else {}),
    }
