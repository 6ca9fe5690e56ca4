"""One history in the forms of six clients, with their own objects where they are installed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass(frozen=True)
class Called:
    """A call of an assistant with its result. `failed` is the flag of the result."""

    id: str
    tool: str
    arguments: dict[str, Any]
    result: str
    failed: bool = False
    doubly: bool = False

    @property
    def text(self) -> str:
        """The arguments as JSON text, or as JSON text of JSON text."""
        text = json.dumps(self.arguments)
        return json.dumps(text) if self.doubly else text


@dataclass(frozen=True)
class Said:
    """A message of the user, or one of the assistant, which may have calls."""

    who: str
    text: str
    calls: Sequence[Called] = field(default=())


def chat(said: Said) -> list[Any]:
    if said.who == "user":
        return [{"role": "user", "content": [{"type": "text", "text": said.text}]}]
    calls = [{"id": own.id, "type": "function", "function": _function(own)} for own in said.calls]
    found: list[Any] = [{"role": "assistant", "content": said.text or None, **({"tool_calls": calls} if calls else {})}]
    for own in said.calls:
        failed = {"is_error": True} if own.failed else {}
        found.append({"role": "tool", "tool_call_id": own.id, "content": own.result, **failed})
    return found


def _function(own: Called) -> dict[str, str]:
    return {"name": own.tool, "arguments": own.text}


def responses(said: Said) -> list[Any]:
    kind = "input_text" if said.who == "user" else "output_text"
    message = {"type": "message", "role": said.who, "content": [{"type": kind, "text": said.text}]}
    found: list[Any] = [message] if said.text else []
    found += [{"type": "function_call", "call_id": own.id, **_function(own)} for own in said.calls]
    for own in said.calls:
        output = json.dumps({"is_error": True, "content": own.result}) if own.failed else own.result
        found.append({"type": "function_call_output", "call_id": own.id, "output": output})
    return found


def anthropic(said: Said) -> list[Any]:
    if said.who == "user":
        return [{"role": "user", "content": said.text}]
    words = [{"type": "text", "text": said.text}] if said.text else []
    uses = [{"type": "tool_use", "id": own.id, "name": own.tool, "input": own.arguments} for own in said.calls]
    found: list[Any] = [{"role": "assistant", "content": [*words, *uses]}]
    results = [
        {
            "type": "tool_result",
            "tool_use_id": own.id,
            "content": [{"type": "text", "text": own.result}],
            "is_error": own.failed,
        }
        for own in said.calls
    ]
    return [*found, {"role": "user", "content": results}] if results else found


def langchain(said: Said) -> list[Any]:
    messages = pytest.importorskip("langchain_core.messages", reason="LangChain is not installed")
    if said.who == "user":
        return [messages.HumanMessage(said.text)]
    calls = [{"id": own.id, "name": own.tool, "args": own.arguments} for own in said.calls]
    results = [
        messages.ToolMessage(
            own.result, tool_call_id=own.id, name=own.tool, status="error" if own.failed else "success"
        )
        for own in said.calls
    ]
    return [messages.AIMessage(said.text, tool_calls=calls), *results]


def pydantic_ai(said: Said) -> list[Any]:
    own = pytest.importorskip("pydantic_ai.messages", reason="PydanticAI is not installed")
    if said.who == "user":
        return [own.ModelRequest([own.SystemPromptPart("Be kind."), own.UserPromptPart(said.text)])]
    words = [own.TextPart(said.text)] if said.text else []
    calls = [own.ToolCallPart(each.tool, each.text if each.doubly else each.arguments, each.id) for each in said.calls]
    results = [
        own.ToolReturnPart(each.tool, each.result, each.id, outcome="failed" if each.failed else "success")
        for each in said.calls
    ]
    found: list[Any] = [own.ModelResponse([own.ThinkingPart("..."), *words, *calls])]
    return [*found, own.ModelRequest(results)] if results else found


def inspect(said: Said) -> list[Any]:
    model = pytest.importorskip("inspect_ai.model", reason="Inspect is not installed")
    tool = pytest.importorskip("inspect_ai.tool", reason="Inspect is not installed")
    if said.who == "user":
        return [model.ChatMessageUser(content=said.text)]
    calls = [tool.ToolCall(id=own.id, function=own.tool, arguments=own.arguments) for own in said.calls]
    results = [
        model.ChatMessageTool(
            content=own.result,
            tool_call_id=own.id,
            function=own.tool,
            error=tool.ToolCallError("unknown", own.result) if own.failed else None,
        )
        for own in said.calls
    ]
    return [model.ChatMessageAssistant(content=said.text, tool_calls=calls), *results]


FORMS: dict[str, Callable[[Said], list[Any]]] = {
    "chat": chat,
    "responses": responses,
    "anthropic": anthropic,
    "langchain": langchain,
    "pydantic_ai": pydantic_ai,
    "inspect": inspect,
}
