"""Guard the tool calls of PydanticAI agents by one capability, which decides on the arguments that a tool gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.conversations import check_guard, current_of
from holdtrue.guard.clients.history_intake import has_come
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.outcome import Outcome

try:
    from pydantic_ai import ApprovalRequired, RunContext, SkipToolExecution, ToolDefinition
    from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
    from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturn, ToolReturnPart, UserPromptPart
    from pydantic_core import to_jsonable_python
except ImportError:
    need("holdtrue.adapters.pydantic_ai", "pydantic_ai")
    raise


@dataclass(eq=False)
class GuardCapability(AbstractCapability[Any]):
    """A `GuardCapability` decides on each tool call before the tool runs, and takes the result in.

    Args:
        conversation: The id of the conversation. The default is the run's `conversation_id`.
        tenant: The tenant of the conversation.
        replace: Whether the nearest allowed call takes the place of a blocked one.
        interrupts: Whether a question to a person ends the run with a request for approval. The approval of a call is a
            yes to it. Otherwise the model asks the user.
    """

    guard: Guard
    _: KW_ONLY
    conversation: str | None = None
    tenant: str = ""
    replace: bool = False
    interrupts: bool = False
    _begun: dict[Any, tuple[GuardedConversation, Outcome]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        check_guard(self.guard)

    def get_ordering(self) -> CapabilityOrdering:
        """Return the last place, so that no other capability changes a call after the decision."""
        return CapabilityOrdering(position="innermost")

    async def before_tool_execute(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        """Decide on a call, and return the arguments with which it is made."""
        own = self.conversation if self.conversation is not None else ctx.conversation_id
        talk = current_of(self.guard, own, self.tenant, "`conversation_id=` to the run")
        await talk.take_in([*_heard(ctx)])
        tools, id = ctx.tool_manager and ctx.tool_manager.tools, ctx.tool_call_id
        may_replace = self.replace and bool(tools)  # Without the tools, other arguments could not be validated.
        outcome = await talk.decide(call.tool_name, _as_json(call, tool_def, args), call=id, replace=may_replace)
        if outcome.kind == "interrupt" and self.interrupts:
            # An app may send a history and its approvals again.
            if ctx.tool_call_approved and not await has_come(talk, GivenCall(call.tool_name, None, id)):
                outcome = await talk.resume(outcome.to_interrupt(), True, is_rerun=True)
            if outcome.kind == "interrupt":
                raise ApprovalRequired(outcome.to_interrupt())
        if not outcome.goes_on:
            raise SkipToolExecution(outcome.for_model)
        self._begun[ctx.run_id, id] = talk, outcome
        if outcome.kind == "replace" and tools:
            validator = tools[call.tool_name].args_validator
            args = validator.validate_python(outcome.arguments, context=ctx.validation_context)
        return args

    async def after_tool_execute(self, ctx: RunContext[Any], *, result: Any, **_: Any) -> Any:
        """Take in the tool's result."""
        await self._take_end(ctx, result)
        return result

    async def on_tool_execute_error(self, ctx: RunContext[Any], *, error: Exception, **_: Any) -> Any:
        """Take in the failure of a tool, before another capability recovers from it."""
        await self._take_end(ctx, error)
        raise error

    async def wrap_tool_execute(self, ctx: RunContext[Any], *, args: Any, handler: Any, **_: Any) -> Any:
        """Take in the end of a tool that asked for a retry, was deferred or was cancelled."""
        try:
            return await handler(args)
        except BaseException as error:
            await self._take_end(ctx, error)
            raise

    async def _take_end(self, ctx: RunContext[Any], result: Any) -> None:
        """Take in the end of a call that went on, once."""
        if (begun := self._begun.pop((ctx.run_id, ctx.tool_call_id), None)) is not None:
            await begun[0].ran(begun[1], result.return_value if isinstance(result, ToolReturn) else result)


def _as_json(call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]) -> Any:
    """Return validated arguments as JSON values. The fields of a single model are the arguments of its tool."""
    given, names = to_jsonable_python(args, by_alias=True), tool_def.parameters_json_schema.get("properties", {})
    if len(given) == 1 and not given.keys() <= names.keys():
        (given,) = given.values()
    # A default of None is an argument that is not given.
    return {name: own for name, own in given.items() if own is not None or name in call.args_as_dict()}


def _heard(ctx: RunContext[Any]) -> Iterator[ModelMessage]:
    """Yield the messages without the texts that tools wrote for the model, which look like a user's."""
    messages: list[Any] = ctx.messages
    for own in messages:
        parts = own.parts
        if any(isinstance(each, ToolReturnPart) for each in parts):
            parts = [each for each in parts if not isinstance(each, UserPromptPart) or each.content == ctx.prompt]
        yield replace(own, parts=parts)
