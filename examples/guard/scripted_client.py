"""A client that looks like OpenAI's and answers as it was told to: a scripted model, for examples without a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from openai.types.chat import ChatCompletion

Say = str | list[tuple[str, dict[str, Any]]]
"""What the model says: a text, or calls of tools with their arguments."""


class ScriptedClient:
    """A client whose model says one thing after the other, whatever it is asked."""

    def __init__(self, script: Sequence[Say]) -> None:
        self._script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, **request: Any) -> ChatCompletion:
        self.requests.append(request)
        number, said = len(self.requests), self._script.pop(0)
        message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
        if not isinstance(said, str):
            message["tool_calls"] = [
                {"id": f"call_{number}_{place}", "type": "function", "function": _function(*call)}
                for place, call in enumerate(said)
            ]
        reason = "stop" if isinstance(said, str) else "tool_calls"
        return ChatCompletion.model_validate({
            "id": f"sim-{number}", "object": "chat.completion", "created": 0, "model": "sim/scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        })  # fmt: skip


def _function(name: str, arguments: dict[str, Any]) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps(arguments)}
