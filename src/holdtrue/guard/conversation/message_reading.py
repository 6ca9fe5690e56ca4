"""Read the user's messages in a guarded conversation: requests, values, and whether a message is a yes.

An *act* is a kind of work that users can ask for, such as a booking. An *operation* is one change of the requests that
a reader finds in a message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from holdtrue.errors import HoldtrueError
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.state_parts import DecidedCall
from holdtrue.guard.conversation.utterance import read_part, unread_part
from holdtrue.guard.conversation.worker import in_worker
from holdtrue.guard.decision import words_of_tool
from holdtrue.language.requests.operation import (
    Act,
    Argument,
    Operation,
    RequestContext,
    RequestReader,
    RequestReading,
    acts_of,
)
from holdtrue.language.requests.plain_reader import SAID, PlainReader
from holdtrue.language.requests.spans import LONGEST_WORDS, is_searched_whole, spans_in
from holdtrue.language.yes_words import answer_of
from holdtrue.record import CallRecord, total
from holdtrue.rules.tools import ToolSchema

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy

_LONG = 500
"""Messages with more characters are searched in the worker, because that takes tens of milliseconds."""
_SURE_TO_TAKE_BACK = 0.8
"""An operation that frees an argument or withdraws a request needs at least this confidence."""
_TOO_LONG = f"it is too long: only its first {LONGEST_WORDS:,} words, or the values at its beginning, were searched"


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A `ReadMessage` is the result of reading one message of the user.

    Attributes:
        taken: The operations that were read, in the form of events.
        yes: Whether the message is a yes.
        void: Whether the message is more than a yes or a courtesy, so that earlier answers no longer count.
        calls: The model's calls for it.
        unheard: Why it could not be read, or "".
        cut: Why only a part of it was read, or "".
        unread: Statements that could not be used, with reasons.
    """

    taken: tuple[Mapping[str, Any], ...]
    yes: bool
    void: bool
    calls: tuple[CallRecord, ...] = ()
    unheard: str = ""
    cut: str = ""
    unread: tuple[str, ...] = ()


def cost_of(calls: Sequence[CallRecord]) -> dict[str, int]:
    """Return the number of model calls and tokens, in the form of events."""
    return {"calls": len(calls), "tokens": total(own.usage for own in calls).tokens}


def guard_acts(policy: Policy) -> dict[str, Act]:
    """Return the acts that users can ask for, and the values that the policy asks users about.

    Acts are writing tools, structured answers, and tools that share a group with others.
    """
    tools = [
        replace(own.schema, arguments=own.arguments)
        for own in policy.tools.values()
        if own.writes or own.is_answer or own.name in policy.groups or "." in own.name
    ]
    acts = acts_of(tools, policy.groups)
    if policy.said:
        about = {name: own.question for name, own in policy.said.items()}
        acts |= acts_of([ToolSchema(SAID, "", policy.said_type, None, True, (), about)], {SAID: SAID})
    return acts


def read_yes(assistant: str, message: str, asked: Sequence[DecidedCall] = ()) -> ReadMessage:
    """Return the reading of a message by code alone, which finds only a plain yes.

    The yes is to the assistant's text, or to the decisions in `asked`.

    A message with more than a yes or a courtesy ends every earlier yes. Only a reader finds its other statements.
    """
    act = {word for own in asked for word in words_of_tool(own.tool)}
    answer = answer_of(message, act)
    return ReadMessage((), answer == "yes" and bool(assistant or asked), answer == "more")


async def read_user_message(
    reader: RequestReader | None,
    state: ConversationState,
    context: RequestContext,
    message: str,
    timeout_s: float,
    asked: Sequence[DecidedCall] = (),
) -> ReadMessage:
    """Read a message of the user, which may be a yes to the assistant or to the decisions in `asked`.

    If the reader fails or takes too long, the message stays unread.
    """
    plainly = read_yes(context.assistant, message, asked)
    cut, message = unread_part(message), read_part(message)
    if reader is None or not message.strip():
        return plainly
    try:
        async with asyncio.timeout(timeout_s):
            found = await _read(reader, state.acts, message, context)
    except TimeoutError:
        return replace(plainly, unheard=f"the reader did not answer within {timeout_s:g} s")
    except HoldtrueError as error:
        return replace(plainly, unheard=f"the reader failed: {error}")
    except Exception as error:  # noqa: BLE001  a custom reader may raise anything; nothing is allowed then
        return replace(plainly, unheard=f"the reader failed: {type(error).__name__}: {error}")
    taken = tuple({name: each for name, each in asdict(own).items() if each != ""} for own in found.operations)
    is_whole = isinstance(reader, PlainReader) or is_searched_whole(message, context.now, context.locale)
    cut = cut or ("" if is_whole else _TOO_LONG)
    return ReadMessage(taken, plainly.yes, plainly.void, found.calls, "", cut, found.unread)


async def _read(
    reader: RequestReader, acts: Mapping[str, Act], message: str, context: RequestContext
) -> RequestReading:
    """Return the valid operations that a reader finds. Slow searching is done in the worker."""
    if len(message) > _LONG:
        await in_worker(lambda: spans_in(message, context.now, context.locale))  # The result is cached.
    found = await reader.read_requests(acts, message, context)
    operations: tuple[object, ...] = getattr(found, "operations", ())
    if type(found) is not RequestReading or not all(isinstance(own, Operation) for own in operations):
        raise TypeError(f"read_requests() must give a RequestReading((Operation(...), ...)), not {found!r:.60}")
    known = [own for own in found.operations if _is_known(own, acts)]
    others = (
        f"{own.act}.{own.argument}: no tool has it, or no such value" for own in found.operations if own not in known
    )
    # A doubtful operation may state something, but takes nothing back.
    taken = [own for own in known if own.do in ("open", "set") or own.confidence >= _SURE_TO_TAKE_BACK]
    doubted = (f"{own.do} {own.act}.{own.argument}: it is doubtful" for own in known if own not in taken)
    return replace(found, operations=tuple(taken), unread=(*found.unread, *others, *doubted))


def _is_known(own: Operation, acts: Mapping[str, Act]) -> bool:
    """Return whether the policy has an operation's act and argument, and whether the value is a text or a number."""
    if own.do in ("open", "withdraw"):
        return own.act in acts or (own.do == "withdraw" and own.request != "")
    if own.act not in acts or own.argument not in acts[own.act].arguments:
        return False
    values: tuple[object, ...] = () if own.do == "free" else (own.value, *own.others)
    return all(isinstance(each, str | int | float) and each == each and each != "" for each in values)


def unread_by(reader: RequestReader | None, policy: Policy) -> tuple[str, ...]:
    """Return the names of the policy's questions about values that no reader can read, so that the app states them."""
    asked = () if reader is None else policy.said.items()
    return tuple(name for name, own in asked if not Argument(SAID, name, own.type).is_read)
