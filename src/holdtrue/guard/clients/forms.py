"""Shared parts of the forms in which clients ask a model: chat completions and responses.

A form reads messages, calls and results from a request, and calls from an answer. It also writes the results of stopped
calls for the model. It never changes its arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdtrue.errors import InputError
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.json_values import recorded
from holdtrue.guard.recorded_words import ARGUMENTS, CALLS, NAMES, plain_name


def text_of(content: Any, *, role: Any = None) -> str:
    """Return the text of a message's content, which may be a list of parts.

    Only parts of text have words. A server ignores a text beside an image or a result, so the user did not say it.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    kinds = _USER_TEXTS if role == "user" else _TEXTS
    given = (own if isinstance(own, str) else plain(own) for own in content)
    parts = (own if isinstance(own, str) else own.get(kinds.get(own.get("type", "text"), "")) for own in given)
    return "\n".join(own for own in parts if isinstance(own, str) and own)


_USER_TEXTS = {"text": "text", "input_text": "text"}
_TEXTS = {**_USER_TEXTS, "output_text": "text", "refusal": "refusal"}
"""The fields with the words of parts, by the types of the parts. A part without a type is text."""


def plain(value: Any) -> dict[str, Any]:
    """Return a message or a part as a dictionary, from a mapping or an object of a client's library."""
    if isinstance(value, Mapping):
        return dict(value)
    # Servers omit fields or send null, and pydantic would warn of each.
    is_model = hasattr(value, "model_dump") and not isinstance(value, type)
    dumped = value.model_dump(warnings=False) if is_model else {}
    return dumped if isinstance(dumped, dict) else {}


WORDS = frozenset(
    "text output_text input_text refusal thinking redacted_thinking reasoning reasoning_text summary_text reference "
    "image_url image audio output_audio input_audio file".split()
)
"""The types of content parts that are no calls."""


@dataclass(frozen=True, slots=True)
class ReadParts:
    """The parts of a request that a form reads.

    Attributes:
        name: The parameter with the history.
        kinds: The types of its items and their parts, next to `WORDS`.
        roles: The roles of its messages.
    """

    name: Literal["messages", "input"]
    kinds: frozenset[str]
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """An item of a history: a message of the user or the assistant, a call, or the result of `call`."""

    kind: Literal["user", "assistant", "call", "result"]
    text: str
    call: GivenCall | None = None


class OpenCalls:
    """The calls of a history whose results have not appeared yet. Each result is matched to its call.

    Among calls of one message with the same id, the first result belongs to the first call. A later message that gives
    an id again replaces its earlier calls. A result without an open call repeats the last one with its id.
    """

    def __init__(self) -> None:
        self._calls: list[tuple[str | None, GivenCall]] = []
        self._taken: dict[str | None, tuple[GivenCall, str]] = {}

    def add(self, calls: Sequence[GivenCall]) -> list[Shown]:
        """Note the calls of one message, and return them as items of the history."""
        ids = [own.id for own in calls]
        known = with_own_ids(calls)
        self._calls = [own for own in self._calls if own[0] not in ids] + list(zip(ids, known, strict=True))
        return [Shown("call", "", own) for own in known]

    def take(self, id: Any, text: str, name: Any = None) -> list[Shown]:
        """Return a result with its call, which is closed then. A repeated equal result returns nothing."""
        wanted = id if isinstance(id, str) and id else None
        for place, (own, call) in enumerate(self._calls):
            if own == wanted and name in (None, call.tool):
                self._taken[own] = call, text
                return [Shown("result", text, self._calls.pop(place)[1])]
        unknown = None if name is not None else GivenCall("", None, id)
        known, said = self._taken.get(wanted, (unknown, None)) if wanted else (unknown, None)
        return [] if said == text else [Shown("result", text, known)]


def with_own_ids(calls: Sequence[GivenCall]) -> list[GivenCall]:
    """Return the calls, without an id if it occurs twice. The conversation identifies such calls by their decisions."""
    ids = [own.id for own in calls]
    return [replace(own, id=own.id if ids.count(own.id) == 1 else None) for own in calls]


def check_answer(answer: Any) -> None:
    """Raise `InputError` for an answer in which calls cannot be found."""
    if not hasattr(answer, "model_dump"):
        raise InputError(
            f"the client gave a {type(answer).__name__}, in which the guard can see no calls; leave out of the request "
            "what asks for a raw answer or a stream in extra_headers or extra_body, and use stream=True for a stream"
        )
    try:
        body = answer.model_dump(warnings=False)
    except ValueError as error:
        raise InputError(f"the client gave an answer that cannot be read: {error}") from error
    parts = [body.get(own) for own in _PARTS]
    is_read = all(own is None or (isinstance(own, list) and all(isinstance(e, dict) for e in own)) for own in parts)
    if not is_read or any(not isinstance(own.get("message") or {}, dict) for own in parts[0] or ()):
        raise InputError("the client gave an answer in which the guard can see no calls: its parts are no objects")


def declared(answer: Any) -> dict[str, Any]:
    """Return the fields of an answer that its protocol declares and that cannot contain a call."""
    known = {name: own for name, own in plain(answer).items() if name in type(answer).model_fields}
    return {name: own for name, own in known.items() if not may_call(name, own)}


def untyped(kind: Any, fields: Mapping[str, Any]) -> Any:
    """Return an object of a client library's type whose parts stay JSON. Making them typed takes most of the time."""
    from pydantic import BaseModel

    # The libraries' own method makes the parts typed, too.
    return BaseModel.model_construct.__func__(kind, **fields)  # type: ignore[attr-defined]


def as_given(answer: Any) -> dict[str, Any]:
    """Return an answer as the server sent it, without the fields that it omitted."""
    is_body = isinstance(answer, dict)
    found: dict[str, Any] = {**answer} if is_body else answer.model_dump(warnings=False, exclude_unset=True)
    return found


_PARTS = ("choices", "output", "content")
"""The fields of answers with the parts that are read, one in each protocol."""
_SCHEMAS = ("parameters", "input_schema")
_FUNCTION = {"arguments": None, "input": None}
_CALL = {"function": _FUNCTION, "custom": _FUNCTION, **_FUNCTION}
_MESSAGE = {"tool_calls": _CALL, "function_call": _FUNCTION}
_READ: dict[str, Any] = {"choices": {"message": _MESSAGE}, "output": _FUNCTION, "content": _FUNCTION}
"""The fields that are read as calls, by the path to them. A value under None is decided on as a whole."""
_UNREAD: dict[str, Any] = {}
SAYS_CALLS = re.compile(r"(?:calls?|uses?|invocations?|actions?|arguments|args|parsed(?:_output)?)$", re.IGNORECASE)
"""The endings of keys that may hold calls, arguments or an answer, if their values are no plain words or numbers."""
_REFERENCE = re.compile(r'\{(?:"(?:type|tool_name)": "[^"\\]*",? ?){2}\}')
"""A reference to a tool, as it stands in the result of a search for tools."""
_DECLARING = ("tools", "tool_choice", "message", "choices", "output", "item", "response")
"""The keys with declarations of tools, and those that are searched part by part."""
_SPOKEN = ("content", "text", "refusal", "reasoning", "reasoning_content", "thinking", "summary", "output_text")
"""The keys under which a text is the model's reply."""
_QUOTING = ("annotations", "logprobs", "metadata")
"""The keys of what is told about words, or comes from the request. A tool's name in them is no call by itself."""


def strange_calls(answer: Any, tools: Collection[str] = ()) -> list[GivenCall]:
    """Return everything in an answer that looks like a call and was not read.

    A name of `tools` looks like a call, too.
    """
    body = plain(answer)
    found = [(name, body.get(name)) for name in _PARTS if name not in type(answer).model_fields]
    found += _strange("answer", body, _READ, tools)
    return [GivenCall(name, as_text({"part": own}), None) for name, own in found if own]


def _strange(name: str, value: Any, read: Mapping[str, Any], tools: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield the possible calls at any depth: values under telling keys, and objects with a name and arguments."""
    if isinstance(value, list):
        for own in value:
            yield from _strange(name, own, read, tools)
    elif isinstance(value, dict):
        # A tool's schema has names of arguments but is no call.
        parts = {key: own for key, own in value.items() if not (key in _SCHEMAS and "properties" in plain(own))}
        if read is _FUNCTION and not str(parts.get("type", "call")).endswith(("call", "use")):
            read = _UNREAD  # Only the arguments of calls are decided on.
        is_named = any(isinstance(parts.get(own), str) for own in NAMES)
        # Only the first arguments are read, so second ones next to them are strange.
        second = sum(bool(parts.get(own)) for own in ARGUMENTS) > ("arguments" in read)
        # If a function is nested, only that is read; and a message has no arguments.
        within = any(isinstance(parts.get(own), dict) for own in ("function", "custom"))
        if read is _CALL and not (within or is_named):
            return  # A call of an unknown kind is decided on as a whole.
        within |= "role" in parts or parts.get("type") == "message"
        if (is_named and second) or (within and any(parts.get(own) for own in ARGUMENTS)):
            yield name, value
            return
        for key, own in parts.items():
            inner = _UNREAD if key == "message" and isinstance(own, list) else read.get(key, _UNREAD)
            if inner is _UNREAD and _may_be_call(str(key), own, tools):
                yield str(key), own
            elif inner is not None:
                # Where no name of a tool was found, none has to be looked for within.
                is_searched = inner is _UNREAD and isinstance(own, list | dict) and key not in _DECLARING
                yield from _strange(str(key), own, inner, () if is_searched else tools)


def _may_be_call(key: str, value: Any, tools: Collection[str]) -> bool:
    """Return whether an unread value may be a call: by its key, or by a tool's name in it."""
    if isinstance(value, str) and plain_name(key) in CALLS:
        return True
    is_json = isinstance(value, str) and value.lstrip()[:1] in ("[", "{", '"')
    if not is_json and not isinstance(value, list | dict):
        return False
    if SAYS_CALLS.search(key) and (is_json or _has_text(value) or "parsed" in key.lower()):
        return True
    if not tools or key in (_SPOKEN if is_json else _DECLARING) or key in _QUOTING:
        return False
    text = value if isinstance(value, str) else _REFERENCE.sub("", as_text(_unspoken({key: value})))
    return any(f'"{own}"' in text or f'\\"{own}\\"' in text for own in tools)


def _unspoken(value: Any) -> Any:
    """Return a value without the words in it, which may have the name of a tool."""
    if isinstance(value, list):
        return [_unspoken(own) for own in value]
    if not isinstance(value, dict):
        return value
    found = {key: _unspoken(own) for key, own in value.items() if key not in _QUOTING}
    for key in [own for own in _SPOKEN if own in found]:
        own = found[key] if isinstance(found[key], list) else [found[key]]
        found[key] = [each for each in own if not isinstance(each, str)]
    return found


def _has_text(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, str) or any(map(_has_text, inner))


def may_call(name: str, value: Any) -> bool:
    """Return whether an unread field may contain a call."""
    return any(own for _, own in _strange("", {name: value}, _UNREAD, ()))


_WHOLE = ("role", "id", "type", "index", "finish_reason")
"""The fields of messages that a stream never sends in pieces."""


def joined(before: Any, more: Any, name: str = "") -> Any:
    """Return two pieces of a stream as one. Raises `InputError` for pieces of different types."""
    if isinstance(more, list) and isinstance(before or [], list):
        items = [*(before or ())]
        for own in more:
            index, id = plain(own).get("index"), plain(own).get("id")
            alike = [at for at, each in enumerate(items) if index is not None and plain(each).get("index") == index]
            at = alike[-1] if alike else len(items)
            # Some servers give all calls one index; others give each piece of a call another id.
            is_new = not alike or (
                id not in (None, "", items[at].get("id")) and any(plain(x).get("name") for x in own.values())
            )
            items[len(items) if is_new else at : at + 1] = [own if is_new else joined(items[at], own)]
        return items
    if not before or not more:
        return before or more
    if isinstance(before, dict) and isinstance(more, dict):
        return {**before, **{key: joined(before.get(key), own, key) for key, own in more.items()}}
    if type(before) is not type(more):
        raise InputError(f"the stream tells {name!r:.40} in two ways, so it is refused on a guarded client")
    return before + more if isinstance(more, str) and name not in _WHOLE and (name, more) != ("name", before) else more


def settled(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request with its history and tools as lists, because an iterator could be read only once."""
    found = {**request}
    for name in ("messages", "input", "system", "tools", "functions"):
        own = request.get(name)
        if own is None or (name in ("input", "system") and isinstance(own, str)):
            continue
        found[name] = _listed(own)
        for place, each in enumerate(found[name]):
            if not (isinstance(each, Mapping) or hasattr(each, "model_dump")):
                raise InputError(f"{name}[{place}]: it has to be an object, not {each!r:.60}")
            found[name][place] = _with_content(each)
    return found


def _with_content(message: Any) -> Any:
    """Return a message, or a part with a content of its own, with its content as a list."""
    content = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(content, Iterable) or isinstance(content, str | bytes | Mapping):
        return message
    return {**message, "content": [_with_content(own) for own in content]}


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping) else [value]


def given_call(tool: str, arguments: Any, id: Any, namespace: Any = None) -> GivenCall:
    """Return a call as a model gave it, with `{}` for missing arguments. A namespace goes before the tool's name."""
    tool = f"{as_text(namespace)}.{tool}" if namespace else tool
    is_empty = arguments is None or (isinstance(arguments, str) and not arguments.strip())
    return GivenCall(tool, "{}" if is_empty else arguments, id if isinstance(id, str) and id else None)


def told_ids(ids: Sequence[str | None]) -> list[str]:
    """Return ids of calls for the model: its own ids if they are unique, or new ones."""
    return [own if own and ids.count(own) == 1 else f"guarded_call_{place}" for place, own in enumerate(ids)]


def shape_name(format: Any, name: Any) -> str | None:
    """Return the name of the schema in a response format, "" for one without a name, or None for plain text."""
    given = plain(format or {})
    if not given or given.get("type") == "text":
        return None
    return name if isinstance(name, str) else ""


def words_in(content: Any) -> tuple[str, list[Any]]:
    """Return the text of a content, and its parts of unknown types, which may be calls."""
    parts = content if isinstance(content, list | tuple) else ()
    strange = [own for own in parts if not isinstance(own, str) and plain(own).get("type") not in WORDS]
    return text_of(content), strange


def as_text(value: Any) -> str:
    """Return arguments as JSON text with exact numbers."""
    found = value if isinstance(value, str) else recorded(value)
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def with_usage(answer: Any, usages: Sequence[Any]) -> Any:
    """Return an answer with the summed usage of all attempts, or None as usage if no attempt has one."""
    if len(usages) < 2:
        return answer
    known = [own for own in usages if isinstance(own, Mapping) or hasattr(own, "model_dump")]
    known = [own for own in known if not may_call("usage", plain(own))]
    total: Any = plain(known[0]) if known else None
    for own in known[1:]:
        total = _added(total, plain(own))
    # Other servers omit required fields, so nothing is validated.
    is_model = known and hasattr(known[0], "model_construct")
    return answer.model_copy(update={"usage": type(known[0]).model_construct(**total) if is_model else total})


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {name: _added(one.get(name), other.get(name)) for name in {**one, **other}}
    if isinstance(one, bool) or isinstance(other, bool) or not isinstance(one, int | float):
        return other if one is None else one
    return one + other if isinstance(other, int | float) else one
