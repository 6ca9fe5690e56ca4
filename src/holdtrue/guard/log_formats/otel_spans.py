"""Read spans of OpenTelemetry in OTLP's JSON, by the conventions for generative AI.

Messages stand in attributes of a span, or in its events. Spans of one `gen_ai.conversation.id` are one conversation,
and otherwise those of one trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect
from holdtrue.guard.log_formats.log_format import Conversations, LogFormat, Values, keys_of
from holdtrue.guard.log_formats.span_threads import Span, conversations
from holdtrue.guard.recorded_words import json_in

_MESSAGES = ("gen_ai.input.messages", "gen_ai.output.messages")
_CALL = ("gen_ai.tool.call.arguments", "gen_ai.tool.call.result")
_MODELS = ("chat", "text_completion", "generate_content", "invoke_agent", None)
_SAYS = {f"gen_ai.{own}.message": own for own in ("system", "user", "assistant", "tool")}
"""Events with one message each, by the role of the message."""
_CHOICE, _CONTENT = "gen_ai.choice", "gen_ai.event.content"


def _read(values: Values) -> Conversations:
    found = list(conversations(values, _spans))
    yield from found or [RecordError("resourceSpans: no span has attributes or events of gen_ai")]


def _spans(value: Any, where: str) -> Iterator[Span]:
    """Yield the spans about generative AI in an export. Raises `RecordError` for a part that is no span."""
    found = [value]
    for key in ("resourceSpans", "scopeSpans", "spans"):
        if missing := next((own for own in found if key not in expect(own, dict, where)), None):
            raise RecordError(f"{where}: {key} is missing; {keys_of(missing)}")
        found = [each for own in found for each in expect(own[key], list, f"{where}.{key}")]
    for own in found:
        span = expect(own, dict, f"{where}.spans")
        at = f"span {span.get('spanId', '')!s:.40}"
        has = _attributes(span, at)
        for event in expect(span.get("events", []), list, f"{at}.events"):
            _add_event(has, expect(event, dict, f"{at}.events"), at)
        if any(key.startswith("gen_ai.") for key in has):
            yield _step(span, has, at)


def _step(span: dict[str, Any], has: dict[str, Any], where: str) -> Span:
    """Return a span as a step. The span of a whole agent comes at its end, after the spans within it."""
    does, tool, thread = (has.get(f"gen_ai.{own}") for own in ("operation.name", "tool.name", "conversation.id"))
    time = "endTimeUnixNano" if does == "invoke_agent" else "startTimeUnixNano"
    if missing := next((key for key in ("traceId", time) if not span.get(key)), None):
        raise RecordError(f"{where}: {missing} is missing; {keys_of(span)}")
    if does == "execute_tool" and not tool:
        raise RecordError(f"{where}: gen_ai.tool.name is missing; {keys_of(has)}")
    says, kind = any(has.get(own) for own in _MESSAGES), "tool" if tool else "other"
    if does in _MODELS and not tool and (says or does in _MODELS[:3]):
        kind = "model"
    keys, id = _CALL if tool else _MESSAGES, has.get("gen_ai.tool.call.id")
    error = has.get("error.type") or (span.get("status") or {}).get("code") in (2, "STATUS_CODE_ERROR")
    place = where, str(span["traceId"]), str(thread or "") or None, int(span[time])
    return Span(*place, kind, str(tool or span.get("name")), has.get(keys[0]), has.get(keys[1]), keys, id, error)


def _attributes(given: dict[str, Any], where: str) -> dict[str, Any]:
    pairs = expect(given.get("attributes", []), list, f"{where}.attributes")
    return _plain({"kvlistValue": {"values": pairs}}, f"{where}.attributes")  # type: ignore[no-any-return]


def _plain(value: Any, where: str) -> Any:
    """Return a value of OTLP as plain JSON. Raises `RecordError` for any other value."""
    match value:
        case {"kvlistValue": dict(own)}:
            return {each["key"]: _plain(each.get("value", {}), where) for each in own.get("values", [])}
        case {"arrayValue": dict(own)}:
            return [_plain(each, where) for each in own.get("values", [])]
        case {"stringValue": own} | {"boolValue": own} | {"doubleValue": own} | {"bytesValue": own}:
            return own
        case {"intValue": int() | str() as own}:
            return int(own)
        case dict() if not value:
            return None
    raise RecordError(f"{where}: a value of OTLP is needed, got {value!r:.60}")


def _add_event(has: dict[str, Any], event: dict[str, Any], where: str) -> None:
    """Add the messages of an event to the attributes of its span."""
    name, own = event.get("name"), _attributes(event, where)
    own |= json_in(own.get(_CONTENT), where) or {}
    has.update({key: each for key, each in own.items() if key in _MESSAGES})
    if name in _SAYS or name == _CHOICE:
        texts = {key: json_in(own[key], where) or own[key] for key in ("message", "tool_calls") if key in own}
        said = {key: each for key, each in (own | texts).items() if not key.startswith("gen_ai.") and key != "index"}
        said = said["message"] if isinstance(said.get("message"), dict) else said
        if name == "gen_ai.tool.message" and "id" in said:
            said["tool_call_id"] = said.pop("id")
        key = _MESSAGES[name == _CHOICE]
        has.setdefault(key, []).append({"role": _SAYS.get(str(name), "assistant"), **said})


OTEL = LogFormat(
    "otel",
    "spans of OpenTelemetry in OTLP's JSON, by its conventions for generative AI",
    lambda value: isinstance(value, dict) and "resourceSpans" in value,
    _read,
)
