"""Guard agents of the OpenAI Agents SDK: `agent = guarded(agent, guard)`, and `with guard.inside(id)` around a run."""

from __future__ import annotations

import copy
from dataclasses import replace as changed
from functools import partial
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.door import Door
from holdtrue.guard.result_forms import stop_mark

try:
    from agents import Agent, AgentHooks, FunctionTool, Handoff, Tool, ToolGuardrailFunctionOutput, ToolInputGuardrail
    from agents.tool_context import ToolContext
except ImportError:
    need("holdtrue.adapters.openai_agents", "agents")
    raise


def guarded(
    agent: Agent[Any],
    guard: Guard,
    *,
    conversation: str | None = None,
    tenant: str = "",
    replace: bool = False,
    interrupts: bool = False,
) -> Agent[Any]:
    """Return a copy of an agent, and of those it hands off to, that decides on each call before the tool runs.

    Args:
        conversation: The id of the conversation. The default is that of the `with guard.inside(id)` block.
        replace: Refused, since the SDK cannot change a call.
        interrupts: Whether a question to a person interrupts the run; `state.approve(item)` lets the call through once.
    """
    if replace:
        raise SettingsError("replace=True: the SDK cannot change a call; the model is told the nearest allowed one")
    return _GuardedAgents(Door(guard, conversation, tenant), interrupts).agent(agent)


class _GuardedAgents:
    def __init__(self, door: Door, interrupts: bool) -> None:
        self.door, self.interrupts = door, interrupts
        self.copies: dict[int, tuple[Agent[Any], Agent[Any]]] = {}

    def agent(self, given: Agent[Any]) -> Agent[Any]:
        """Return the guarded copy of an agent, the same one each time, since agents may hand off in a circle."""
        if hasattr(given, "is_guarded") or id(given) in self.copies:
            return self.copies.get(id(given), (given, given))[1]
        hooks: Any = AgentHooks() if given.hooks is None else copy.copy(given.hooks)

        async def on_llm_start(
            context: Any, agent: Any, prompt: Any, items: Any, own: Any = hooks.on_llm_start
        ) -> None:
            await self.door.hear(None, _said(context, items))
            await own(context, agent, prompt, items)

        async def get_all_tools(own: Agent[Any], context: Any) -> list[Tool]:
            return [self.tool(each) for each in await type(given).get_all_tools(own, context)]

        hooks.on_llm_start = on_llm_start
        own = given.clone(hooks=hooks)
        own.__class__ = type(type(given).__name__, (type(given),), {"get_all_tools": get_all_tools, "is_guarded": True})
        self.copies[id(given)] = given, own
        own.handoffs = [self.handoff(each) for each in given.handoffs]
        return own

    def handoff(self, given: Any) -> Any:
        async def invoke(context: Any, arguments: str) -> Any:
            return self.agent(await given.on_invoke_handoff(context, arguments))

        return changed(given, on_invoke_handoff=invoke) if isinstance(given, Handoff) else self.agent(given)

    def tool(self, given: Tool) -> Any:
        if not isinstance(given, FunctionTool):
            if self.door.guard.mode == "enforce" and self.door.guard.policy.writes(given.name):
                raise SettingsError(f"no call of {given.name} can be stopped; to let it run, declare it as reading")
            return given
        own: Any = copy.copy(given)
        own.tool_input_guardrails = [*(given.tool_input_guardrails or ()), ToolInputGuardrail(self.decide, "holdtrue")]
        own.needs_approval = partial(self.asks, given) if self.interrupts else given.needs_approval
        # The SDK turns what a tool raises into a text; only the innermost function shows a failure as one.
        inner, name = (own.on_invoke_tool, "_invoke_tool_impl")
        inner, name = (inner, name) if hasattr(inner, name) else (own, "on_invoke_tool")
        function = getattr(inner, name)

        async def invoke(context: ToolContext[Any], arguments: str) -> Any:
            return await self.door.run(None, context.tool_call_id, function(context, arguments))

        # By its marks, the SDK asks a person about each call whose arguments are converted.
        invoke.__dict__.update(vars(function) if callable(given.needs_approval) else {})
        setattr(inner, name, invoke)
        return own

    async def asks(self, tool: FunctionTool, context: Any, arguments: dict[str, Any], call: str) -> bool:
        own = tool.needs_approval
        needed = await own(context, arguments, call) if callable(own) else own
        return needed or await self.door.asks(None, tool.qualified_name, arguments, call)

    async def decide(self, data: Any) -> ToolGuardrailFunctionOutput:
        own, call = data.context, data.context.tool_call_id
        # A yes to all calls of a tool, also to one without an id, is no yes to just this one.
        approved = partial(own.is_tool_approved, own.tool_name)
        yes = (self.interrupts and approved(call) and not approved("")) or None
        outcome = await self.door.decide(None, own.qualified_tool_name, own.tool_arguments, call, yes)
        if outcome is None or outcome.goes_on:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(outcome.for_model, outcome.to_interrupt())


def _said(context: Any, items: Any) -> list[Any]:
    """Return the history, with the calls that a person rejected marked as stopped. A tool's history is a model's."""
    calls = [own for own in items if own.get("type") == "function_call"]
    no = {own["call_id"] for own in calls if context.is_tool_approved(own["name"], own["call_id"]) is False}
    said = [own | {"output": stop_mark("ask")} if "output" in own and own["call_id"] in no else own for own in items]
    return [] if isinstance(context, ToolContext) else said
