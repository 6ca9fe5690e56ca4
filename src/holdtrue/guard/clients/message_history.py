"""Read the messages of any client or framework as the items of a history.

Messages may be dictionaries or objects: of chat completions, Responses, Anthropic, LangChain, PydanticAI, Inspect or
MCP. An unknown role or part raises `RecordError` with its place, so that no word and no result is lost silently.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.guard.clients.forms import OpenCalls, Shown
from holdtrue.guard.clients.responses_form import NO_CALLS
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.recorded_forms import RecordedMessage, WrittenResult, read_message
from holdtrue.guard.recorded_words import json_in


def read_history(messages: Any) -> list[Shown]:
    """Return the items of a history: messages of the user and the assistant, calls, and results with their calls.

    `messages` is a list of messages, one message, or a text of the user. Calls that a model wrote into a text are no
    calls here, because the client decides which calls it makes.
    """
    if isinstance(messages, str):
        return [Shown("user", messages)]
    given = [messages] if _is_message(messages) else messages
    if not isinstance(given, Iterable):
        raise RecordError(f"messages: a list of messages is needed, not {messages!r:.60}")
    open_calls, found, together = OpenCalls(), list[Shown](), list[GivenCall]()
    read = [own for place, each in enumerate(given) for own in _read(each, f"messages[{place}]")]
    for message, following in zip_longest(read, read[1:]):
        together += [GivenCall(own.tool, _arguments(own.text, own.arguments), own.id) for own in message.calls]
        # Responses and PydanticAI give each call of an answer as an item of its own.
        if together and not (following is not None and _is_call(message) and _is_call(following)):
            found += open_calls.add(together)
            together = []
        for result in message.results:
            found += open_calls.take(result.id, _result(result), None if result.id else result.tool)
        if message.role in ("user", "assistant") and (message.text or not (message.calls or message.results)):
            found.append(Shown("user" if message.role == "user" else "assistant", message.text))
    return found


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) or hasattr(value, "model_dump") or is_dataclass(value)


def _is_call(message: RecordedMessage) -> bool:
    return bool(message.calls) and not message.texts and not message.results


def _arguments(text: str, values: Mapping[str, Any] | None) -> Any:
    """Return the arguments of a call as values, also if a model encoded them twice; or the text if they are none."""
    if values is not None:
        return dict(values)
    try:
        inner = json_in(json.loads(text), "")
    except (ValueError, RecursionError):
        return text
    return inner if isinstance(inner, dict) else text


def _result(result: WrittenResult) -> str:
    """Return the text of a result. A failed one keeps its flag."""
    return json.dumps({"is_error": True, "content": result.text}) if result.failed else result.text


def _read(value: Any, where: str) -> Iterator[RecordedMessage]:
    given = _plain(value, where)
    if given.get("kind") in ("request", "response") and isinstance(given.get("parts"), list):
        for place, part in enumerate(given["parts"]):
            if (own := _of_part(part, f"{where}.parts[{place}]")) is not None:
                yield _message(own, f"{where}.parts[{place}]")
    elif "role" in given or not _is_silent(str(given.get("type"))):
        yield _message(given, where)


_RESPONSES = frozenset("function_call function_call_output custom_tool_call custom_tool_call_output mcp_call".split())


def _is_silent(kind: str) -> bool:
    """Return whether an item of Responses is neither a message nor a call of a function, such as `web_search_call`.

    Nobody decides on calls of the tools that are part of a provider or a client. Their results show no facts.
    """
    is_call = kind.endswith(("_call", "_call_output")) or kind.startswith("mcp_")
    return kind not in _RESPONSES and (is_call or kind in NO_CALLS)


_LONGEST_KEPT = 4_000
"""Longer messages are not kept, since a history must not fill the memory."""


def _message(given: dict[str, Any], where: str) -> RecordedMessage:
    """Return a message. Apps send each message with every request, so short ones are kept."""
    try:
        text = json.dumps(given)
        if len(text) <= _LONGEST_KEPT:
            return _kept_message(text)
    except (RecordError, TypeError, ValueError, RecursionError):
        pass  # Reading it again tells the place.
    return read_message(given, where, written_calls=False)


@lru_cache(maxsize=2_000)
def _kept_message(text: str) -> RecordedMessage:
    return read_message(json.loads(text), "", written_calls=False)


def _plain(value: Any, where: str) -> dict[str, Any]:
    """Return a message as JSON values. The caller's message is never changed."""
    if isinstance(value, Mapping):
        return {key: _inner(own) for key, own in value.items()}
    own = _inner(value)
    if not isinstance(own, dict):
        raise RecordError(f"{where}: a message is an object, not {value!r:.60}")
    return own


@lru_cache(maxsize=64)
def _adapter(type: Any) -> Any:
    """Return the serializer of a dataclass. Building one takes long."""
    from pydantic import TypeAdapter

    return TypeAdapter(type)


def _inner(value: Any) -> Any:
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True, warnings=False, fallback=str)
    if is_dataclass(value) and not isinstance(value, type):
        return _adapter(type(value)).dump_python(value, mode="json", warnings=False, fallback=str)
    if isinstance(value, Mapping):
        return {key: _inner(own) for key, own in value.items()}
    return [_inner(own) for own in value] if isinstance(value, list | tuple) else value


_SPOKEN = {"user-prompt": "user", "text": "assistant", "speech": "assistant"}
_RETURNED = ("tool-return", "builtin-tool-return", "native-tool-return")
_CALLED = ("tool-call", "builtin-tool-call", "native-tool-call")
_SILENT = ("system-prompt", "thinking", "file", "compaction", "retry-feedback")
_SETTING = ("instruction", "tool-availability", "capability-load", "model-settings")
"""The beginnings of the kinds of parts that set up a request."""


def _of_part(part: Mapping[str, Any], where: str) -> dict[str, Any] | None:
    """Return a part of a PydanticAI message as a message of its own, or None for a part without words or results."""
    kind, content = str(part.get("part_kind")), part.get("content", part.get("transcript"))
    if kind in _SPOKEN:
        return {"role": _SPOKEN[kind], "content": content}
    if kind in _CALLED:
        call = {"id": part.get("tool_call_id"), "name": part.get("tool_name"), "arguments": part.get("args")}
        return {"role": "assistant", "content": "", "tool_calls": [call]}
    if kind in _RETURNED or (kind == "retry-prompt" and part.get("tool_name")):
        ended = part.get("outcome", "success") if kind in _RETURNED else "retried"
        if ended == "interrupted":
            return None  # Nobody knows how the call ended, so it stays pending.
        said = content if isinstance(content, str) else json.dumps(content)
        own = {"role": "tool", "tool_call_id": part.get("tool_call_id"), "name": part.get("tool_name"), "content": said}
        return own if ended == "success" else {**own, "is_error": True}
    if kind in _SILENT or kind == "retry-prompt" or kind.startswith(_SETTING):
        return None
    raise RecordError(f"{where}: a part of kind {kind!r:.40} is not understood")
