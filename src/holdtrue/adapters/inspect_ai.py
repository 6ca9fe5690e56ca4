"""Guard the tool calls of Inspect's evaluations by an approver, and score samples and logs by a policy."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

from holdtrue.extras import need
from holdtrue.guard import Guard
from holdtrue.guard.clients.conversations import check_guard, current_of
from holdtrue.guard.decision import Decision
from holdtrue.guard.outcome import Outcome

try:
    from inspect_ai.approval import Approval, Approver, approver, human_approver
    from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState
    from inspect_ai.solver._task_state import sample_state
    from inspect_ai.tool import ToolCall, ToolCallView
except ImportError:
    need("holdtrue.adapters.inspect_ai", "inspect_ai")
    raise


@approver
def guard_approver(
    guard: Guard,
    *,
    conversation: str | None = None,
    tenant: str = "",
    replace: bool = False,
    interrupts: bool | Approver = False,
) -> Approver:
    """Return an approver that approves, modifies or rejects each call by the guard's decision.

    Args:
        conversation: The id of the conversation. The default is the uuid of the sample.
        tenant: The tenant of the conversation.
        replace: Whether the nearest allowed call takes the place of a blocked one.
        interrupts: Whether a person is asked where the decision needs it, or the approver that asks instead of
            Inspect's own. Otherwise the model asks the user.
    """
    check_guard(guard)
    person = human_approver() if interrupts is True else interrupts
    made: dict[tuple[str, str], dict[str, Any]] = {}

    async def approve(message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        sample, is_changed = sample_state(), False
        own = conversation if conversation is not None or sample is None else sample.uuid
        talk = current_of(guard, own, tenant, "the call from a sample of an evaluation")
        await talk.take_in([_with_made(own, talk.id, made) for own in history])
        outcome = await talk.decide(call.function, call.arguments, call=call.id, replace=replace)
        if outcome.kind == "interrupt" and person:
            answer = await person(outcome.to_interrupt()["say"], call, view, history)
            if answer.decision not in ("approve", "modify", "reject"):
                return answer
            if answer.modified is not None:  # A yes to the changed call, which the guard has not seen.
                call, is_changed = answer.modified, True
                outcome = await talk.decide(call.function, call.arguments, call=call.id)
            if outcome.kind == "interrupt":
                no = f"no: {answer.explanation}" if answer.explanation else False
                outcome = await talk.resume(outcome.to_interrupt(), no if answer.decision == "reject" else True)
        about = {"decision": str(outcome.decision.id), "kind": outcome.decision.kind}
        if not outcome.goes_on:
            return Approval(decision="reject", explanation=outcome.for_model, metadata=about)
        if outcome.kind == "proceed" and not is_changed:
            return Approval(decision="approve", metadata=about)
        made[talk.id, call.id] = outcome.arguments
        return Approval(decision="modify", modified=changed(call, arguments=outcome.arguments), metadata=about)

    return approve


def _with_made(message: ChatMessage, talk: str, made: dict[tuple[str, str], dict[str, Any]]) -> ChatMessage:
    """Return a message with the calls that were made, because the history keeps those that were asked for."""
    if not (isinstance(message, ChatMessageAssistant) and message.tool_calls):
        return message
    calls = [changed(own, arguments=made.get((talk, own.id), own.arguments)) for own in message.tool_calls]
    return message.model_copy(update={"tool_calls": calls})


@scorer(metrics=[mean(), stderr()])
def policy_scorer(guard: Guard) -> Scorer:
    """Return a scorer whose value is the share of a sample's calls that the guard allows. It names all other calls.

    The messages are played to a guard of the same settings that only observes, so that all calls count as they ended.
    """

    check_guard(guard)

    async def score(state: TaskState, target: Target) -> Score:
        names = ("model", "reader", "clock", "locale", "sure", "timeout_s")
        settings: dict[str, Any] = {name: getattr(guard, name) for name in names}
        own = Guard(guard.policy, mode="observe", reads=guard.reader is not None, **settings)
        talk, last, decided = own.conversation(state.uuid), dict[str, Outcome](), list[Decision]()
        for place, message in enumerate(state.messages):
            if isinstance(message, ChatMessageAssistant) and message.tool_calls:
                await talk.take_in(state.messages[: place + 1])
                for call in message.tool_calls:
                    last[call.id] = await talk.decide(call.function, call.arguments, call=call.id)
                    decided.append(last[call.id].decision)
            elif isinstance(message, ChatMessageTool) and message.tool_call_id in last:
                ending: Any = "failed" if message.error else None
                await talk.ran(last.pop(message.tool_call_id), message.text, ending=ending)
        if not decided:
            return Score.unscored(explanation="the sample has no calls")
        told = [changed(own, mode="enforce").for_log for own in decided if own.kind != "allow"]
        counts = {kind: sum(own.kind == kind for own in decided) for kind in ("allow", "block", "ask", "confirm")}
        kept, why = counts["allow"] / len(decided), "\n".join(told) or "every call keeps the policy"
        return Score(value=kept, explanation=why, metadata=counts)

    return score
