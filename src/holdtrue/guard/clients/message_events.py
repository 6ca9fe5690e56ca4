"""Join the events of a stream of Anthropic's Messages protocol to a message, and split a message into events."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.clients import forms
from holdtrue.guard.clients.forms import plain

_RESULTS = (
    f"{own}_tool_result"
    for own in "web_search web_fetch code_execution bash_code_execution text_editor_code_execution tool_search advisor "
    "mcp".split()
)
NO_CALLS = frozenset(_RESULTS) | frozenset(
    ["text", "thinking", "redacted_thinking", "container_upload", "compaction", "fallback", "mcp_tool_listing"]
)
"""The kinds of blocks that contain text or the result of a provider's own call."""
_ARGUMENTS = "input_json_delta"
_DELTAS = {"text": {"text": "text_delta"}, "thinking": {"thinking": "thinking_delta", "signature": "signature_delta"}}
"""The types of deltas by the kind of their block, and by the field that they complete."""
_AT_END = ("stop_reason", "stop_sequence", "stop_details", "container")
_BESIDE_END = ("context_management", "input_transformations")
"""The fields of a message that the last delta of a stream has in it (`_AT_END`) and next to it."""


def given_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value."""
    return {name: own for name, own in fields.items() if own is not None}


def joined_message(events: Sequence[Any]) -> dict[str, Any]:
    """Return the message in the events of a stream. Arguments of calls stay the JSON text that the model wrote.

    Raises `InputError` if the stream ends before its message, or begins a message or a block twice.
    """
    body: dict[str, Any] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    arguments: dict[Any, list[str]] = {}
    is_ended = False
    for event in map(forms.as_given, events):
        kind, index = event.get("type"), event.get("index")
        if (kind == "message_start" and body) or (kind == "content_block_start" and index in blocks):
            raise InputError("the stream begins a message or a block twice, so it is refused on a guarded client")
        if kind == "message_start":
            body = {**event["message"]}
        elif kind == "content_block_start":
            blocks[index] = {**event["content_block"]}
        elif kind == "content_block_delta" and event["delta"].get("type") == _ARGUMENTS:
            arguments.setdefault(index, []).append(event["delta"]["partial_json"])
        elif kind == "content_block_delta":
            blocks[index] = _with_delta(blocks[index], event["delta"])
        elif kind == "message_delta":
            usage = {**plain(body.get("usage")), **given_in(plain(event.get("usage")))}
            beside = given_in({name: event.get(name) for name in _BESIDE_END})
            body |= given_in(event["delta"]) | beside | ({"usage": usage} if usage else {})
        is_ended |= kind == "message_stop"
    if not body or not is_ended:
        raise InputError("the stream ended before its answer did, so it is refused on a guarded client")
    for index, pieces in arguments.items():
        if str(blocks[index].get("type")) in NO_CALLS:
            raise InputError("the stream gives arguments to what is no call, so it is refused on a guarded client")
        blocks[index] |= {"input": "".join(pieces)} if "".join(pieces).strip() else {}
    return body | {"content": [*blocks.values()]}


def _with_delta(block: dict[str, Any], delta: Mapping[str, Any]) -> dict[str, Any]:
    """Return a block with the fields of a delta joined to its own."""
    if delta.get("type") == "citations_delta":
        return {**block, "citations": [*(block.get("citations") or ()), delta["citation"]]}
    return block | {name: forms.joined(block.get(name), own, name) for name, own in delta.items() if name != "type"}


def message_events(body: Mapping[str, Any], counted: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the types and fields of the events of a message: its beginning, each content block, and its end.

    `counted` are the parts of the usage that the end repeats.
    """
    usage = plain(body.get("usage"))
    begun = {name: None if name in _AT_END else own for name, own in body.items() if name not in _BESIDE_END}
    begun |= {"content": []} | ({"usage": usage | {"output_tokens": 0}} if usage else {})
    yield "MessageStart", {"type": "message_start", "message": begun}
    for place, block in enumerate(body.get("content") or ()):
        own, deltas = _in_deltas(block)
        at = {"index": place}
        yield "ContentBlockStart", {"type": "content_block_start", "content_block": own, **at}
        for delta in deltas:
            yield "ContentBlockDelta", {"type": "content_block_delta", "delta": delta, **at}
        yield "ContentBlockStop", {"type": "content_block_stop", **at}
    end: dict[str, Any] = {name: body[name] for name in _BESIDE_END if name in body}
    end["usage"] = {name: own for name, own in usage.items() if name in counted}
    end["delta"] = {name: body[name] for name in _AT_END if name in body}
    yield "MessageDelta", {"type": "message_delta", **end}
    yield "MessageStop", {"type": "message_stop"}


def _in_deltas(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a block as it begins in a stream, and the deltas that complete it."""
    kind = str(block.get("type"))
    if kind.endswith("tool_use") and "input" in block:
        text = forms.as_text(block["input"]) if block["input"] else ""
        return block | {"input": {}}, [{"type": _ARGUMENTS, "partial_json": text}]
    fields = {name: own for name, own in _DELTAS.get(kind, {}).items() if isinstance(block.get(name), str)}
    deltas = [{"type": own, name: block[name]} for name, own in fields.items() if block[name]]
    begun = block | dict.fromkeys(fields, "")
    if kind == "text" and block.get("citations"):
        begun["citations"] = None
        deltas += [{"type": "citations_delta", "citation": own} for own in block["citations"]]
    return begun, deltas
