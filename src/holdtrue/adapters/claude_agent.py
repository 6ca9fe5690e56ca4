"""Guard the tool calls of the Claude Agent SDK: `ClaudeAgentOptions(hooks=hooks_of(guard))`.

The SDK's session id names the conversation. The words that the assistant writes beside calls are not heard, only the
text at the end of its turn. Hooks of your own run at the same time, so one that changes arguments escapes the guard.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.door import Door
from holdtrue.guard.outcome import Outcome

try:
    from claude_agent_sdk import HookMatcher
    from claude_agent_sdk.types import HookEvent
except ImportError:
    need("holdtrue.adapters.claude_agent", "claude_agent_sdk")
    raise

_ASKS = ("default", "plan")
"""The permission modes in which a person answers each question."""


def hooks_of(
    guard: Guard, *, conversation: str | None = None, tenant: str = "", replace: bool = False, interrupts: bool = False
) -> dict[HookEvent, list[HookMatcher]]:
    """Return the hooks that hear the user, decide on each call before it runs, and take results in.

    The guard only restricts: a call that it lets through still needs the SDK's permission. A tool `mcp__SERVER__TOOL`
    is the policy's tool of that name, or else `TOOL`.

    Args:
        conversation: The id of the conversation. The default is the session's id.
        replace: Whether the nearest allowed call takes the place of a blocked one. It needs no other permission.
        interrupts: Whether a question to a person becomes a permission prompt, in the modes in which a person answers.
            Otherwise, the model asks the user.
    """
    hooks = _Hooks(Door(guard, conversation, tenant, replace=replace), interrupts)
    own: dict[HookEvent, Any] = {"UserPromptSubmit": hooks.hear, "PreToolUse": hooks.decide, "Stop": hooks.hear}
    own |= {"PostToolUse": hooks.took, "PostToolUseFailure": hooks.took}
    # Reading a message may take `timeout_s`, and a hook whose time is over blocks.
    limit = 2 * guard.timeout_s + 10
    return {event: [HookMatcher(hooks=[hook], on_failure="block", timeout=limit)] for event, hook in own.items()}


class _Hooks:
    def __init__(self, door: Door, interrupts: bool) -> None:
        self.door, self.interrupts = door, interrupts
        self.asked = set[tuple[str, str]]()

    async def hear(self, given: Any, _: str | None, context: Any) -> Any:
        await self.end_refused(given)
        said, written = given.get("prompt", ""), given.get("last_assistant_message", "")
        await self.door.hear(given["session_id"], said=said, written=written)
        return {}

    async def decide(self, given: Any, _: str | None, context: Any) -> Any:
        await self.end_refused(given)
        outcome = await self.outcome(given)
        if outcome is None or outcome.kind == "proceed":
            return {}
        if outcome.kind == "replace":
            return _decision("allow", "The nearest call that keeps the policy.", updatedInput=dict(outcome.arguments))
        if self.interrupts and outcome.kind == "interrupt" and given.get("permission_mode", "default") in _ASKS:
            self.asked.add((given["session_id"], given["tool_use_id"]))
            return _decision("ask", outcome.decision.for_user)
        return _decision("deny", outcome.for_model)

    async def took(self, given: Any, _: str | None, context: Any) -> Any:
        key = session, call = given["session_id"], given["tool_use_id"]
        if key in self.asked:  # The call ran, so a person said yes to it.
            self.asked.remove(key)
            await self.outcome(given, True)
        ending: Any = "unknown" if given.get("is_interrupt") else "failed" if "error" in given else None
        await self.door.ran(session, call, given.get("error", given.get("tool_response")), ending)
        return {}

    async def end_refused(self, given: Any) -> None:
        """End the calls that the SDK's permissions refused after the guard. Only the transcript tells of them."""
        if begun := self.door.begun(session := given["session_id"]):
            for call, text in (await asyncio.to_thread(_refused, given["transcript_path"], begun)).items():
                await self.door.ran(session, call, text, "failed")

    async def outcome(self, given: Any, answer: bool | None = None) -> Outcome | None:
        tool = given["tool_name"]
        if tool.startswith("mcp__") and tool not in self.door.guard.policy.tools:
            tool = tool.split("__", 2)[-1]
        return await self.door.decide(given["session_id"], tool, given["tool_input"], given["tool_use_id"], answer)


def _refused(transcript: str, calls: Collection[str]) -> dict[str, str]:
    """Return the errors that a transcript shows as the results of calls, by the ids of the calls."""
    path, found = Path(transcript), dict[str, str]()
    for line in path.read_text(encoding="utf-8").splitlines() if transcript and path.is_file() else ():
        if any(own in line for own in calls):
            content = (json.loads(line).get("message") or {}).get("content")
            parts = [own for own in content if isinstance(own, dict)] if isinstance(content, list) else []
            errors = [own for own in parts if own.get("tool_use_id") in calls and own.get("is_error")]
            found |= {own["tool_use_id"]: str(own.get("content")) for own in errors}
    return found


def _decision(permission: str, reason: str, **more: Any) -> dict[str, Any]:
    own = {"hookEventName": "PreToolUse", "permissionDecision": permission, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": own | more}
