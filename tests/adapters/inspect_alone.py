"""The approver and the scorer in evaluations of Inspect, with its scripted model. `test_inspect_ai` runs this file."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard import Guard
from tests.adapters.bank import CALL, Payments, bank
from tests.adapters.desk import ALLOWED, CALLS, DONE, STOPPED, Tools, desk, done, turns

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from inspect_ai import Task, eval_async, score_async
from inspect_ai.approval import Approval, ApprovalPolicy
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import TaskState, solver, use_tools
from inspect_ai.tool import ToolCall, ToolDef, ToolError

from holdtrue.adapters.inspect_ai import guard_approver, policy_scorer

# Inspect uses an old parameter of tenacity, and leaves streams of anyio open.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <function MemoryObject:pytest.PytestUnraisableExceptionWarning"
    ),
]
Call = tuple[str, dict[str, Any]]
NUMBERS = count()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()


def said(own: str | list[Call]) -> ModelOutput:
    """Return an answer of the model. It states its usage, since Inspect would download an encoding to count it."""
    if isinstance(own, str):
        found = ModelOutput.from_content("mockllm/model", own)
    else:
        calls = [ToolCall(id=f"c{next(NUMBERS)}", function=name, arguments=given) for name, given in own]
        found = ModelOutput.from_message(ChatMessageAssistant(content="", tool_calls=calls))
    found.usage = ModelUsage()
    return found


@solver
def talking(*more: str) -> Any:
    async def solve(state: TaskState, generate: Any) -> TaskState:
        state = await generate(state)
        for text in more:
            state.messages.append(ChatMessageUser(content=text))
            state = await generate(state)
        return state

    return solve


def described(function: Any) -> ToolDef:
    @wraps(function)
    async def run(**given: Any) -> str:
        return json.dumps(function(**given))

    return ToolDef(run, parameters=dict.fromkeys((own for own in function.__annotations__ if own != "return"), "text"))


async def played(
    guard: Guard, tools: list[Any], users: list[str], script: list[Any], folder: Path, **settings: Any
) -> Any:
    """Return the log of one sample, in which the guard approves each call, and scores them at the end."""
    task = Task(
        dataset=[Sample(input=users[0], target="")],
        solver=[use_tools([described(own) for own in tools]), talking(*users[1:])],
        scorer=policy_scorer(guard),
        approval=[ApprovalPolicy(guard_approver(guard, **settings), "*")],
    )
    model = get_model("mockllm/model", custom_outputs=[said(own) for own in script])
    (log,) = await eval_async(task, model=model, log_dir=str(folder))
    assert log.status == "success", log.error
    return log


async def test_the_desk_is_held_as_by_hand_and_its_log_scores_alike(tmp_path: Path) -> None:
    guard, tools = desk(), Tools()
    steps = [own for turn in turns() for own in turn.steps]
    script = [own["text"] if "text" in own else [(own["tool"], own["arguments"])] for own in steps]
    log = await played(
        guard,
        [tools.get_booking, tools.refund, tools.send_receipt],
        [own.user for own in turns()],
        script,
        tmp_path,
        conversation="t1",
    )
    (sample,) = log.samples
    stops = [own.error is not None for own in sample.messages if isinstance(own, ChatMessageTool)]
    assert [(own["tool"], own["arguments"]) for own, is_stop in zip(CALLS, stops, strict=True) if is_stop] == STOPPED
    assert tools.made == ALLOWED
    talk = guard.conversation("t1")
    await talk.take_in(sample.messages)
    assert await done(talk) == DONE
    score = sample.scores["policy_scorer"]
    assert score.value == 0.5 and score.metadata["block"] == 5
    assert "R4 is broken: A booking is looked up before it is refunded." in score.explanation
    # A log of a run without a guard is scored by what the calls did.
    again: Any = await score_async(log, policy_scorer(bank()), action="overwrite")
    assert [own.value for own in again.samples[0].scores.values()] == [0.0]


async def test_a_call_is_replaced_and_a_tool_that_raises_has_no_effect(tmp_path: Path) -> None:
    guard, tools, (turn, *_) = desk(), Tools(), turns()

    def get_booking(booking: str) -> Any:
        """Look up a booking"""
        if booking == "NONE":
            raise ToolError("there is none")
        return tools.get_booking(booking)

    looked = [("get_booking", {"booking": own}) for own in ("NONE", "HN4T8R")]
    script = [looked, [("refund", turn.steps[1]["arguments"])], "Done."]
    log = await played(guard, [get_booking, tools.refund], [turn.user], script, tmp_path, replace=True)
    assert tools.made == ALLOWED[:2] and turn.steps[1]["arguments"]["amount"] == 300
    (sample,) = log.samples
    talk = guard.conversation(sample.uuid)
    await talk.take_in(sample.messages[:-2])
    assert await done(talk) == ALLOWED[:1]


async def test_a_person_is_asked_and_the_yes_is_for_one_call(tmp_path: Path) -> None:
    asked: list[Any] = []

    async def person(message: str, call: Any, view: Any, history: Any) -> Approval:
        asked.append(message)
        return Approval(decision="approve" if len(asked) == 1 else "reject")

    paid = Payments(tmp_path)
    calls = [[("pay", CALL)], [("pay", CALL)], "Done."]
    await played(bank(), [paid.pay], ["Pay Ann"], calls, tmp_path, interrupts=person)
    assert paid.made == [CALL]
    assert asked == ["Please say yes to this before it is done: pay (to: 'Ann'; amount: 5)."] * 2
    await played(bank(mode="observe"), [paid.pay], ["Pay Ann"], calls, tmp_path)
    assert paid.made == [CALL] * 3, "observing stops nothing"


async def test_a_person_may_change_a_call_within_the_policy_and_a_no_has_its_reason(tmp_path: Path) -> None:
    answers = iter((70, 7))

    async def person(message: str, call: Any, view: Any, history: Any) -> Approval:
        if (amount := next(answers, 0)) == 0:
            return Approval(decision="reject", explanation="not today")
        return Approval(decision="modify", modified=replace(call, arguments={**call.arguments, "amount": amount}))

    paid = Payments(tmp_path)
    calls = [[("pay", CALL)], [("pay", CALL)], [("pay", CALL)], "Done."]
    log = await played(bank(), [paid.pay], ["Pay Ann"], calls, tmp_path, interrupts=person)
    results = [own for own in log.samples[0].messages if own.role == "tool"]
    told = [own.error.message if own.error else own.text for own in results]
    assert paid.made == [CALL | {"amount": 7}] and "At most 50." in told[0]
    assert told[1] == '"paid"' and told[2].endswith("a person was asked, and answered: no: not today")
