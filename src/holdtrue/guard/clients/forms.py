"""The forms in which clients ask a model and get its answers: chat completions, and responses.

A form reads what was said and shown from a request, and the calls from an answer, and it writes what a model is told of
calls that were stopped. It never changes what it is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from holdtrue.guard.conversation.calls import GivenCall


@dataclass(frozen=True, slots=True)
class Shown:
    """Something in a history: words of the user or the assistant, or the result of a call; others are `other`."""

    kind: Literal["user", "assistant", "result", "other"]
    text: str
    call: GivenCall | None = None


class Form(Protocol):
    """A `Form` is the way in which one kind of request and answer is written."""

    def history(self, request: Mapping[str, Any]) -> list[Shown]:
        """Return what a request shows of the conversation, in order."""
        ...

    def begins_after(self, request: Mapping[str, Any]) -> str:
        """Return the name of what the request continues without showing it, or ""."""
        ...

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls of tools in an answer."""
        ...

    def text(self, answer: Any) -> str:
        """Return what an answer says to the user."""
        ...

    def told(self, answer: Any, results: Mapping[str, str]) -> list[Any]:
        """Return what to add to a request for another attempt: the calls, and what became of each."""
        ...

    def with_more(self, request: Mapping[str, Any], more: Sequence[Any]) -> dict[str, Any]:
        """Return a request with more at its end."""
        ...

    def with_arguments(self, answer: Any, arguments: Mapping[str, Any]) -> Any:
        """Return an answer whose calls have other arguments, by the ids of the calls."""
        ...

    def refused(self, answer: Any, text: str) -> Any:
        """Return an answer without calls that says a text."""
        ...

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that a structured answer has to have, or None."""
        ...

    def with_text(self, answer: Any, text: str) -> Any:
        """Return an answer that says another text."""
        ...

    def told_of_text(self, answer: Any, why: str) -> list[Any]:
        """Return what to add to a request after a structured answer that will not do."""
        ...

    def with_usage(self, answer: Any, usages: Sequence[Any]) -> Any:
        """Return an answer that cost all of that."""
        ...

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield an answer as the events of a stream."""
        ...


def text_of(content: Any) -> str:
    """Return the text of a message, which may be in parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    parts = (own if isinstance(own, str) else plain(own).get("text") or plain(own).get("refusal") for own in content)
    return "\n".join(own for own in parts if isinstance(own, str))


def plain(value: Any) -> dict[str, Any]:
    """Return a message or a part of one as a mapping, whether it is one or a client's object."""
    if isinstance(value, Mapping):
        return dict(value)
    dumped = value.model_dump() if hasattr(value, "model_dump") else {}
    return dumped if isinstance(dumped, dict) else {}


def as_text(value: Any) -> str:
    """Return arguments as the text that providers have."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def summed(usages: Sequence[Any]) -> Any:
    """Return usages as one: all numbers in them added, parts too; None where no attempt has one."""
    known = [own for own in usages if own is not None]
    if len(known) < 2:
        return known[0] if known else None
    total: Any = plain(known[0])
    for own in known[1:]:
        total = _added(total, plain(own))
    return type(known[0]).model_validate(total) if hasattr(known[0], "model_validate") else total


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {name: _added(one.get(name), other.get(name)) for name in {**one, **other}}
    if isinstance(one, bool) or isinstance(other, bool) or not isinstance(one, int | float):
        return other if one is None else one
    return one + other if isinstance(other, int | float) else one
