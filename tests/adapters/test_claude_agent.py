"""The hooks for the Claude Agent SDK, called by the SDK's own protocol in place of the command-line program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard import Guard
from tests.adapters.bank import CALL, bank
from tests.adapters.desk import ALLOWED, CALLS, DONE, STOPPED, Tools, desk, done, turns
from tests.adapters.free_bank import MUCH, free_bank

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed")

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport

from holdtrue.adapters.claude_agent import hooks_of

SESSION = {"session_id": "s1", "transcript_path": "", "cwd": "/"}


class Program(Transport):
    """The other end of the SDK's protocol. It takes the hooks, and calls them as the program does."""

    def __init__(self) -> None:
        self.hooks: dict[str, list[dict[str, Any]]] = {}
        self.lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def connect(self) -> None: ...
    async def close(self) -> None:
        self.lines.put_nowait({})

    async def end_input(self) -> None: ...
    def is_ready(self) -> bool:
        return True

    async def write(self, data: str) -> None:
        given = json.loads(data)
        if given["type"] == "control_request":
            self.hooks = given["request"]["hooks"]
            answer = {"hook_on_failure_supported": True, "hooks_applied": True}
            own = {"subtype": "success", "request_id": given["request_id"], "response": answer}
            self.lines.put_nowait({"type": "control_response", "response": own})
        elif given["type"] == "control_response":
            self.answers[given["response"]["request_id"]].set_result(given["response"])

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while line := await self.lines.get():
            yield line

    async def call(self, event: str, **given: Any) -> dict[str, Any]:
        """Call the hook of an event, and return the answer. A failure of the hook blocks."""
        (matcher,) = self.hooks[event]
        (callback,) = matcher["hookCallbackIds"]
        id = f"r{len(self.answers)}"
        self.answers[id] = asyncio.get_running_loop().create_future()
        request = {"subtype": "hook_callback", "callback_id": callback, "tool_use_id": given.get("tool_use_id")}
        request["input"] = {**SESSION, "hook_event_name": event, **given}
        self.lines.put_nowait({"type": "control_request", "request_id": id, "request": request})
        response = await self.answers[id]
        if response["subtype"] == "error":
            assert matcher["onFailure"] == "block"
            return {"permissionDecision": "deny", "permissionDecisionReason": response["error"]}
        return response["response"].get("hookSpecificOutput", {})  # type: ignore[no-any-return]

    async def use(self, tool: str, given: dict[str, Any], run: Any, *, id: str, says: bool = False, **more: Any) -> str:
        """Make a call as the program does. `says` is a person's answer to a prompt."""
        call = {"tool_name": tool, "tool_use_id": id, **more}
        decided = await self.call("PreToolUse", tool_input=given, **call)
        permission, given = decided.get("permissionDecision"), decided.get("updatedInput", given)
        if permission == "deny" or (permission == "ask" and not says):
            return str(decided["permissionDecisionReason"])
        try:
            result = run(**given)
        except Exception as error:  # noqa: BLE001  the program tells the hook
            await self.call("PostToolUseFailure", tool_input=given, error=str(error), **call)
            return str(error)
        shown = [{"type": "text", "text": json.dumps(result)}]
        await self.call("PostToolUse", tool_input=given, tool_response=shown, **call)
        return json.dumps(result)


async def started(guard: Guard, **settings: Any) -> tuple[ClaudeSDKClient, Program]:
    program = Program()
    client = ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks_of(guard, **settings)), program)
    await client.connect()
    return client, program


async def test_the_desk_is_held_as_by_hand() -> None:
    guard, tools = desk(), Tools()
    client, program = await started(guard)
    texts: list[str] = []
    for turn in turns():
        await program.call("UserPromptSubmit", prompt=turn.user)
        for step in turn.steps:
            if step["role"] == "assistant":
                await program.call("Stop", stop_hook_active=False, last_assistant_message=step["text"])
            else:
                run, name = getattr(tools, step["tool"]), f"mcp__desk__{step['tool']}"
                texts.append(await program.use(name, step["arguments"], run, id=f"t{len(texts)}"))
    await client.disconnect()
    stops = [own.startswith("[holdtrue: stopped ") for own in texts]
    assert [(own["tool"], own["arguments"]) for own, is_stop in zip(CALLS, stops, strict=True) if is_stop] == STOPPED
    assert tools.made == ALLOWED
    assert await done(guard.conversation("s1")) == DONE


async def test_the_nearest_call_takes_the_place_of_a_blocked_one() -> None:
    guard, tools, (turn, *_) = desk(), Tools(), turns()
    client, program = await started(guard, replace=True)
    await program.call("UserPromptSubmit", prompt=turn.user)

    def refund(booking: str, amount: float, method: str) -> Any:
        return tools.refund(booking, float(amount), method)

    for number, (step, run) in enumerate(zip(turn.steps, (tools.get_booking, refund), strict=False)):
        await program.use(step["tool"], step["arguments"], run, id=f"t{number}")
    await client.disconnect()
    assert tools.made == ALLOWED[:2] and turn.steps[1]["arguments"]["amount"] == 300
    assert await done(guard.conversation("s1")) == ALLOWED[:2]


async def test_parallel_calls_are_decided_one_by_one_and_a_tool_that_raises_has_no_effect() -> None:
    guard, tools = desk(), Tools()
    client, program = await started(guard, conversation="visitor")
    made = ({"booking": own} for own in ("HN4T8R", "NONE", "PX6W1K"))
    calls = (program.use("get_booking", own, tools.get_booking, id=f"t{n}") for n, own in enumerate(made))
    await asyncio.gather(*calls)
    await client.disconnect()
    assert await done(guard.conversation("visitor")) == [own for own in ALLOWED if own[0] == "get_booking"]


async def test_a_call_that_the_permissions_refuse_is_no_call_that_waits(tmp_path: Path) -> None:
    guard, transcript = free_bank(), tmp_path / "transcript.jsonl"
    client, program = await started(guard)
    call = {"tool_name": "pay", "tool_input": CALL, "transcript_path": str(transcript)}
    assert await program.call("PreToolUse", tool_use_id="t0", **call) == {}
    assert await program.call("PreToolUse", tool_use_id="t1", **call) == {}
    results = [{"type": "tool_result", "tool_use_id": "t0", "is_error": True, "content": "No permission"}]
    results.append({"type": "tool_result", "tool_use_id": "t1", "content": "paid"})
    lines = [{"type": "queue"}, {"message": {"content": "t0"}}, {"message": {"content": results}}]
    transcript.write_text("".join(json.dumps(own) + "\n" for own in lines))
    await program.call("UserPromptSubmit", prompt="Hello", transcript_path=str(transcript))
    assert [own.id for own in await guard.conversation("s1").pending()] == ["t1"]
    await client.disconnect()


async def test_a_question_is_a_prompt_where_a_person_answers_and_a_failure_blocks() -> None:
    guard, made = bank(), list[dict[str, Any]]()

    def pay(**given: Any) -> str:
        made.append(given)
        return "paid"

    client, program = await started(guard, interrupts=True)
    await program.call("UserPromptSubmit", prompt="Pay")
    assert "say yes" in await program.use("pay", CALL, pay, id="t0")
    automatic = await program.use("pay", CALL, pay, id="t1", says=True, permission_mode="bypassPermissions")
    assert automatic.startswith("[holdtrue: stopped confirm]") and made == []
    assert await program.use("pay", CALL, pay, id="t2", says=True) == '"paid"'
    assert "say yes" in await program.use("pay", CALL, pay, id="t3"), "the yes was for one call"
    assert made == [CALL] == [own for _, own in await done(guard.conversation("s1"))]
    await client.disconnect()
    client, program = await started(free_bank(), tenant="\ud800")
    assert "half a character" in await program.use("pay", CALL, pay, id="t0")
    await client.disconnect()
    client, program = await started(bank(mode="observe"))
    assert await program.use("pay", MUCH, pay, id="t0") == '"paid"'
    await client.disconnect()
    assert made == [CALL, MUCH]
