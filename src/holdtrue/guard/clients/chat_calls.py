"""Calls in messages of chat completions: of functions, of custom tools, and in the form that was before tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.forms import as_text, given_call, told_ids, words_in
from holdtrue.guard.contents import plain
from holdtrue.guard.conversation.calls import GivenCall

LEGACY = "function_call"


def call_parts(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a message that call something: its calls, what is strange in it, the call of the old form."""
    calls = message.get("tool_calls") or ()
    for own in calls if isinstance(calls, list | tuple) else (calls,):
        yield own if isinstance(own, dict) else plain(own)
    for own in words_in(message.get("content"))[1]:
        yield {"type": plain(own).get("type"), "part": plain(own)}
    if message.get(LEGACY):
        legacy = message[LEGACY]
        yield legacy if isinstance(legacy, dict) else plain(legacy)


def read_part(part: dict[str, Any]) -> GivenCall:
    """Return the call of a part. One of a kind that is not known is a call of a tool with the kind's name."""
    inner, name = _inner(part)
    if not isinstance(inner.get("name"), str):
        return given_call(str(part.get("type") or "unknown"), as_text(part), part.get("id"))
    return given_call(inner["name"], inner.get(name), part.get("id"))


def write_arguments(part: dict[str, Any], arguments: Any) -> None:
    """Put other arguments into a part."""
    inner, name = _inner(part)
    inner[name] = as_text(arguments)


def told_of_calls(message: Mapping[str, Any], results: Sequence[str]) -> list[dict[str, Any]]:
    """Return a message of the assistant with its calls, and a result for each of them."""
    text, strange = words_in(message.get("content"))
    said: dict[str, Any] = {"role": "assistant", "content": text if strange else message.get("content")}
    legacy = plain(message.get(LEGACY) or {})
    calls = [*call_parts({**message, "content": None, LEGACY: None})]
    ids = told_ids([own.get("id") for own in calls])
    found = [said]
    if calls:
        said["tool_calls"] = [{**own, "id": id} for own, id in zip(calls, ids, strict=True)]
        pairs = zip(ids, results, strict=False)
        found += [{"role": "tool", "tool_call_id": id, "content": result} for id, result in pairs]
    found += [{"role": "system", "content": own} for own in results[len(calls) : len(calls) + len(strange)]]
    if message.get(LEGACY):
        said[LEGACY] = legacy
        found.append({"role": "function", "name": legacy.get("name"), "content": results[-1]})
    return found


class OpenCalls:
    """The calls of a history whose results have not been shown yet, so that each result finds its own.

    Of calls with one id in a message, the first result is that of the first; ids of earlier messages count no more once
    they are given again.
    """

    def __init__(self) -> None:
        self._calls: list[GivenCall] = []

    def add(self, calls: Sequence[GivenCall]) -> None:
        """Note the calls of one message."""
        ids = {own.id for own in calls}
        self._calls = [own for own in self._calls if own.id not in ids] + list(calls)

    def take(self, id: Any, name: Any = None) -> GivenCall | None:
        """Return the call that a result is of, which is open no more."""
        wanted = id if isinstance(id, str) and id else None
        for place, own in enumerate(self._calls):
            if own.id == wanted and name in (None, own.tool):
                return self._calls.pop(place)
        return None


def _inner(part: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return what names the tool in a part, and the name that the arguments have there.

    A part that is of two kinds at once is of none: nobody knows which of them an app would call.
    """
    names = (("function", "arguments"), ("custom", "input"))
    kinds = [(part[own], inner) for own, inner in names if isinstance(part.get(own), dict)]
    if isinstance(part.get("name"), str):
        kinds.append((part, "arguments"))
    return kinds[0] if len(kinds) == 1 else ({}, "")
