"""One conversation in the forms that recorders write: each form renders what is said, calls and results."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Message = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A call with its id, its arguments and its result, None where there is none."""

    id: str
    tool: str
    args: dict[str, Any]
    gave: Any = None


@dataclass(frozen=True)
class Step:
    """A step says something, or makes calls at once, whose results follow after a text if `waits`."""

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
            args = {"order": random.choice("AB"), **({"amount": random.randint(1, 90)} if random.random() < 0.5 else {})}
            gave = random.choice(({"price": 65}, {"price": 10, "items": [{"n": 1}]}, "done", "Error: no", 5, None))
            calls.append(Asked(f"c{number}", random.choice(tools), args, gave))
        found.append(Step("assistant", random.choice(("", "One moment.")), tuple(calls), random.random() < 0.2))
        found += [Step("user", "And then?")] * random.randint(0, 1)
    return found


@dataclass(frozen=True)
class Form:
    """A form: how a text, a message with calls and the messages of their results are written, and what is around."""

    say: Callable[[str, str], Message]
    call: Callable[[str, Sequence[Asked]], list[Message]]
    gave: Callable[[Sequence[Asked]], list[Message]]
    row: Callable[[list[Message]], Message] = lambda messages: {"id": "x", "messages": messages}

    def render(self, steps: Sequence[Step]) -> Message:
        messages: list[Message] = []
        for step in steps:
            if not step.calls:
                messages.append(self.say(step.who, step.text))
                continue
            messages += self.call(step.text, step.calls)
            messages += [self.say("assistant", "It takes a moment.")] * step.waits
            if answered := [own for own in step.calls if own.gave is not None]:
                messages += self.gave(answered)
        return self.row(messages)


def text_of(gave: Any) -> str:
    return gave if isinstance(gave, str) else json.dumps(gave)


def said(**roles: str) -> Callable[[str, str], Message]:
    return lambda who, text: {"role": roles.get(who, who), "content": text}


def block(kind: str, **more: Any) -> Message:
    return {"type": kind, **more}


def function(own: Asked, text: bool = True) -> Message:
    return {"name": own.tool, "arguments": json.dumps(own.args) if text else own.args}


def openai(role: str = "assistant", item: Callable[[Asked], Message] | None = None, **more: Any) -> Any:
    def called(text: str, calls: Sequence[Asked]) -> list[Message]:
        made = item or (lambda own: {"id": own.id, "type": "function", "function": function(own)})
        return [{"role": role, "content": text or None, "tool_calls": [made(own) for own in calls], **more}]

    return called


def tool(key: str = "tool_call_id", role: str = "tool", **more: Any) -> Any:
    def gave(calls: Sequence[Asked]) -> list[Message]:
        return [{"role": role, key: [own.id] if key.endswith("s") else own.id, "content": text_of(own.gave), **more} for own in calls]

    return gave


def parts(role: str, part: Callable[[Asked], Message], key: str = "content", text: Callable[[str], Message] | None = None) -> Any:
    """Return how calls, or results, stand together in the parts of one message."""

    def made(said: Any, calls: Sequence[Asked] | None = None) -> list[Message]:
        own = calls if calls is not None else said
        texts = [text(said)] if calls is not None and text is not None and said else []
        return [{"role": role, key: [*texts, *map(part, own)]}]

    return made


def text_block(text: str) -> Message:
    return block("text", text=text)


def one_by_one(make: Callable[[Asked], Message]) -> Any:
    return lambda *given: [make(own) for own in given[-1]]


def gemini_text(who: str, text: str) -> Message:
    return {"role": {"assistant": "model"}.get(who, who), "parts": [{"text": text}]}


def gemini(camel: bool, key: str = "messages") -> Form:
    call, result = ("functionCall", "functionResponse") if camel else ("function_call", "function_response")
    wrapped: Callable[[Any], Any] = lambda own: own if isinstance(own, dict) else {"result": own}  # noqa: E731
    return Form(
        gemini_text,
        parts("model", lambda own: {call: {"name": own.tool, "args": own.args}, "thoughtSignature": "Zg=="}, "parts",
              lambda text: {"text": text}),
        parts("user", lambda own: {result: {"name": own.tool, "response": wrapped(own.gave)}}, "parts"),
        lambda messages: {"id": "x", key: messages},
    )  # fmt: skip


def sharegpt(who: str, text: str) -> Message:
    return {"from": {"user": "human", "assistant": "gpt"}[who], "value": text}


def with_reply(messages: list[Message]) -> Message:
    """Take the last call out of the messages, as a proxy logs it: as the reply to all before."""
    if messages[-1].get("tool_calls"):
        return {"messages": messages[:-1], "response": {"id": "r", "choices": [{"index": 0, "message": messages[-1]}]}}
    return {"messages": messages, "usage": {"total_tokens": 5}}


vercel_result = parts("tool", lambda own: block("tool-result", toolCallId=own.id, toolName=own.tool, output=block("json", value=own.gave)))
openai_raw = {"raw_data": {"message": {"role": "assistant"}}, "usage": {"prompt_tokens": 3}, "cost": 0.1, "turn_idx": 2}
OPENAI = Form(said(), openai(), tool())
FORMS: dict[str, Form] = {
    "openai": OPENAI,
    "openai with usage": Form(said(), openai(refusal=None, annotations=[], audio=None, function_call=None, **openai_raw), tool()),
    "capitals": Form(said(user="User", assistant="Assistant"), openai("Assistant"), tool(role="Tool")),
    "role model": Form(said(assistant="model"), openai("model"), tool()),
    "role ai": Form(said(user="human", assistant="ai"), openai("ai"), tool(role="function")),
    "tau2": Form(said(), openai(item=lambda own: {"id": own.id, **function(own, text=False), "requestor": "assistant"}, **openai_raw), tool("id", error=False, requestor="assistant")),
    "swe-agent": Form(said(), openai(thought="I look.", action="look", agent="main"), tool("tool_call_ids", message_type="observation")),
    "inspect": Form(said(), openai(item=lambda own: {"id": own.id, "function": own.tool, "arguments": own.args, "type": "function"}, source="generate"), tool(function="x", id="m1")),
    "ollama": Form(said(), openai(item=lambda own: {"function": function(own, text=False)}), one_by_one(lambda own: {"role": "tool", "tool_name": own.tool, "content": text_of(own.gave)})),
    "langchain": Form(lambda who, text: {"type": {"user": "human"}.get(who, "ai"), "content": text},
                      lambda text, calls: [{"type": "ai", "content": text, "tool_calls": [block("tool_call", id=own.id, name=own.tool, args=own.args) for own in calls], "invalid_tool_calls": [],
                                            "additional_kwargs": {"tool_calls": [{"id": own.id, "function": function(own)} for own in calls]}}],
                      lambda calls: [{"type": "tool", "data": {"content": text_of(own.gave), "tool_call_id": own.id, "status": "success"}} for own in calls]),
    "cohere": Form(said(), openai(item=lambda own: {"name": own.tool, "parameters": own.args, "id": own.id}), tool()),
    "anthropic": Form(said(), parts("assistant", lambda own: block("tool_use", id=own.id, name=own.tool, input=own.args), text=text_block), parts("user", lambda own: block("tool_result", tool_use_id=own.id, content=text_of(own.gave)))),
    "anthropic blocks": Form(said(), parts("assistant", lambda own: block("tool_use", id=own.id, name=own.tool, input=own.args), text=text_block), parts("user", lambda own: block("tool_result", tool_use_id=own.id, content=[text_block(text_of(own.gave))]))),
    "gemini": gemini(camel=True),
    "gemini snake": gemini(camel=False),
    "gemini contents": gemini(True, "contents"),
    "otel": Form(lambda who, text: {"role": who, "parts": [block("text", content=text)]},
                 parts("assistant", lambda own: block("tool_call", id=own.id, name=own.tool, arguments=own.args), "parts", lambda text: block("text", content=text)),
                 parts("tool", lambda own: block("tool_call_response", id=own.id, response=own.gave), "parts")),
    "vercel": Form(said(), parts("assistant", lambda own: block("tool-call", toolCallId=own.id, toolName=own.tool, input=own.args), text=text_block), vercel_result),
    "vercel args": Form(said(), parts("assistant", lambda own: block("tool-call", toolCallId=own.id, toolName=own.tool, args=own.args), text=text_block),
                        parts("tool", lambda own: block("tool-result", toolCallId=own.id, toolName=own.tool, result=own.gave))),
    "bedrock": Form(lambda who, text: {"role": who, "content": [{"text": text}]},
                    parts("assistant", lambda own: {"toolUse": {"toolUseId": own.id, "name": own.tool, "input": own.args}}, text=lambda text: {"text": text}),
                    parts("user", lambda own: {"toolResult": {"toolUseId": own.id, "content": [{"json": own.gave}], "status": "success"}})),
    "responses": Form(said(), one_by_one(lambda own: block("function_call", id="fc", call_id=own.id, **function(own), status="completed")),
                      one_by_one(lambda own: block("function_call_output", call_id=own.id, output=text_of(own.gave)))),
    "hermes": Form(said(), lambda text, calls: [{"role": "assistant", "content": text + "".join(f"<tool_call>\n{json.dumps(function(own, text=False))}\n</tool_call>\n" for own in calls)}],
                   lambda calls: [{"role": "tool", "content": "\n".join(f"<tool_response>\n{text_of(own.gave)}\n</tool_response>" for own in calls)}]),
    "llamafactory": Form(lambda who, text: {"role": who, "content": [block("text", value=text)]},
                         parts("assistant", lambda own: block("tool_call", value=json.dumps(function(own, text=False))), text=lambda text: block("text", value=text)), tool()),
    "sharegpt": Form(sharegpt, lambda text, calls: [{"from": "function_call", "value": json.dumps([function(own, text=False) for own in calls])}],
                     one_by_one(lambda own: {"from": "observation", "value": text_of(own.gave)}), lambda messages: {"conversations": messages}),
    "beside": Form(said(), openai(), tool(), with_reply),
    "pythonic": Form(said(), lambda text, calls: [{"role": "assistant", "content": f"[{', '.join(f'{own.tool}(order=1)' for own in calls)}]"}], tool()),
    "react": Form(said(), lambda text, calls: [{"role": "assistant", "content": f"Thought: go.\nAction: {calls[0].tool}\nAction Input: {json.dumps(calls[0].args)}"}], tool()),
    "xml": Form(said(), lambda text, calls: [{"role": "assistant", "content": f"<function_calls><invoke name=\"{calls[0].tool}\"></invoke></function_calls>"}], tool()),
    "own key": Form(said(), lambda text, calls: [{"role": "assistant", "content": text, "doing": [{"what": own.tool, "with": own.args} for own in calls]}], tool()),
}  # fmt: skip
