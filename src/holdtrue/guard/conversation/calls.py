"""Read a call as a client has it: from a name with arguments, or in the forms of providers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import InputError


@dataclass(frozen=True, slots=True)
class GivenCall:
    """A call that is to be decided on: the tool's name, arguments as values or as their JSON, and the call's id."""

    tool: str
    arguments: Any
    id: str | None


def read_given_call(tool: Any, arguments: Any = None, id: str | None = None) -> GivenCall:
    """Return a call. Besides a name with arguments, `tool` may be a call as providers have it.

    These are a `tool_calls` item of chat completions, a `function_call` item of Responses, a `tool_use` block, and
    `{"name": ..., "arguments": ...}`, each as an object or as what a client's library has in its place. Raises
    `InputError` for anything else.
    """
    if isinstance(tool, GivenCall):
        return tool
    if isinstance(tool, str):
        return GivenCall(tool, {} if arguments is None else arguments, id)
    given = tool.model_dump() if hasattr(tool, "model_dump") else tool
    if not isinstance(given, Mapping):
        raise InputError(f"a call is the name of a tool with arguments, or an object with both, not {tool!r:.60}")
    inner = given.get("function", given)
    own = next((given[key] for key in ("call_id", "tool_call_id", "id") if isinstance(given.get(key), str)), None)
    name = inner.get("name") if isinstance(inner, Mapping) else None
    if not isinstance(name, str):
        raise InputError(f"a call has the name of its tool under `name` or `function.name`: {str(given)[:100]}")
    found: Any = next((inner[key] for key in ("arguments", "input", "args") if inner.get(key) is not None), {})
    return GivenCall(name, found, id or own)
