"""Read messages of recorded conversations in the forms that recorders write: who speaks, texts, calls and results.

Reading is strict. An unknown role, an unknown part, or anything that could hold a call and was not read as one raises
`RecordError` with its key, so that no call is lost in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as a message has it: `text` are its arguments as they were written, `arguments` None if no object."""

    id: str | None
    tool: str
    text: str
    arguments: Mapping[str, Any] | None

    @property
    def key(self) -> tuple[str, str]:
        """Return what two copies of a call have in common: the tool, and the arguments in one spelling."""
        own = self.arguments
        return self.tool, self.text if own is None else json.dumps(own, sort_keys=True)


@dataclass(frozen=True, slots=True)
class WrittenResult:
    """A result as a message has it, with the `id` of its call and the name of its tool, as far as it names them.

    `surely` says whether the id is called that of a call; else it may be that of the message.
    """

    id: str | None
    tool: str | None
    text: str
    failed: bool
    surely: bool = True


@dataclass(slots=True)
class RecordedMessage:
    """One message: the `role` is `user`, `assistant`, `tool` or `system`, and `unknown` what was not read of it."""

    where: str
    role: str
    texts: list[str] = field(default_factory=list)
    calls: list[WrittenCall] = field(default_factory=list)
    results: list[WrittenResult] = field(default_factory=list)
    unknown: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


_ROLES = {
    name: role
    for role, names in {
        "user": "user human humanmessage",
        "assistant": "assistant ai model gpt chatbot bot aimessage aimessagechunk",
        "tool": "tool function observation ipython toolresponse toolresult functionresponse toolmessage",
        "system": "system developer systemmessage",
        "call": "toolcall functioncall",
    }.items()
    for name in names.split()
}
KINDS = {
    name: kind
    for kind, names in {
        "text": "text inputtext outputtext refusal",
        "call": "toolcall tooluse functioncall servertooluse mcptooluse customtoolcall",
        "result": "toolresult mcptoolresult toolcallresponse toolcallresult toolcalloutput toolresponse "
        "functioncalloutput functionresponse customtoolcalloutput websearchtoolresult",
        "both": "toolinvocation dynamictool mcpcall",
        "silent": "thinking redactedthinking reasoning reasoningtext reasoningcontent thought thoughtsignature "
        "summarytext image imageurl inputimage imagefile inlinedata filedata videometadata audio inputaudio "
        "outputaudio video videourl media file inputfile document blob uri source sourceurl sourcedocument stepstart "
        "cachepoint guardcontent citationscontent json",
    }.items()
    for name in names.split()
}
"""The kinds of parts, by the `type` of a part, or by its one key where a part has no type."""
CALLS = {"toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse", "tooluses", "toolinvocation"}
CALLS |= {"toolinvocations", "invalidtoolcalls", "arguments", "args"}
"""Keys that calls are written under, small and without signs."""
NAMES, ARGUMENTS = ("name", "toolName", "tool_name", "function", "tool"), ("arguments", "args", "input", "parameters")
_WRAPPERS = (
    "function",
    "functionCall",
    "function_call",
    "toolUse",
    "tool_use",
    "toolInvocation",
    "toolCall",
    "tool_call",
)
_IDS = ("tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "call_id", "callId", "tool_call_ids", "id")
_SAID = ("content", "output", "result", "response", "value", "text")
_FAILED = ("is_error", "isError", "error", "errorText", "status")
_HERMES = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_GIVEN_BACK = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)
MARKS = re.compile(
    r"<\W{0,2}(?:\w+:)?(?:tool|function)(?:[\s_▁-]?(?:calls?|use)\b|=)|<(?:\w+:)?invoke\b|\[TOOL_CALLS\]|<\|python_tag\|>"
    r"|```tool_code|^\W*Action\W*:.*\n+\W*Action Input\W*:",
    re.IGNORECASE | re.MULTILINE,
)
"""Marks by which models write calls into their texts."""


@lru_cache(4096)
def plain_name(key: str) -> str:
    """Return a key small and without signs, so that `toolCalls`, `tool_calls` and `tool-calls` are one."""
    return "".join(filter(str.isalnum, key)).lower()


def read_message(value: object, where: str) -> RecordedMessage:
    """Return one message. Raises `RecordError`, which begins with `where`, for what is not understood."""
    given = expect(value, dict, where)
    for inner in ("data", "kwargs"):  # LangChain's two ways to write a message down
        if isinstance(given.get(inner), dict) and "content" not in given and "role" not in given:
            given = {**given[inner], "type": given.get("type") if inner == "data" else given[inner].get("type")}
    kind = KINDS.get(plain_name(str(given.get("type"))))
    if kind in ("call", "result", "both") or (kind == "silent" and "role" not in given):
        found = RecordedMessage(
            where, {"call": "assistant", "both": "assistant", "result": "tool"}.get(str(kind), "system")
        )
        _part(found, given, where)
        return found
    named = next((given[key] for key in ("role", "from", "type") if given.get(key) is not None), None)
    if named is None:
        raise RecordError(f"{where}: role is missing")
    role = _ROLES.get(plain_name(expect(named, str, f"{where}.role")))
    if role is None:
        raise RecordError(f"{where}: the role {named!r:.40} is not known")
    found = RecordedMessage(where, "assistant" if role == "call" else role)
    if role == "tool":
        _tool_message(found, given, where)
    elif role == "call":
        said = next((given[key] for key in ("content", "value") if key in given), None)
        for own in listed(_from_json(said, where)):
            read_call(found, own, where)
        _keep(found, given, (*_SPEAKING, "content", "value"), where)
    else:
        _speech(found, given, where)
    return _checked(found, where)


def _checked(found: RecordedMessage, where: str) -> RecordedMessage:
    """Return a message whose calls and results are those that its role may have."""
    if found.role == "assistant":
        _calls_in_text(found, where)
    if found.calls and found.role in ("tool", "system"):
        raise RecordError(f"{where}: there is a call in a message of role {found.role}")
    if found.role == "user" and _GIVEN_BACK.search(found.text):
        raise RecordError(f"{where}: <tool_response> in the words of a user is not understood")
    return found


_SPEAKING = ("role", "from", "type", "name", "id", "refusal")


def _speech(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    """Read a message of somebody who speaks: its content or parts, and its calls beside them."""
    known = list(_SPEAKING)
    for key in ("content", "parts", "value", "text"):
        if given.get(key) is None or (key == "text" and "content" in given):
            continue
        known.append(key)
        own = given[key]
        if isinstance(own, dict) and isinstance(own.get("parts"), list):
            own = own["parts"]
        before = found.texts
        found.texts = []
        for place, part in enumerate(listed(own)):
            _part(found, part, f"{where}.{key}[{place}]" if isinstance(own, list) else f"{where}.{key}")
        found.texts = found.texts or before  # Parts may say again what the content says.
    for key, own in given.items():
        plain = plain_name(key)
        if key in known or not own or plain not in CALLS or (plain in ("functioncall", "toolcall") and found.calls):
            continue
        known.append(key)
        read = _both if plain.startswith("toolinvocation") else read_call
        for place, call in enumerate(listed(_from_json(own, f"{where}.{key}"))):
            read(found, call, f"{where}.{key}[{place}]")
    _keep(found, given, known, where)


def _tool_message(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    """Read a message of a tool: one result, the results among its parts, or messages of several tools."""
    for place, own in enumerate(given.get("tool_messages") or ()):
        _tool_message(found, expect(own, dict, f"{where}.tool_messages[{place}]"), f"{where}.tool_messages[{place}]")
    if given.get("tool_messages"):
        return
    said = next((given[key] for key in ("content", "parts", "value") if given.get(key) is not None), None)
    parts = [own for own in listed(said) if isinstance(own, dict) and _kinds_of(own) & {"result", "call", "both"}]
    if parts:
        for place, part in enumerate(listed(said)):
            _part(found, part, f"{where}.content[{place}]")
        _keep(found, given, (*_SPEAKING, *_IDS, *NAMES, "content", "parts", "value"), where)
    elif isinstance(said, str) and (several := _GIVEN_BACK.findall(said)):
        for own in several:
            _result(found, {**given, "content": own}, where)
    else:
        _result(found, given, where)


def _kinds_of(part: Mapping[str, Any]) -> set[str | None]:
    type = part.get("type")
    return {KINDS.get(plain_name(own)) for own in ([type] if isinstance(type, str) else map(str, part))}


def _part(found: RecordedMessage, part: object, where: str) -> None:
    """Read one part of a content."""
    if isinstance(part, str):
        found.texts.append(part)
        return
    own = expect(part, dict, where)
    type = own.get("type")
    if not isinstance(type, str):
        _untyped_part(found, own, where)
        return
    kind = KINDS.get(plain_name(type))
    if kind is None and type.startswith("tool-") and "toolCallId" in own:
        kind, own = "both", {"toolName": type.removeprefix("tool-"), **own}
    match kind:
        case "text":
            key = next((key for key in ("text", "content", "value", "refusal") if isinstance(own.get(key), str)), None)
            if key is None:
                raise RecordError(f"{where}: a part of type {type!r:.40} has no text")
            found.texts.append(own[key])
            _keep(found, own, ("type", key), where)
        case "call":
            read_call(found, own, where)
        case "result":
            _result(found, own, where)
        case "both":
            _both(found, own, where)
        case "silent":
            _keep(found, own, ("type",), where)
        case _:
            raise RecordError(f"{where}: a part of type {type!r:.40} is not understood")


def _untyped_part(found: RecordedMessage, part: Mapping[str, Any], where: str) -> None:
    """Read a part whose one key says what it is, as Gemini and Bedrock have them."""
    known = {key: kind for key in part if (kind := KINDS.get(plain_name(key)))}
    if not known:
        raise RecordError(f"{where}: a part with {', '.join(map(repr, part)) or 'nothing in it':.80} is not understood")
    for key, kind in known.items():
        own = part[key]
        match kind:
            case "text" if isinstance(own, str):
                found.texts += [] if part.get("thought") is True else [own]
            case "call" if isinstance(own, dict):
                read_call(found, own, f"{where}.{key}")
            case "result" if isinstance(own, dict):
                _result(found, own, f"{where}.{key}")
            case "silent":
                _keep(found, {key: own}, (), where)
            case _ if own is not None:
                raise RecordError(f"{where}.{key} is not understood")
    _keep(found, part, tuple(known), where)


def read_call(found: RecordedMessage, given: object, where: str) -> None:
    """Read one call; its name and arguments may stand in an object of their own, or be JSON in a text."""
    call = expect(_from_json(given, where), dict, where)
    wrapper = next((key for key in _WRAPPERS if isinstance(call.get(key), dict)), None)
    own = call if wrapper is None else call[wrapper]
    name = next((key for key in NAMES if isinstance(own.get(key), str) and own[key]), None)
    if name is None:
        text = next((call[key] for key in ("value", "content", "text") if isinstance(call.get(key), str)), None)
        if text is None:
            raise RecordError(f"{where}: the name of a function is missing")
        for each in listed(_from_json(text, where)):
            read_call(found, {**expect(each, dict, where), **{key: call[key] for key in _IDS if key in call}}, where)
        return
    key = next((key for key in ARGUMENTS if key in own), None)
    known = ("type", "index", *_IDS, *NAMES, *_SAID, "state", *_FAILED, *filter(None, (key, wrapper)))
    if key is None and (name in ("function", "tool") or not own.keys() <= set(known)):
        raise RecordError(f"{where}: the arguments of {own[name]:.40} are missing, or written under another key")
    found.calls.append(WrittenCall(_id_of({**own, **call})[0], own[name], *_arguments({} if key is None else own[key])))
    _keep(found, call, known, where)
    _keep(found, {} if wrapper is None else own, known, where)


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


def _both(found: RecordedMessage, given: object, where: str) -> None:
    """Read a call that has its result, if it has come, within itself."""
    call = expect(given, dict, where)
    read_call(found, call, where)
    inner = call.get("toolInvocation")
    own = inner if isinstance(inner, dict) else call
    if any(own.get(key) is not None for key in ("output", "result", "errorText", "error")):
        _result(found, {key: value for key, value in own.items() if key not in ARGUMENTS}, where)


def _result(found: RecordedMessage, given: Mapping[str, Any], where: str) -> None:
    """Read one result."""
    key = next((key for key in _SAID if given.get(key) is not None), None)
    known = (*_SPEAKING, *_IDS, *NAMES, *_SAID, *_FAILED, "state", "parts")
    if key is None and any(isinstance(own, dict | list) for name, own in given.items() if name not in known):
        raise RecordError(f"{where}: a result has no content, or has it under another key")
    said = given.get("parts") if key is None else given[key]
    if key == "response" and isinstance(said, dict) and len(said) == 1:  # Gemini's wrapping of what is no object
        said = next((said[own] for own in ("output", "result") if own in said), said)
    text, wrong = _result_text(said)
    wrong |= any(given.get(own) for own in _FAILED[:-1]) or str(given.get("status")).lower() in ("error", "failed")
    if key is None and wrong:
        text = json.dumps(next((given[own] for own in _FAILED if given.get(own)), None))
    id, surely = _id_of(given)
    tool = next((given[own] for own in NAMES if isinstance(given.get(own), str)), None)
    found.results.append(WrittenResult(id, tool, text, wrong, surely))
    _keep(found, given, known, where)


def _result_text(said: Any) -> tuple[str, bool]:
    """Return a result as text, JSON where it is no text, and whether its form says that it is an error."""
    match said:
        case str():
            return said, False
        case None:
            return "", False
        case {"type": str(type), "value": value} if len(said) == 2:
            return _result_text(value)[0], type.startswith("error")
        case {"error": error} if len(said) == 1:
            return json.dumps(said), bool(error)
        case list() if said and all(isinstance(own, str) or _has_text(own) for own in said):
            return "\n".join(own if isinstance(own, str) else _part_text(own) for own in said), False
    return json.dumps(said), False


def _has_text(part: object) -> bool:
    return isinstance(part, dict) and (isinstance(part.get("type"), str) or part.keys() in ({"text"}, {"json"}))


def _part_text(part: Mapping[str, Any]) -> str:
    if "json" in part:
        return json.dumps(part["json"])
    return next((part[key] for key in ("text", "content", "value", "refusal") if isinstance(part.get(key), str)), "")


def _id_of(given: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return the id of a call, and whether its key says that it is one of a call."""
    for key in _IDS:
        own = given.get(key)
        if isinstance(own, list) and len(own) == 1:
            own = own[0]
        if own is not None and own != "":
            return str(own), key != "id"
    return None, True


def listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else () if value is None else (value,)


def _from_json(value: object, where: str) -> Any:
    """Return what JSON in a text says, and any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: a call that is no JSON: {error}") from error


def _calls_in_text(found: RecordedMessage, where: str) -> None:
    """Read the calls that a model wrote into its text between tags; other marks of calls are not understood."""
    text = found.text
    if "<tool_call>" in text:
        written = RecordedMessage(where, found.role)
        for own in _HERMES.findall(text):
            read_call(written, own, where)
        found.texts = [text := _HERMES.sub("", text)]
        known = {own.key for own in found.calls}
        if known and not {own.key for own in written.calls} <= known:
            raise RecordError(f"{where}: its text has other calls than the message itself")
        found.calls = found.calls or written.calls
        found.unknown += written.unknown
    if mark := MARKS.search(text):
        raise RecordError(f"{where}: a call in a text, at {mark.group():.40}, is not understood")


def _keep(found: RecordedMessage, given: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Keep what was not read, where it is more than a text or a number, to be looked through for calls."""
    rest = {key: own for key, own in given.items() if key not in known and own is not None}
    if any(isinstance(own, dict | list) or (own and plain_name(key) in CALLS) for key, own in rest.items()):
        found.unknown.append((where, rest))
