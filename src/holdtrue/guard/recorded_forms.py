"""Read one message of a recorded conversation in any known form: its speaker, texts, calls and results.

Reading is strict, so that no call is lost silently. An unknown role, an unknown part, or an unread part that could hold
a call raises `RecordError` with its key.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.recorded_words import (
    ARGUMENTS,
    CALLS,
    ERRORS,
    FAILED,
    KINDS,
    MADE,
    NAMES,
    ROLES,
    SAID,
    SPEAKING,
    STOPPED,
    SUCCEEDS,
    TEXTS,
    between,
    is_id,
    json_in,
    listed,
    load_once,
    mark_in,
    plain_name,
)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A `WrittenCall` is a call in a message. `arguments` is None if its `text` is no JSON object."""

    id: str | None
    tool: str
    text: str
    arguments: Mapping[str, Any] | None
    failed: bool = False
    """Whether the call itself is marked as failed."""

    @property
    def key(self) -> tuple[str, str]:
        """Return a key that copies of one call share: the tool, and the arguments in a canonical spelling."""
        return self.tool, self.text if self.arguments is None else json.dumps(self.arguments, sort_keys=True)


@dataclass(frozen=True, slots=True)
class WrittenResult:
    """A `WrittenResult` is a result in a message.

    `surely` says whether the key of `id` names a call, like `tool_call_id`, and is not just "id". It is also true if
    there is no id.
    """

    id: str | None
    surely: bool
    tool: str | None
    text: str
    failed: bool

    def unwrapped(self, tools: Collection[str]) -> WrittenResult:
        """Return the result without an envelope of only a tool's name, a content and perhaps an id."""
        named = self.tool is None and any(f'"{own}"' in self.text for own in tools)
        own: Any = json_in(self.text, "") if named else None
        kept = {key: said for key, said in own.items() if not is_id(key)} if isinstance(own, dict) else {}
        if len(kept) == 2 and kept.keys() & {*SAID} and any(kept.get(key) in (*tools,) for key in NAMES):
            inner = RecordedMessage("", "tool")
            _result(inner, {"id": self.id, **own}, "")
            return replace(inner.results[0], failed=self.failed)
        return self


@dataclass(slots=True)
class RecordedMessage:
    """A `RecordedMessage` has a `role` (user, assistant, tool or system) and its contents.

    `unknown` are unread parts.
    """

    where: str
    role: str
    texts: list[str] = field(default_factory=list)
    calls: list[WrittenCall] = field(default_factory=list)
    results: list[WrittenResult] = field(default_factory=list)
    unknown: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def read_message(value: object, where: str, *, written_calls: bool = True) -> RecordedMessage:
    """Return one message. Raises `RecordError`, which begins with `where`, for a part that is not understood.

    `written_calls` says whether calls that a model wrote into its text are calls.
    """
    given = expect(value, dict, where)
    for inner in () if "role" in given else ("data", "kwargs"):  # LangChain's two ways to write a message down
        if isinstance(given.get(inner), dict) and "content" not in given:
            given = _unwrapped(given, inner, where)
    kind = KINDS.get(plain_name(str(given["type"])), "text") if "type" in given else "text"
    if kind in ("call", "result") or (kind in ("silent", "media", "paper") and "role" not in given):
        found = RecordedMessage(where, {"call": "assistant", "result": "tool"}.get(kind, "system"))
        _part(found, given, where)
        return found
    named = next((given[key] for key in ("role", "from", "type") if given.get(key) is not None), None)
    if named is None:
        raise RecordError(f"{where}: role is missing")
    plain = plain_name(expect(named, str, f"{where}.role"))
    found = RecordedMessage(where, ROLES.get(plain, ""))
    if plain in CALLS:
        read_call(found, {key: own for key, own in given.items() if key in ("content", "value")}, where)
    elif found.role == "tool":
        _tool_message(found, given, where)
    elif found.role:
        _speech(found, given, where)
        if written_calls and found.role == "assistant":
            _calls_in_text(found, where)
    else:
        raise RecordError(f"{where}: the role {named!r:.40} is not known")
    if found.calls and found.role in ("tool", "system"):
        raise RecordError(f"{where}: there is a call in a message of role {found.role}")
    if found.role == "user" and between(found.text, "tool_response")[0]:
        raise RecordError(f"{where}: <tool_response> in the words of a user is not understood")
    return found


def reply_in(value: object) -> list[Any]:
    """Return the messages of a server's reply, or none if the value is no known reply."""
    match value:
        case {"choices": [{"message": dict() as own}]} | [{"message": dict() as own}] | {"message": dict() as own}:
            return [own]
        case {"candidates": [{"content": dict() as own}]} | [{"content": {"parts": list()} as own}]:
            return [own]
        case {"output": list() | dict() as own}:
            return reply_in(own)
        case {"role": str()} as own:
            return [own]
        case [*several] if all(isinstance(own, dict) and own.keys() & {"role", "type"} for own in several):
            return several
    return []


def _unwrapped(given: Mapping[str, Any], inner: str, where: str) -> dict[str, Any]:
    """Return the message under a key. Keys next to it stay, since they may hold calls.

    Raises `RecordError` for a key that stands in both places with different values.
    """
    message = given[inner]
    beside = {key: value for key, value in given.items() if key not in (inner, "type", "id", "lc")}
    for key, value in beside.items():
        if message.get(key, value) != value:
            raise RecordError(f"{where}: {key} and {inner}.{key} differ")
    return {**beside, **message, "type": (given if inner == "data" else message).get("type")}


def _speech(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    """Read a message of a user, an assistant or the system: its content or parts, and its calls."""
    known = [*SPEAKING]
    for key in [own for own in ("content", "parts", "value") if own in given] or ("text",):
        own = given.get(key)
        known.append(key)
        if isinstance(own, str):
            found.texts.append(own)
            continue
        if isinstance(own, dict) and isinstance(own.get("parts"), list):
            own = own["parts"]
        before, found.texts = found.texts, []
        for place, part in enumerate(listed(own)):
            _part(found, part, f"{where}.{key}[{place}]" if isinstance(own, list) else f"{where}.{key}")
        found.texts = found.texts or before  # Parts may repeat the content.
    for key, own in given.items():
        written = own or (own is not None and plain_name(key) in ARGUMENTS)
        if key not in known and written and plain_name(key) in CALLS and not found.calls:  # Other keys hold copies.
            known.append(key)
            for place, call in enumerate(listed(_from_json(own, f"{where}.{key}"))):
                read_call(found, call, f"{where}.{key}[{place}]")
    _keep(found, given, known, where)


def _tool_message(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    """Read a message of a tool: one result, results among its parts, or messages of several tools."""
    said = next(
        (given[key] for key in ("tool_messages", "content", "parts", "value") if given.get(key) is not None), ""
    )
    parts = [kind for own in listed(said) if isinstance(own, dict) for kind in _kinds_of(own).values()]
    if "tool_messages" in given:
        for place, own in enumerate(listed(said)):
            _tool_message(found, expect(own, dict, where), f"{where}.tool_messages[{place}]")
    elif "result" in parts or "call" in parts:
        for place, part in enumerate(listed(said)):
            _part(found, part, f"{where}.content[{place}]")
        _keep(found, given, (*SPEAKING, *given.keys() & {"content", "parts", "value"}), where, ids=True)
    else:
        several = between(said, "tool_response")[0] if isinstance(said, str) else []
        for own in several or [said]:
            _result(found, {**given, "content": own} if several else given, where)


def _kinds_of(part: Mapping[str, Any]) -> dict[str, str]:
    """Return the kinds of a part by its type, or by those of its keys that name a kind."""
    type = part.get("type")
    return {
        own: KINDS[plain_name(own)] for own in ([type] if isinstance(type, str) else part) if plain_name(own) in KINDS
    }


def _part(found: RecordedMessage, part: object, where: str) -> None:
    """Read one part of a content. In Gemini and Bedrock, the only key of a part names its kind."""
    if isinstance(part, str):
        found.texts.append(part)
        return
    own = expect(part, dict, where)
    type, kinds = own.get("type"), _kinds_of(own)
    if isinstance(type, str) and type.startswith("tool-") and not kinds and "toolCallId" in own:  # Vercel's UI messages
        kinds, own = {type: "call"}, {"toolName": type.removeprefix("tool-"), **own}
    if not kinds:
        what = f"of type {type!r:.40}" if isinstance(type, str) else f"with {', '.join(own) or 'nothing in it':.80}"
        raise RecordError(f"{where}: a part {what} is not understood")
    for name, kind in kinds.items():
        inner = own if isinstance(type, str) else own[name]
        match kind, inner:
            case "text", str():
                found.texts += [] if own.get("thought") is True else [inner]
            case "text", dict() if key := next((key for key in TEXTS if isinstance(inner.get(key), str)), None):
                found.texts.append(inner[key])
                _keep(found, inner, ("type", key), where)
            case "call", dict():
                read_call(found, inner, where)
            case "result", dict():
                _result(found, inner, where)
            case "silent" | "media" | "paper", _:
                _keep(found, inner if isinstance(inner, dict) else {name: inner}, ("type",), where)
            case _ if inner is not None:
                raise RecordError(f"{where}: a part with {name:.40} is not understood")
    if not isinstance(type, str):
        _keep(found, own, tuple(kinds), where)


def read_call(found: RecordedMessage, given: object, where: str) -> None:
    """Read one call. Its name and arguments may be in an inner object, or in JSON text."""
    call = expect(_from_json(given, where), dict, where)
    inner = (key for key, own in call.items() if isinstance(own, dict) and key not in ARGUMENTS)
    wrapper = next((key for key in inner if key in ("function", "params") or plain_name(key) in CALLS), None)
    own = call if wrapper is None else call[wrapper]
    name = next((key for key in NAMES if isinstance(own.get(key), str) and own[key]), None)
    if name is None:
        text = next((call[key] for key in TEXTS if isinstance(call.get(key), str | list)), None)
        if text is None:
            raise RecordError(f"{where}: the name of a function is missing")
        for each in listed(_from_json(text, where)):
            read_call(found, {**call, **dict.fromkeys(TEXTS), **expect(each, dict, where)}, where)
        return
    key = next((key for key in ARGUMENTS if key in own), None)
    known = {"type", "index", "id", "state", "status", *NAMES, *SAID, *FAILED, key, wrapper}
    if key is None and (name in ("function", "tool") or any(each not in known for each in own if not is_id(each))):
        raise RecordError(f"{where}: the arguments of {own[name]:.40} are missing, or written under another key")
    id, _ = _id_of({**own, **call})
    beside = {each: value for each, value in {**own, **call}.items() if each not in (*ARGUMENTS, *SAID, wrapper)}
    failed = any(_says_failure(each, value, "") for each, value in beside.items())
    found.calls.append(WrittenCall(id, own[name], *_arguments({} if key is None else own[key]), failed))
    for each in (call, own) if wrapper else (call,):
        _keep(found, each, known, where, ids=True)
    if any(own.get(each) is not None for each in ("output", "result", "errorText")):  # The call contains its result.
        _result(found, {each: value for each, value in own.items() if each not in ARGUMENTS}, where)


def _arguments(given: object) -> tuple[str, Mapping[str, Any] | None]:
    """Return arguments as text and as values. The values are None if they are no JSON object."""
    if isinstance(given, dict):
        return json.dumps(given), given
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, None
    return text, value if isinstance(value, dict) else None


def _result(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    key = next((key for key in (*SAID, "parts") if given.get(key) is not None), None)
    known = {*SPEAKING, *NAMES, *SAID, *FAILED, "state", "status", "parts"}
    # A name next to arguments may be another call, and not the tool of this result.
    known -= {*NAMES} if any(given.get(own) for own in ARGUMENTS) else set()
    if key is None and any(isinstance(own, dict | list) for name, own in given.items() if name not in known):
        raise RecordError(f"{where}: a result has no content, or has it under another key")
    said = None if key is None else given[key]
    if key == "response" and isinstance(said, dict) and len(said) == 1:  # Gemini wraps scalars so
        given = {**said, **given}
        said = next((said[own] for own in ("output", "result") if own in said), said)
    text, wrong = _result_text(said, where)
    wrong = wrong or next(
        (own or name for name, own in given.items() if name != key and _says_failure(name, own, where)), None
    )
    id, surely = _id_of(given)
    tool = next((given[own] for own in NAMES if isinstance(given.get(own), str)), None)
    found.results.append(WrittenResult(id, surely, tool, json.dumps(wrong) if wrong and not key else text, bool(wrong)))
    _keep(found, given, known, where, ids=True)


def _says_failure(key: str, value: Any, where: str) -> bool:
    """Return whether a key and its value, next to a call or result, report a failure in a recorder's words.

    Raises `RecordError` for a result's status of unknown meaning. For a call, `where` is "" and any status is accepted.
    """
    if isinstance(value, Mapping):
        is_error = bool(value) and any(own in plain_name(key) for own in ERRORS)
        inner = (_says_failure(own, each, "") for own, each in value.items())
        return is_error or (plain_name(key) not in CALLS and any(inner))
    name, said = plain_name(key), plain_name(value) if isinstance(value, str) else str(value).lower()
    if str(value).removeprefix("-").isdecimal() and (
        name.endswith("status") or name.startswith(("exit", "return", "status"))
    ):
        return int(value) not in (0, *range(200, 300))  # The exit status of a process, or the status of HTTP.
    if name in ("code", "httpcode") and str(value).isdecimal() and len(str(value)) == 3:
        return int(value) >= 400
    is_status = name.endswith(("status", "state", "outcome"))
    if is_status or name == "ok" or any(own in name for own in SUCCEEDS):
        said = said.removeprefix(name)
        if is_status and where and said not in MADE | {"false", "none", ""} and not any(own in said for own in STOPPED):
            raise RecordError(f"{where}: {key} {said!r:.40} does not say whether the call was made")
        return said not in MADE and (said in ("false", "0", "no") or any(own in said for own in STOPPED))
    of_error = any(own in name for own in ERRORS)
    # An id or a title may begin with such a word, so only a word alone tells of a failure.
    is_word = isinstance(value, str) and value.isalpha() and said.startswith((*STOPPED,))
    is_word = is_word and key not in (*SPEAKING, *NAMES) and not is_id(key)
    stops = value is True and any(own in name for own in STOPPED)
    return stops or is_word or (of_error and bool(value) and said not in ("false", "none", "null", "no", "0"))


def _result_text(said: Any, where: str) -> tuple[str, Any]:
    """Return a result as text (JSON for other values), and whether its form marks an error."""
    match said:
        case str() | None:
            return said or "", False
        case {"type": str(type), "value": value} if len(said) == 2:
            return _result_text(value, where)[0], type.startswith("error")
        case {"type": str(type)} if said.keys() <= {"type", "reason"} and type.startswith(("execution-", "error-")):
            return json.dumps(said), True
        case {"type": str(type)} if KINDS.get(plain_name(type)) == "paper":
            return _result_text([said], where)
        case list() if said and all(isinstance(own, str) or _says_text(own) for own in said):
            texts = [own if isinstance(own, str) else _part_text(own, where) for own in said]
            if any(own is not None for own in texts):
                beside = ((key, each) for own in said if isinstance(own, dict) for key, each in own.items())
                failed = any(_says_failure(key, each, "") for key, each in beside if key not in (*TEXTS, *SPEAKING))
                return "\n".join(own for own in texts if own is not None), failed
    return json.dumps(said), False


def _says_text(part: object) -> bool:
    """Return whether an object is a content part. An object of several keys without a type may be a record."""
    if not isinstance(part, dict) or (len(part) > 1 and not isinstance(part.get("type", part.get("text")), str)):
        return False
    return part.keys() == {"json"} or bool(_kinds_of(part))


def _part_text(part: Mapping[str, Any], where: str) -> str | None:
    """Return the text of a part of a result, or None for a picture, sound or file without a text."""
    if "json" in part:
        return json.dumps(part["json"])
    (type, kind), *_ = _kinds_of(part).items()
    inner = next((own for own in part.values() if isinstance(own, dict)), part)
    keys = TEXTS if kind == "media" else (*TEXTS, "data")
    said = next((own[key] for own in (part, inner) for key in keys if own.get(key) is not None), None)
    if said is None and kind != "media":
        raise RecordError(f"{where}: a part of a result, of type {type:.40}, is not understood")
    return None if said is None else _result_text(said, where)[0]


def _id_of(given: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return the id of a call, and whether its key says that it belongs to a call."""
    for key in (*filter(is_id, given), "id"):
        own = given.get(key)
        own = own[0] if isinstance(own, list) and len(own) == 1 else own
        if own is not None and own != "":
            return str(own), key != "id"
    return None, True


def _from_json(value: object, where: str) -> Any:
    """Return the values of a JSON text, and any other value unchanged."""
    try:
        return load_once(value, where) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: a call that is no JSON: {error}") from error


def _calls_in_text(found: RecordedMessage, where: str) -> None:
    """Read calls that a model wrote into its text between tags. Any other mark of a call raises `RecordError`."""
    text = found.text
    tagged, without = between(text, "tool_call")
    if tagged:
        written = RecordedMessage(where, found.role)
        for own in tagged:
            read_call(written, own, where)
        found.texts = [text := without]
        known = {own.key for own in found.calls}
        if known and not {own.key for own in written.calls} <= known:
            raise RecordError(f"{where}: its text has other calls than the message itself")
        found.calls = found.calls or written.calls
        found.unknown += written.unknown
    if mark := mark_in(text):
        raise RecordError(f"{where}: a call in a text, at {mark.group():.40}, is not understood")


def _keep(
    found: RecordedMessage, given: Mapping[str, Any], known: Collection[Any], where: str, *, ids: bool = False
) -> None:
    """Keep unread parts of a message for the search for hidden calls.

    If `ids` is false, no call and no result was read here, so the id of a call raises `RecordError`.
    """
    rest = {key: own for key, own in given.items() if own and key not in known and not (ids and is_id(key))}
    if strange := next(filter(is_id, rest), None):
        raise RecordError(f"{where}.{strange}: the id of a call where no call and no result is understood")
    if rest:
        found.unknown.append((where, rest))
