"""Write one conversation as a file of each format that recorders export."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from tests.guard.log_forms import FORMS, OPENAI, Asked, Step, answers

Message = dict[str, Any]
CALLS = Callable[[list[Message]], Any]


def spans(messages: list[Message]) -> list[tuple[list[Message], Message]]:
    """Return for each reply of the assistant the messages before it, and the reply."""
    return [
        (messages[:at], own)
        for at, own in enumerate(messages)
        if own.get("role", own.get("type")) in ("assistant", "ai")
    ]


def runs(steps: Sequence[Step]) -> list[list[Asked]]:
    """Return for each reply of the assistant the calls that were run after it."""
    found: list[list[Asked]] = []
    for own in steps:
        found += [[]] * (own.who == "assistant" and not own.calls) + [answers(own)] * bool(own.calls)
        found += [[]] * own.waits
    return found


def lines(values: Sequence[Any]) -> bytes:
    return "".join(json.dumps(own) + "\n" for own in values).encode()


def otlp(value: Any) -> Any:
    """Return a value as OTLP writes it."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case list():
            return {"arrayValue": {"values": [otlp(own) for own in value]}}
        case dict():
            return {"kvlistValue": {"values": attributes(value)}}
    return {} if value is None else {"stringValue": value}


def attributes(given: dict[str, Any]) -> list[Message]:
    return [{"key": key, "value": otlp(own)} for key, own in given.items()]


def otel(steps: Sequence[Step], *, events: bool, texts: bool = True) -> bytes:
    """Return the spans of models and tools, an export on each line."""
    found, at = [], 0

    def span(name: str, given: dict[str, Any], said: Sequence[tuple[str, dict[str, Any]]] = ()) -> None:
        nonlocal at
        at += 1
        told = [{"name": own, "attributes": attributes(each)} for own, each in said]
        one = {
            "traceId": "t",
            "spanId": f"s{at}",
            "name": name,
            "startTimeUnixNano": str(at),
            "endTimeUnixNano": str(at + (1000 if name == "agent" else 0)),
            "attributes": attributes(given),
        }
        found.append({"resourceSpans": [{"scopeSpans": [{"spans": [{**one, "events": told}]}]}]})

    written = FORMS["openai" if events else "otel"].render(steps)["messages"]
    whole = {} if events else {"gen_ai.input.messages": written[:1], "gen_ai.output.messages": written[-1:]}
    span("agent", {"gen_ai.operation.name": "invoke_agent", **whole})
    for (before, reply), ran in zip(spans(written), runs(steps), strict=True):
        if events:
            history = [(f"gen_ai.{own['role']}.message", event(own)) for own in before]
            span(
                "chat",
                {"gen_ai.operation.name": "chat"},
                [*history, ("gen_ai.choice", {"index": 0, "message": event(reply)})],
            )
        else:
            put = json.dumps if texts else lambda own: own
            said = {"gen_ai.input.messages": put(before), "gen_ai.output.messages": put([reply])}
            span("chat", {"gen_ai.operation.name": "chat", **said})
        for own in ran:
            tool = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": own.tool,
                "gen_ai.tool.call.id": own.id,
            }
            span(
                own.tool,
                {**tool, "gen_ai.tool.call.arguments": json.dumps(own.args), "gen_ai.tool.call.result": own.text},
            )
    return lines(found)


def event(message: Message) -> dict[str, Any]:
    named = {"id" if key == "tool_call_id" else key: own for key, own in message.items() if own is not None}
    return {key: json.dumps(own) if key == "tool_calls" else own for key, own in named.items()}


def moment(at: int) -> str:
    return f"2026-03-01T12:{at // 60:02}:{at % 60:02}.000Z"


def langfuse(steps: Sequence[Step], *, rows: bool) -> bytes:
    """Return a trace with its observations, or the observations as rows."""
    found: list[Message] = []

    def add(type: str, name: str, given: Any, gave: Any) -> None:
        at = len(found)
        one = {"id": f"o{at}", "traceId": "t", "type": type, "name": name, "startTime": moment(at), "level": "DEFAULT"}
        found.append({**one, "input": given, "output": gave})

    add("SPAN", "agent", {"args": [], "kwargs": {"text": "Hi"}}, "Bye.")
    for (before, reply), ran in zip(spans(OPENAI.render(steps)["messages"]), runs(steps), strict=True):
        add("GENERATION", "llm", {"messages": before, "tools": []} if len(before) > 1 else json.dumps(before), reply)
        for own in ran:
            add("TOOL", own.tool, own.args, own.gave)
    return lines(found[::-1]) if rows else json.dumps({"id": "t", "sessionId": "s", "observations": found}).encode()


def langsmith(steps: Sequence[Step], *, chain: bool) -> bytes:
    """Return runs on lines, with messages of OpenAI or of LangChain."""
    found: list[Message] = [
        {
            "id": "r0",
            "trace_id": "r0",
            "name": "agent",
            "run_type": "chain",
            "start_time": moment(0),
            "inputs": {"q": "Hi"},
        }
    ]

    def add(type: str, name: str, given: Any, gave: Any) -> None:
        at = len(found)
        one = {"id": f"r{at}", "trace_id": "r0", "run_type": type, "name": name, "start_time": moment(at)}
        found.append({**one, "inputs": given, "outputs": gave, "error": None, "dotted_order": f"r0.{at:03}"})

    written = FORMS["langchain" if chain else "openai"].render(steps)["messages"]
    for (before, reply), ran in zip(spans(written), runs(steps), strict=True):
        if chain:
            gave = {
                "generations": [[{"text": "", "type": "ChatGeneration", "message": constructed(reply)}]],
                "llm_output": {},
            }
            add("llm", "ChatOpenAI", {"messages": [[constructed(own) for own in before]]}, gave)
        else:
            add("llm", "openai", {"messages": before, "model": "m"}, {"choices": [{"index": 0, "message": reply}]})
        for own in ran:
            result = {"type": "tool", "content": own.text, "tool_call_id": own.id, "status": "success"}
            add(
                "tool",
                own.tool,
                {"input": str(own.args)} if chain else own.args,
                {"output": result if chain else own.text},
            )
    return lines(found[::-1])


def constructed(message: Message) -> Message:
    """Return a message as LangChain dumps it."""
    inner = message.get("data", message)
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema"], "kwargs": {**inner, "type": message["type"]}}


def inspect(steps: Sequence[Step], *, packed: bool) -> bytes:
    """Return a log of Inspect with one sample, as JSON or as an .eval file."""
    messages = FORMS["inspect"].render(steps)["messages"]
    ran = [
        {"event": "tool", "id": own.id, "function": own.tool, "arguments": own.args}
        for each in steps
        for own in each.calls
    ]
    sample = {"id": "a", "epoch": 1, "input": "x", "messages": messages, "events": ran, "attachments": {}}
    if not packed:
        return json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [sample]}).encode()
    with ZipFile(stream := BytesIO(), "w", ZIP_DEFLATED) as made:
        made.writestr("header.json", "{}")
        made.writestr("samples/a_epoch_1.json", json.dumps(sample))
    return stream.getvalue()


def api(steps: Sequence[Step], form: str) -> bytes:
    """Return the last exchange, with all messages before it."""
    *before, last = FORMS[form].render(steps)["messages"]
    key, reply = (
        ("input", {"output": [last]}) if form == "responses" else ("messages", {"choices": [{"message": last}]})
    )
    reply = {"type": "message", **last} if form == "anthropic" else reply
    return lines(
        [
            {
                "custom_id": "a",
                "request": {"body": {key: before, "model": "m"}},
                "response": {"status_code": 200, "body": reply},
            }
        ]
    )


def tau2(steps: Sequence[Step]) -> bytes:
    own = {
        "id": "a",
        "task_id": "7",
        "trial": 1,
        "reward_info": {"reward": 1.0, "action_checks": [{"name": "x", "arguments": {}}]},
    }
    return json.dumps(
        {"info": {}, "tasks": [{"id": "7"}], "simulations": [{**own, **FORMS["tau2"].render(steps), "id": "a"}]}
    ).encode()


FILES: dict[str, Callable[[Sequence[Step]], bytes]] = {
    "otel": lambda steps: otel(steps, events=False),
    "otel structured": lambda steps: otel(steps, events=False, texts=False),
    "otel events": lambda steps: otel(steps, events=True),
    "langfuse": lambda steps: langfuse(steps, rows=False),
    "langfuse rows": lambda steps: langfuse(steps, rows=True),
    "langsmith": lambda steps: langsmith(steps, chain=False),
    "langsmith of langchain": lambda steps: langsmith(steps, chain=True),
    "inspect": lambda steps: inspect(steps, packed=False),
    "inspect eval": lambda steps: inspect(steps, packed=True),
    "tau2": tau2,
    "messages api openai": lambda steps: api(steps, "openai"),
    "messages api responses": lambda steps: api(steps, "responses"),
    "messages api anthropic": lambda steps: api(steps, "anthropic"),
    "messages sharegpt": lambda steps: json.dumps([FORMS["sharegpt"].render(steps)]).encode(),
    "messages lines": lambda steps: lines(OPENAI.render(steps)["messages"]),
    "messages anthropic": lambda steps: lines([FORMS["anthropic"].render(steps)]),
}
"""Files of one conversation that ends with a text of the assistant. The first word of a name is the format's."""
