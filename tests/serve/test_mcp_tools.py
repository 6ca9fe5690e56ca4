"""The tools by which any MCP client uses a guard decide as the guard's own methods do."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("mcp")
from mcp import Client

from holdtrue.serve.mcp_tools import guard_server
from tests.adapters.desk import STOPPED, desk, turns
from tests.serve.mcp_pair import text_of


async def test_a_guard_is_told_of_a_conversation_and_asked_about_its_calls_by_tools() -> None:
    stopped, decisions = list[Any](), list[str]()
    async with Client(guard_server(desk())) as client:

        async def use(verb: str, /, **given: Any) -> Any:
            result = await client.call_tool(verb, {"conversation": "desk", **given})
            assert not result.is_error, text_of(result)
            found = result.structured_content or {}
            return found.get("result", found)

        for turn in turns():
            await use("hear_message", user=turn.user)
            for step in turn.steps:
                if step["role"] == "assistant":
                    await use("hear_message", assistant=step["text"])
                    continue
                call = {"tool": step["tool"], "arguments": step["arguments"]}
                decision = await use("check_call", **call)
                decisions.append(decision["decision"])
                if decision["goes_on"]:
                    assert "send_receipt" not in step["tool"] or (await use("list_unmet"))["pending"]
                    await use("see_result", result=step["result"], decision=decision["decision"], **call)
                else:
                    stopped.append((step["tool"], step["arguments"]))
        assert stopped == STOPPED
        requests = await use("list_requests")
        assert {own["status"] for own in requests} == {"done"} and requests[0]["agreed"][0]["quote"]
        explained = await use("explain_decision", decision=decisions[1])
        assert explained["kind"] == "block" and explained["rules"] == ["R1"]
        assert (await use("list_unmet"))["pending"] == []
        missing = await client.call_tool("explain_decision", {"conversation": "desk", "decision": "D999"})
        assert missing.is_error and "has no decision 'D999'" in text_of(missing)
