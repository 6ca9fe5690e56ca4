"""Render one conversation in each form that recorders use, with its texts, calls and results."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

Message = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A call with its id and arguments, and its result or None."""

    id: str
    tool: str
    args: dict[str, Any]
    gave: Any = None

    @property
    def text(self) -> str:
        """Return the result as a text."""
        return self.gave if isinstance(self.gave, str) else json.dumps(self.gave)


@dataclass(frozen=True)
class Step:
    """A step is a text, or several calls at once. If it `waits`, a text comes before their results."""

    who: str
    text: str = ""
    calls: tuple[Asked, ...] = ()
    waits: bool = False


def conversation(random: Random, tools: Sequence[str]) -> list[Step]:
    """Return random steps: texts, and calls with results of several kinds."""
    found, number = [Step("user", "Refund order A, please.")], 0
    for _ in range(random.randint(1, 4)):
        calls = []
        for _ in range(random.choice((1, 1, 2, 3))):
            number += 1
            args = {"order": random.choice("AB"), "amount": random.randint(1, 90)}
            gave = random.choice(({"price": 65}, {"price": 10, "items": [{"n": 1}]}, "done", "Error: no", 5, None))
            calls.append(Asked(f"c{number}", random.choice(tools), args, gave))
        found.append(Step("assistant", random.choice(("", "One moment.")), tuple(calls), random.random() < 0.2))
        found += [Step("user", "And then?")] * random.randint(0, 1)
    return found


def part(type: str | None = None, id: str = "id", name: str = "name", args: str = "arguments", **more: Any) -> Any:
    """Return how a call is written."""
    kind = {} if type is None else {"type": type}
    return lambda own: {**kind, id: own.id, name: own.tool, args: own.args, **more}


def function(own: Asked) -> Message:
    return {"name": own.tool, "arguments": json.dumps(own.args)}


def openai_call(own: Asked) -> Message:
    return {"id": own.id, "type": "function", "function": function(own)}


def given(type: str | None, id: str, key: str, as_text: bool = False, **more: Any) -> Any:
    """Return how a result is written."""
    kind = {} if type is None else {"type": type}
    return lambda own: {**kind, id: own.id, key: own.text if as_text else own.gave, **more}


def wrap(key: str, make: Callable[[Asked], Any]) -> Any:
    return lambda own: {key: make(own)}


def listed(
    calls: Sequence[Asked], make: Callable[[Asked], Message], *, role: str, key: str, **more: Any
) -> list[Message]:
    """Return one message with all calls, or all results, under one key."""
    return [{"role": role, key: [make(own) for own in calls], **more}]


def alone(calls: Sequence[Asked], make: Callable[[Asked], Message], **more: Any) -> list[Message]:
    """Return a message for each call or result."""
    return [{**more, **make(own)} for own in calls]


IN_PARTS = partial(listed, role="assistant", key="content")
IN_CALLS = partial(listed, role="assistant", key="tool_calls", content=None)
OF_TOOL = partial(alone, role="tool")
TOOL = given(None, "tool_call_id", "content", as_text=True)


@dataclass(frozen=True)
class Form:
    """A form: how calls and results are written, the names of roles, and how a text is."""

    call: Callable[[Asked], Any] = openai_call
    gave: Callable[[Asked], Any] = TOOL
    calling: Any = IN_CALLS
    giving: Any = OF_TOOL
    roles: dict[str, str] = field(default_factory=dict)
    say: Callable[[str, str], Message] = lambda role, text: {"role": role, "content": text}
    row: Callable[[list[Message]], Message] = lambda messages: {"id": "x", "messages": messages}

    def render(self, steps: Sequence[Step]) -> Message:
        messages: list[Message] = []
        for step in steps:
            if step.text and not step.calls:
                messages.append(self.say(self.roles.get(step.who, step.who), step.text))
            if step.calls:
                messages += self.calling(step.calls, self.call)
                wait = self.say(self.roles.get("assistant", "assistant"), "It takes a moment.")
                messages += [wait] * step.waits
                messages += self.giving(answered, self.gave) if (answered := answers(step)) else []
        return self.row(messages)


def answers(step: Step) -> list[Asked]:
    return [own for own in step.calls if own.gave is not None]


def texts(make: Callable[[list[Asked]], str], role: str = "assistant") -> Any:
    """Return how a message says all of its calls, or results, in a text."""
    return lambda calls, _: [{"role": role, "content": make(calls)}]


def tagged(tag: str, make: Callable[[Asked], str]) -> Callable[[list[Asked]], str]:
    return lambda calls: "".join(f"<{tag}>\n{make(own)}\n</{tag}>\n" for own in calls)


def gemini(call: str, result: str, key: str = "messages") -> Form:
    make = wrap(
        result, lambda own: {"name": own.tool, "response": own.gave if own.text[:1] == "{" else {"result": own.gave}}
    )
    return Form(
        lambda own: {call: {"name": own.tool, "args": own.args}, "thoughtSignature": "Zg=="},
        make,
        partial(listed, role="model", key="parts"),
        partial(listed, role="user", key="parts"),
        {"assistant": "model"},
        lambda role, text: {"role": role, "parts": [{"text": text}]},
        lambda messages: {"id": "x", key: messages},
    )


def with_reply(messages: list[Message]) -> Message:
    """Take the last call out of the messages, as a proxy logs it: as the reply to all before."""
    if messages[-1].get("tool_calls"):
        return {"messages": messages[:-1], "response": {"id": "r", "choices": [{"index": 0, "message": messages[-1]}]}}
    return {"messages": messages, "usage": {"total_tokens": 5}}


def langchain(calls: Sequence[Asked], make: Any) -> list[Message]:
    extra = {"tool_calls": [openai_call(own) for own in calls]}
    return [{"type": "ai", "content": "", "tool_calls": [make(own) for own in calls], "additional_kwargs": extra}]


RAW = {"raw_data": {"message": {"role": "assistant"}}, "usage": {"prompt_tokens": 3}, "turn_idx": 2}
ANTHROPIC = part("tool_use", args="input")
OPENAI = Form()
FORMS: dict[str, Form] = {
    "openai": OPENAI,
    "openai raw": Form(calling=partial(IN_CALLS, refusal=None, annotations=[], function_call=None, **RAW)),
    "capitals": Form(calling=partial(IN_CALLS, role="Assistant"), giving=partial(alone, role="Tool")),
    "role model": Form(calling=partial(IN_CALLS, role="model"), roles={"assistant": "model"}),
    "role ai": Form(
        calling=partial(IN_CALLS, role="ai"), giving=partial(alone, role="function"), roles={"user": "human"}
    ),
    "tau2": Form(part(requestor="assistant"), given(None, "id", "content", as_text=True, error=False)),
    "swe-agent": Form(
        gave=lambda own: {"tool_call_ids": [own.id], "content": own.text, "message_type": "observation"},
        calling=partial(IN_CALLS, thought="I look.", action="look", agent="main"),
    ),
    "inspect": Form(part("function", name="function"), lambda own: {**TOOL(own), "id": "m1", "function": own.tool}),
    "ollama": Form(
        lambda own: {"function": {"name": own.tool, "arguments": own.args}},
        lambda own: {"tool_name": own.tool, "content": own.text},
    ),
    "langchain": Form(
        part("tool_call", args="args"),
        wrap("data", TOOL),
        langchain,
        partial(alone, type="tool"),
        {"user": "human", "assistant": "ai"},
        lambda role, text: {"type": role, "content": text},
    ),
    "cohere": Form(part(args="parameters")),
    "anthropic": Form(
        ANTHROPIC,
        given("tool_result", "tool_use_id", "content", as_text=True),
        IN_PARTS,
        partial(IN_PARTS, role="user"),
    ),
    "anthropic blocks": Form(
        ANTHROPIC,
        lambda own: {"type": "tool_result", "tool_use_id": own.id, "content": [{"type": "text", "text": own.text}]},
        IN_PARTS,
        partial(IN_PARTS, role="user"),
    ),
    "gemini": gemini("functionCall", "functionResponse"),
    "gemini snake": gemini("function_call", "function_response"),
    "gemini contents": gemini("functionCall", "functionResponse", "contents"),
    "otel": Form(
        part("tool_call"),
        given("tool_call_response", "id", "response"),
        partial(IN_PARTS, key="parts"),
        partial(IN_PARTS, role="tool", key="parts"),
        say=lambda role, text: {"role": role, "parts": [{"type": "text", "content": text}]},
    ),
    "vercel": Form(
        part("tool-call", "toolCallId", "toolName", "input"),
        lambda own: {"type": "tool-result", "toolCallId": own.id, "output": {"type": "json", "value": own.gave}},
        IN_PARTS,
        partial(IN_PARTS, role="tool"),
    ),
    "vercel args": Form(
        part("tool-call", "toolCallId", "toolName", "args"),
        given("tool-result", "toolCallId", "result"),
        IN_PARTS,
        partial(IN_PARTS, role="tool"),
    ),
    "bedrock": Form(
        wrap("toolUse", part(None, "toolUseId", args="input")),
        wrap("toolResult", lambda own: {"toolUseId": own.id, "content": [{"json": own.gave}], "status": "success"}),
        IN_PARTS,
        partial(IN_PARTS, role="user"),
        say=lambda role, text: {"role": role, "content": [{"text": text}]},
    ),
    "responses": Form(
        lambda own: {"type": "function_call", "id": "fc", "call_id": own.id, **function(own), "status": "completed"},
        given("function_call_output", "call_id", "output", as_text=True),
        alone,
        alone,
    ),
    "hermes": Form(
        calling=texts(tagged("tool_call", lambda own: json.dumps({"name": own.tool, "arguments": own.args}))),
        giving=texts(tagged("tool_response", lambda own: own.text), "tool"),
    ),
    "llamafactory": Form(
        lambda own: {"type": "tool_call", "value": json.dumps(function(own))},
        lambda own: {"content": own.text},
        IN_PARTS,
        say=lambda role, text: {"role": role, "content": [{"type": "text", "value": text}]},
    ),
    "sharegpt": Form(
        gave=lambda own: {"value": own.text},
        calling=lambda calls, _: [{"from": "function_call", "value": json.dumps([function(own) for own in calls])}],
        giving=lambda calls, make: [{"from": "observation", **make(own)} for own in calls],
        roles={"user": "human", "assistant": "gpt"},
        say=lambda role, text: {"from": role, "value": text},
        row=lambda messages: {"conversations": messages},
    ),
    "beside": Form(row=with_reply),
    "pythonic": Form(calling=texts(lambda calls: f"[{calls[0].tool}(order='A')]")),
    "react": Form(calling=texts(lambda calls: f"Thought: go.\nAction: {calls[0].tool}\nAction Input: {{}}")),
    "xml": Form(calling=texts(lambda calls: f'<function_calls><invoke name="{calls[0].tool}">')),
    "bare": Form(calling=texts(lambda calls: json.dumps({"name": calls[0].tool, "parameters": calls[0].args}))),
    "own key": Form(
        calling=lambda calls, _: [{"role": "assistant", "doing": [{"do": own.tool, "with": own.args} for own in calls]}]
    ),
}
