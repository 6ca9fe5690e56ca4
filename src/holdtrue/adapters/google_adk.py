"""Guard the tool calls of Google's Agent Development Kit: `App(..., plugins=[GuardPlugin(guard)])`.

Put it last among the plugins. A `before_tool_callback` of an agent runs after it: one that changes arguments escapes
the guard.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.door import Door

try:
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.plugins.reflect_retry_tool_plugin import REFLECT_AND_RETRY_RESPONSE_TYPE
    from google.adk.tools import BaseTool, ToolContext
except ImportError:
    need("holdtrue.adapters.google_adk", "google.adk")
    raise

_running: ContextVar[tuple[str, Any] | None] = ContextVar("holdtrue_adk_running", default=None)
"""The conversation and the call of a running tool. To an agent that is this tool, a model speaks, and no user."""


class GuardPlugin(BasePlugin):
    """A `GuardPlugin` hears the user and the agents, decides on each tool call before it runs, and takes results in.

    Args:
        conversation: The id of the conversation. The default is `APP/USER/SESSION`, since two users of the ADK may have
            sessions of one name.
        tenant: The tenant of the conversation.
        replace: Whether the nearest allowed call takes the place of a blocked one.
        interrupts: Whether a question to a person is asked by the ADK's tool confirmation. A confirmation lets just
            this call through once. Otherwise, the model asks the user.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        conversation: str | None = None,
        tenant: str = "",
        replace: bool = False,
        interrupts: bool = False,
    ) -> None:
        super().__init__(name="holdtrue")
        self.door, self.interrupts = Door(guard, conversation, tenant, replace=replace), interrupts

    async def on_user_message_callback(self, *, invocation_context: Any, user_message: Any) -> None:
        if _running.get() is None:
            await self.door.hear(_id(invocation_context.session), said=_text(user_message))

    async def on_event_callback(self, *, invocation_context: Any, event: Any) -> None:
        if _running.get() is None and event.author != "user" and not event.partial:
            await self.door.hear(_id(invocation_context.session), written=_text(event.content))

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        id, call = _id(tool_context.session), tool_context.function_call_id
        answer = tool_context.tool_confirmation.confirmed if tool_context.tool_confirmation else None
        outcome = await self.door.decide(id, tool.name, dict(tool_args), call, answer if self.interrupts else None)
        if outcome is None or outcome.goes_on:
            if outcome is not None and outcome.kind == "replace":
                tool_args.clear()
                tool_args.update(outcome.arguments)
            _running.set(_running.get() or (id, call))
            return None
        if outcome.kind == "interrupt" and self.interrupts and answer is None:
            tool_context.request_confirmation(hint=outcome.decision.for_user, payload=outcome.to_interrupt())
            tool_context.actions.skip_summarization = True
        return {"error": outcome.for_model}

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: Any
    ) -> None:
        waits = tool_context.function_call_id in tool_context.actions.requested_tool_confirmations
        # A tool that waits did not run yet, and the ADK's plugin of retries answers for a tool that raised.
        failed = waits or (isinstance(result, dict) and result.get("response_type") == REFLECT_AND_RETRY_RESPONSE_TYPE)
        await self._ran(tool_context, result, "failed" if failed else None)

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> None:
        await self._ran(tool_context, error)

    async def _ran(self, context: ToolContext, result: Any, ending: Any = None) -> None:
        id, call = _id(context.session), context.function_call_id
        await self.door.ran(id, call, result, ending)
        if _running.get() == (id, call):
            _running.set(None)


def _id(session: Any) -> str:
    running = _running.get()
    names = (session.app_name, session.user_id, session.id)
    return "/".join(quote(own, safe="") for own in names) if running is None else running[0]


def _text(content: Any) -> str:
    parts = (content.parts or []) if content is not None else []
    return "".join(own.text for own in parts if own.text and not own.thought)
