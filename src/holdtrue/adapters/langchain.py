"""Guard the tool calls of LangChain agents and LangGraph graphs by one middleware, the last in the list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeAlias

from holdtrue.errors import InputError
from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.conversations import current_of
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.outcome import Outcome

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import ToolCall, ToolMessage
    from langgraph.errors import GraphInterrupt, ParentCommand
    from langgraph.prebuilt.tool_node import ToolCallRequest
    from langgraph.types import Command, interrupt
except ImportError:
    need("holdtrue.adapters.langchain", "langchain")
    raise

Result: TypeAlias = ToolMessage | Command[Any]


@dataclass(eq=False)
class GuardMiddleware(AgentMiddleware[Any, Any, Any]):
    """A `GuardMiddleware` decides on each tool call before the tool runs, and takes the result in.

    Args:
        conversation: The id of the conversation. The default is the thread's id (`configurable.thread_id`).
        tenant: The tenant of the conversation.
        replace: Whether the nearest allowed call takes the place of a blocked one.
        interrupts: Whether a question to a person interrupts the graph. Otherwise the model asks the user.
    """

    guard: Guard
    _: KW_ONLY
    conversation: str | None = None
    tenant: str = ""
    replace: bool = False
    interrupts: bool = False

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        """Decide on a call of a graph that was started with `invoke` or `stream`, and make it."""
        talk, run, is_asked = self._talk(request), self.guard.run, False
        outcome = run(self._decided(talk, request))
        if outcome.kind == "interrupt" and self.interrupts:
            answer, is_asked = interrupt(shown := outcome.to_interrupt()), True
            outcome = run(talk.resume(shown, answer, is_rerun=True))
        if not outcome.goes_on:
            return _stopped(request, outcome)
        try:
            result = handler(_made(request, outcome))
        except BaseException as error:
            run(_take_end(talk, outcome, error, is_asked))
            raise
        run(_take_end(talk, outcome, result))
        return result

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Result:
        """Decide on a call of a graph that was started with `ainvoke` or `astream`, and make it."""
        talk, is_asked = self._talk(request), False
        outcome = await self._decided(talk, request)
        if outcome.kind == "interrupt" and self.interrupts:
            answer, is_asked = interrupt(shown := outcome.to_interrupt()), True
            outcome = await talk.resume(shown, answer, is_rerun=True)
        if not outcome.goes_on:
            return _stopped(request, outcome)
        try:
            result: Result = await handler(_made(request, outcome))
        except BaseException as error:
            await _take_end(talk, outcome, error, is_asked)
            raise
        await _take_end(talk, outcome, result)
        return result

    def _talk(self, request: ToolCallRequest) -> GuardedConversation:
        thread = request.runtime.config.get("configurable", {}).get("thread_id")
        own = self.conversation if self.conversation is not None or thread is None else str(thread)
        return current_of(self.guard, own, self.tenant, '`config={"configurable": {"thread_id": id}}`')

    async def _decided(self, talk: GuardedConversation, request: ToolCallRequest) -> Outcome:
        state, call = request.state, request.tool_call
        messages = state["messages"] if isinstance(state, Mapping) else getattr(state, "messages", state)
        # LangChain marks a summary, or another text that no user wrote, by its source.
        await talk.take_in([own for own in messages if not own.additional_kwargs.get("lc_source")])
        return await talk.decide(call["name"], call["args"], call=call["id"], replace=self.replace)


def _made(request: ToolCallRequest, outcome: Outcome) -> ToolCallRequest:
    changed = ToolCall(**{**request.tool_call, "args": outcome.arguments})
    return request.override(tool_call=changed) if outcome.kind == "replace" else request


def _stopped(request: ToolCallRequest, outcome: Outcome) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(outcome.for_model, name=call["name"], tool_call_id=call["id"], status="error")


async def _take_end(talk: GuardedConversation, outcome: Outcome, result: Any, is_asked: bool = False) -> None:
    """Take in a tool's result: its message, a command that contains the message, or an exception."""
    given = result if isinstance(result, list) else [result]
    updates = [own.update for own in given if isinstance(own, Command) and isinstance(own.update, Mapping)]
    given = [*given, *(own for each in updates for own in each.get("messages") or ())]
    message = next((own for own in given if isinstance(own, ToolMessage) and own.tool_call_id == outcome.call), None)
    if isinstance(result, GraphInterrupt):
        await talk.ran(outcome, "interrupted", ending="failed")  # The tool runs anew when the graph is resumed.
        if is_asked:  # LangGraph would take the answer to the guard's question for one to the tool's.
            raise InputError(f"{outcome.decision.tool} interrupts the graph itself: use interrupts=False") from result
    elif message is not None:
        value = message.content if message.artifact is None else message.artifact
        await talk.ran(outcome, value, ending="failed" if message.status == "error" else None)
    elif isinstance(result, BaseException) and not isinstance(result, ParentCommand):
        await talk.ran(outcome, result)
    else:  # The tool only updates the state, or hands the conversation over.
        await talk.ran(outcome, "", ending="succeeded")
