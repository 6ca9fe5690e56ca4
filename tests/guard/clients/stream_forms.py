"""Write an answer as the stream of each protocol, and read from a stream what an app can take from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.guard.clients.served import Raw, message, response

Part = tuple[str, Any]
"""A part of an answer: `text`, `think` or `refuse` with words, `call` with a name and arguments, `odd` with a call of
an unknown kind, or `choice` with the number of the choice that the next parts belong to.
"""


def pieces(text: str, size: int = 7) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


def json_of(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def chat_stream(parts: list[Part], reason: str, size: int) -> list[dict[str, Any]]:
    frame: dict[str, Any] = {"id": "s", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choice, calls, found, choices = 0, 0, list[dict[str, Any]](), {0}

    def add(**delta: Any) -> None:
        found.append({**frame, "choices": [{"index": choice, "delta": delta, "finish_reason": None}]})

    add(role="assistant", content="")
    for kind, own in parts:
        match kind:
            case "choice":
                choice, calls = own, 0
                choices.add(choice)
                add(role="assistant", content="")
            case "text" | "think" | "refuse":
                name = {"text": "content", "think": "reasoning_content", "refuse": "refusal"}[kind]
                for piece in pieces(own, size):
                    add(**{name: piece})
            case "call":
                head = {"index": calls, "id": f"call_{choice}{calls}", "type": "function"}
                add(tool_calls=[{**head, "function": {"name": own[0], "arguments": ""}}])
                for piece in pieces(json_of(own[1]), size):
                    add(tool_calls=[{"index": calls, "function": {"arguments": piece}}])
                calls += 1
            case "odd":
                add(tool_calls=[{"index": calls, "id": "odd", "type": "magic", "spell": own}])
    for choice in sorted(choices):
        found.append({**frame, "choices": [{"index": choice, "delta": {}, "finish_reason": reason}]})
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    return [*found, {**frame, "choices": [], "usage": usage}]


def response_item(place: int, kind: str, own: Any) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Return an item of an output, and the kinds of its deltas with their fields."""
    id = f"item_{place}"
    at: dict[str, Any] = {"output_index": place, "item_id": id}
    match kind:
        case "text" | "refuse":
            part: dict[str, Any] = {"type": "output_text", "text": own, "annotations": []}
            part = part if kind == "text" else {"type": "refusal", "refusal": own}
            item = {"type": "message", "id": id, "role": "assistant", "status": "completed", "content": [part]}
            name = "output_text" if kind == "text" else "refusal"
            return item, [(f"response.{name}.delta", {**at, "content_index": 0, "delta": own})]
        case "call":
            text = json_of(own[1])
            item = {"type": "function_call", "id": id, "call_id": f"c{place}", "name": own[0], "arguments": text}
            return item, [("response.function_call_arguments.delta", {**at, "delta": text})]
        case "think":
            summary = [{"type": "summary_text", "text": own}]
            return {"type": "reasoning", "id": id, "summary": summary, "encrypted_content": "e"}, []
    return {"type": "magic_call", "id": id, "call_id": "odd", "spell": own}, []


def response_stream(parts: list[Part], reason: str, size: int) -> list[dict[str, Any]]:
    items = [response_item(place, *own) for place, own in enumerate(parts)]
    whole = {**response(Raw([own for own, _ in items]), 1), "status": "incomplete" if reason == "cut" else "completed"}
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "output": [], "status": "in_progress", "usage": None}}
    ]
    for place, (item, deltas) in enumerate(items):
        found.append({"type": "response.output_item.added", "output_index": place, "item": {**item, "arguments": ""}})
        for kind, own in deltas:
            found += [{**own, "type": kind, "delta": piece} for piece in pieces(own["delta"], size)]
        found.append({"type": "response.output_item.done", "output_index": place, "item": item})
    found.append({"type": f"response.{whole['status']}", "response": whole})
    return [{**own, "sequence_number": number} for number, own in enumerate(found)]


def message_block(place: int, kind: str, own: Any) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """Return a content block as it begins, and the types, fields and texts of its deltas."""
    match kind:
        case "text" | "refuse":
            return {"type": "text", "text": ""}, [("text_delta", "text", own)]
        case "call":
            block = {"type": "tool_use", "id": f"toolu_{place}", "name": own[0], "input": {}}
            return block, [("input_json_delta", "partial_json", json_of(own[1]))]
        case "think":
            said = [("thinking_delta", "thinking", own), ("signature_delta", "signature", "sig")]
            return {"type": "thinking", "thinking": "", "signature": ""}, said
    return {"type": "magic_use", "id": "odd", "spell": own}, []


def message_stream(parts: list[Part], reason: str, size: int) -> list[dict[str, Any]]:
    begun = message(Raw([]), 1)
    begun = {**begun, "stop_reason": None, "usage": {**begun["usage"], "output_tokens": 1}}
    found: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for place, part in enumerate(parts):
        block, deltas = message_block(place, *part)
        found.append({"type": "content_block_start", "index": place, "content_block": block})
        for kind, name, text in deltas:
            told = ({"type": kind, name: piece} for piece in pieces(text, size))
            found += [{"type": "content_block_delta", "index": place, "delta": own} for own in told]
        found.append({"type": "content_block_stop", "index": place})
    delta = {"stop_reason": reason, "stop_sequence": None}
    found.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}})
    return [*found, {"type": "message_stop"}]


def joined(before: Any, more: Any) -> Any:
    return more if before is None else before + more if isinstance(more, str) and more is not None else before


def said_in_chat(events: list[dict[str, Any]]) -> Any:
    found: dict[Any, Any] = {}
    for event in events:
        found |= {"usage": event["usage"]} if event.get("usage") else {}
        for choice in event["choices"]:
            index, delta = choice["index"], choice["delta"]
            for name in ("content", "refusal", "reasoning_content"):
                if delta.get(name):
                    found[index, name] = joined(found.get((index, name)), delta[name])
            for call in delta.get("tool_calls") or ():
                at = (index, call["index"])
                found.setdefault(at, {"id": call.get("id"), "arguments": "", **call.get("spell", {})})
                function = call.get("function") or {}
                found[at]["arguments"] += function.get("arguments") or ""
                found[at] |= {"name": function["name"]} if function.get("name") else {}
            found |= {(index, "reason"): choice["finish_reason"]} if choice.get("finish_reason") else {}
    return found


def said_in_response(events: list[dict[str, Any]]) -> Any:
    found: dict[Any, Any] = {}
    for event in events:
        if event["type"].endswith(".delta"):
            at = event["type"], event["output_index"]
            found[at] = joined(found.get(at), event["delta"])
        elif event["type"] == "response.output_item.done":
            found["item", event["output_index"]] = event["item"]
    return {**found, "kind": events[-1]["type"], "whole": events[-1]["response"]}


def said_in_message(events: list[dict[str, Any]]) -> Any:
    found: dict[Any, Any] = {}
    for event in events:
        at = event.get("index")
        match event["type"]:
            case "message_start":
                found |= {name: own for name, own in event["message"].items() if name not in ("content", "usage")}
                found["usage"] = event["message"]["usage"]
            case "content_block_start":
                found[at] = {name: own for name, own in event["content_block"].items() if own not in (None, {})}
            case "content_block_delta":
                parts: Iterator[tuple[str, Any]] = iter(event["delta"].items())
                found[at] |= {name: joined(found[at].get(name), own) for name, own in parts if name != "type"}
            case "message_delta":
                found |= event["delta"] | {"usage": found["usage"] | event["usage"]}
    return found
