"""The forms in which clients ask a model and get its answers: chat completions, and responses.

A form reads what was said and shown from a request, and the calls from an answer, and it writes what a model is told of
calls that were stopped. It never changes what it is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from holdtrue.errors import InputError
from holdtrue.guard.contents import plain, text_of
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.json_values import recorded

WORDS = frozenset(
    "text output_text input_text refusal thinking redacted_thinking reasoning reasoning_text summary_text reference "
    "image_url image audio output_audio input_audio file".split()
)
"""The types of the parts of a content that call nothing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Something in a history: words of the user or the assistant, a call, or the result of just that call."""

    kind: Literal["user", "assistant", "call", "result"]
    text: str
    call: GivenCall | None = None


class Form(Protocol):
    """A `Form` is the way in which one kind of request and answer is written.

    Calls and texts of an answer are known by their places in it, for their ids may be missing, or stand twice.
    """

    def settled(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request whose history and tools are lists: those of an iterator could be read only once."""
        ...

    def history(self, request: Mapping[str, Any]) -> list[Shown]:
        """Return what a request shows of the conversation, in order."""
        ...

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls of tools in an answer."""
        ...

    def text(self, answer: Any) -> str:
        """Return what an answer says to the user."""
        ...

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that a structured answer has to have, "" for one without, or None."""
        ...

    def structured(self, answer: Any) -> dict[int, str]:
        """Return the texts of an answer that are to have a shape, by their places; a refusal is none."""
        ...

    def told(
        self, request: Mapping[str, Any], answer: Any, results: Sequence[str], whys: Mapping[int, str]
    ) -> dict[str, Any]:
        """Return the request for another attempt.

        It tells the model what became of each call, and why texts will not do.
        """
        ...

    def changed(self, answer: Any, arguments: Mapping[int, Any], texts: Mapping[int, Any]) -> Any | None:
        """Return an answer with other arguments and texts in these places, or None where one of them cannot change."""
        ...

    def refused(self, answer: Any, text: str) -> Any:
        """Return an answer without calls that says a text."""
        ...

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield an answer as the events of a stream."""
        ...


class OpenCalls:
    """The calls of a history whose results have not been shown yet, so that each result finds its own.

    Of calls with one id in a message, the first result is that of the first; ids of earlier messages count no more once
    they are given again.
    """

    def __init__(self) -> None:
        self._calls: list[tuple[str | None, GivenCall]] = []

    def add(self, calls: Sequence[GivenCall]) -> list[Shown]:
        """Note the calls of one message, and return them as they are known."""
        ids = [own.id for own in calls]
        known = with_own_ids(calls)
        self._calls = [own for own in self._calls if own[0] not in ids] + list(zip(ids, known, strict=True))
        return [Shown("call", "", own) for own in known]

    def take(self, id: Any, name: Any = None) -> GivenCall | None:
        """Return the call that a result is of, which is open no more."""
        wanted = id if isinstance(id, str) and id else None
        for place, (own, call) in enumerate(self._calls):
            if own == wanted and name in (None, call.tool):
                return self._calls.pop(place)[1]
        return None


def with_own_ids(calls: Sequence[GivenCall]) -> list[GivenCall]:
    """Return calls without the ids that stand for two of them: the conversation names those by the decision."""
    ids = [own.id for own in calls]
    return [replace(own, id=own.id if ids.count(own.id) == 1 else None) for own in calls]


def check_answer(answer: Any) -> None:
    """Raise `InputError` for an answer of a client in which no calls can be looked for."""
    if not hasattr(answer, "model_dump"):
        raise InputError(
            f"the client gave a {type(answer).__name__}, in which the guard can see no calls; leave out of the request "
            "what asks for a raw answer or a stream in extra_headers or extra_body, and use stream=True for a stream"
        )
    try:
        body = answer.model_dump(warnings=False)
    except ValueError as error:
        raise InputError(f"the client gave an answer that cannot be read: {error}") from error
    parts = body.get("choices"), body.get("output")
    if not all(own is None or (isinstance(own, list) and all(isinstance(each, dict) for each in own)) for own in parts):
        raise InputError("the client gave an answer in which the guard can see no calls: its parts are no list")


def as_given(answer: Any) -> dict[str, Any]:
    """Return an answer as the server gave it, without what it left out."""
    found: dict[str, Any] = answer.model_dump(warnings=False, exclude_unset=True)
    return found


def listed(request: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a request in which these parameters are lists, or texts, where they are given."""
    given = {name: request[name] for name in names if request.get(name) is not None}
    return {**request, **{name: own if isinstance(own, str) else list(own) for name, own in given.items()}}


def given_call(tool: str, arguments: Any, id: Any) -> GivenCall:
    """Return a call as a model gave it: no arguments at all are those of a tool without parameters."""
    is_empty = arguments is None or (isinstance(arguments, str) and not arguments.strip())
    return GivenCall(tool, "{}" if is_empty else arguments, id if isinstance(id, str) and id else None)


def told_ids(ids: Sequence[str | None]) -> list[str]:
    """Return ids by which a model is told of calls: its own, where each has one."""
    return [own if own and ids.count(own) == 1 else f"guarded_call_{place}" for place, own in enumerate(ids)]


def shape_name(format: Any, name: Any) -> str | None:
    """Return the name of the shape that a format asks for, "" for one without a name, or None for plain text."""
    given = plain(format or {})
    if not given or given.get("type") == "text":
        return None
    return name if isinstance(name, str) else ""


def words_in(content: Any) -> tuple[str, list[Any]]:
    """Return the text of a content, and its parts of other kinds, of which nobody knows that they call nothing."""
    parts = content if isinstance(content, list | tuple) else ()
    strange = [own for own in parts if not isinstance(own, str) and plain(own).get("type") not in WORDS]
    return text_of(content), strange


def as_text(value: Any) -> str:
    """Return arguments as the text that providers have, with exact numbers."""
    found = value if isinstance(value, str) else recorded(value)
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def with_usage(answer: Any, usages: Sequence[Any]) -> Any:
    """Return an answer that cost all of that."""
    return answer if len(usages) < 2 else answer.model_copy(update={"usage": summed(usages)})


def summed(usages: Sequence[Any]) -> Any:
    """Return usages as one: all numbers in them added, parts too; None where no attempt has one."""
    known = [own for own in usages if isinstance(own, Mapping) or hasattr(own, "model_dump")]
    if len(known) < 2:
        return known[0] if known else None
    total: Any = plain(known[0])
    for own in known[1:]:
        total = _added(total, plain(own))
    # Other servers leave out what OpenAI's library demands, so that nothing is validated.
    return type(known[0]).model_construct(**total) if hasattr(known[0], "model_construct") else total


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {name: _added(one.get(name), other.get(name)) for name in {**one, **other}}
    if isinstance(one, bool) or isinstance(other, bool) or not isinstance(one, int | float):
        return other if one is None else one
    return one + other if isinstance(other, int | float) else one
