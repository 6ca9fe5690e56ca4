"""Recorded conversations of agents with tools: their calls, each with what was seen before it.

Whatever a guard decides about a recorded call, what follows is what its tool gave back then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.fields import expect, field, field_or
from holdtrue.guard.contents import text_of
from holdtrue.guard.facts import Facts

if TYPE_CHECKING:
    from holdtrue.guard.policy import Policy


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call of a tool as an agent made it.

    `message` is the place of its message in the conversation, from 0, and `said` what the user had said last. `text`
    has the arguments as they were written, and `arguments` what they are, None where they are no JSON object. `result`
    is what the tool gave, None where nothing is recorded.
    """

    message: int
    said: str
    tool: str
    text: str
    arguments: Mapping[str, Any] | None
    result: str | None


Call = TypeVar("Call", bound=RecordedCall)
Written = tuple[tuple[int, str], ...]
"""A user's messages, each with its place in the conversation, from 0."""


def recorded_messages(record: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """Return the messages of a conversation, in the form of the chat protocol; each has a role.

    Raises `RecordError`, which begins with `where`, for what is none.
    """
    listed = field(record, "messages", list, where)
    messages = [expect(value, dict, f"{where}.messages[{place}]") for place, value in enumerate(listed)]
    for place, message in enumerate(messages):
        field(message, "role", str, f"{where}.messages[{place}]")
    return messages


def written_messages(messages: Sequence[Mapping[str, Any]]) -> Written:
    """Return what the user wrote."""
    return tuple((place, _text(each)) for place, each in enumerate(messages) if each["role"] == "user")


def recorded_calls(messages: Sequence[Mapping[str, Any]], where: str) -> Iterator[RecordedCall]:
    """Yield the calls of a conversation in their order, each with its result.

    A result belongs to the call of its id in the message just before it. Raises `RecordError`, which begins with
    `where`, for a call that is none.
    """
    said = ""
    for place, message in enumerate(messages):
        here = f"{where}.messages[{place}]"
        if message["role"] == "user":
            said = _text(message)
        elif message["role"] == "assistant":
            asked = field_or(message, "tool_calls", list, here, [])
            if not asked and message.get("function_call") is not None:
                asked = [{"function": message["function_call"]}]  # the older form of one call
            results = _results(messages, place + 1, asked)
            for call, result in zip(asked, results, strict=True):
                function = field(expect(call, dict, here), "function", dict, f"{here}.tool_calls")
                tool = field(function, "name", str, f"{here}.tool_calls.function")
                yield RecordedCall(place, said, tool, *_arguments(function.get("arguments")), result)


def follow_calls(
    policy: Policy, written: Iterable[tuple[int, str]], calls: Iterable[Call], now: str | None
) -> Iterator[tuple[Call, Facts]]:
    """Yield each call with the facts before it: results and effects of earlier ones, and the ids that the user wrote.

    The ids count literally, and nobody reads the words around them. A call without a recorded result shows nothing.
    `now` is the moment of all calls; the one that the policy states if none is given.
    """
    facts, left = Facts.none(), iter(written)
    following = next(left, None)
    for call in calls:
        while following is not None and following[0] < call.message:
            facts, following = facts.with_words(following[1]), next(left, None)
        yield call, facts
        if call.result is not None:
            facts = policy.saw(facts, call.tool, call.text, call.result, at=now or policy.now)


def _text(message: Mapping[str, Any]) -> str:
    """Return what a message says; parts that are texts each on a line of its own, and pictures say nothing."""
    content = message.get("content")
    if isinstance(content, list):
        return text_of(content)
    return content if isinstance(content, str) else "" if content is None else json.dumps(content)


def _arguments(given: object) -> tuple[str, Mapping[str, Any] | None]:
    """Return arguments as they were written, and what they are; None where that is no JSON object."""
    if isinstance(given, dict):
        return json.dumps(given), given
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    return text, value if isinstance(value, dict) else None


def _results(messages: Sequence[Mapping[str, Any]], start: int, asked: Sequence[Any]) -> list[str | None]:
    """Return the results of the calls of one message: those that follow from `start` on at once, by their ids.

    Ids are told apart only within the message, because recorders use them again. A call without a result has None.
    """
    found: dict[str, list[str]] = {}
    for place in range(start, len(messages)):
        message = messages[place]
        if message["role"] not in ("tool", "function"):
            break
        found.setdefault(str(message.get("tool_call_id")), []).append(_text(message))
    ids = [str(call.get("id")) if isinstance(call, dict) else "" for call in asked]
    return [found[id].pop(0) if found.get(id) else None for id in ids]
