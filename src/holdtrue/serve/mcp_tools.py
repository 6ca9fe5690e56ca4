"""Serve the ledger and the decisions of a guard as the tools of an MCP server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from holdtrue.errors import HoldtrueError, InputError
from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.decision import as_json

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    need("holdtrue mcp", "mcp")
    raise

_ABOUT = """A guard keeps the agreements of a conversation, and decides on the calls of tools before they are made.
Tell it each message (hear_message), ask it about each call (check_call) before you make the call, and tell it the
result (see_result). Every tool takes the id of the conversation that it is about."""


def guard_server(guard: Guard) -> MCPServer:
    """Return an MCP server whose tools are the methods of the guard's conversations."""
    server = MCPServer("holdtrue", instructions=_ABOUT)

    def tool(function: Callable[..., Awaitable[Any]]) -> None:
        """Add a tool whose errors are told in words, as those of the guard are."""

        @wraps(function)
        async def run(**given: Any) -> Any:
            try:
                return await function(**given)
            except HoldtrueError as error:
                raise ToolError(str(error)) from error

        server.add_tool(run)

    @tool
    async def check_call(conversation: str, tool: str, arguments: dict[str, Any], tenant: str = "") -> dict[str, Any]:
        """Decide on a call before it is made: allow, block, ask or confirm, with reasons and the necessary changes."""
        outcome = await current_of(guard, conversation, tenant).decide(tool, arguments)
        mend = outcome.decision.mend
        nearest = None if mend is None else dict(mend.arguments)
        return {"goes_on": outcome.goes_on, "for_model": outcome.for_model, "mend": nearest, **outcome.to_interrupt()}

    @tool
    async def hear_message(
        conversation: str,
        user: str | None = None,
        assistant: str | None = None,
        answers: str | None = None,
        tenant: str = "",
    ) -> dict[str, Any]:
        """Tell a new message of the user, of the assistant, or of both, where the assistant's came first.

        `answers` is the decision whose question or listing the user answers.
        """
        heard = await current_of(guard, conversation, tenant).heard(user=user, assistant=assistant, answers=answers)
        return {"turn": heard.turn, "yes": heard.yes, "unheard": heard.unheard, "unread": list(heard.unread)}

    @tool
    async def see_result(
        conversation: str,
        tool: str,
        arguments: dict[str, Any],
        result: Any,
        decision: str | None = None,
        failed: bool = False,
        tenant: str = "",
    ) -> str:
        """Tell the result of a call that was made. `decision` is the decision that allowed the call."""
        talk = current_of(guard, conversation, tenant)
        await talk.saw(tool, arguments, result, call=decision, outcome="failed" if failed else None)
        return "seen"

    @tool
    async def list_requests(conversation: str, tenant: str = "") -> list[dict[str, Any]]:
        """List the user's requests with their status, and the agreed values of each of their arguments."""
        talk = current_of(guard, conversation, tenant)
        entries = await talk.entries()
        return [
            {**as_json(own), "agreed": [as_json(each) for each in entries if each.request == own.id]}
            for own in await talk.requests()
        ]

    @tool
    async def explain_decision(conversation: str, decision: str, tenant: str = "") -> dict[str, Any]:
        """Return an earlier decision with all its findings, and the facts and words that it rests on."""
        for event in await guard.store.read(tenant, conversation):
            if event.kind == "decided" and event.content["decision"] == decision:
                found: dict[str, Any] = json.loads(event.content["record"])
                return found
        raise InputError(f"the conversation {conversation!r:.60} has no decision {decision!r:.20}")

    @tool
    async def list_unmet(conversation: str, tenant: str = "") -> dict[str, Any]:
        """List promises and obligations that are open, and allowed calls whose results have not come."""
        talk = current_of(guard, conversation, tenant)
        waiting = [{"decision": own.id, "tool": own.tool, "arguments": own.arguments} for own in await talk.pending()]
        return {"unmet": [as_json(own) for own in await talk.unmet()], "pending": waiting}

    return server
