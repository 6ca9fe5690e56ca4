"""The hooks in real crews of CrewAI, with a scripted model."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.guard import Guard
from tests.adapters.bank import CALL, Payments, bank
from tests.adapters.desk import ALLOWED, CALLS, DONE, STOPPED, Tools, desk, done, turns
from tests.adapters.free_bank import MUCH, free_bank
from tests.test_docs_examples import blocks, printed, promised

pytest.importorskip("crewai", reason="crewai has an environment of its own")

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_DISABLE_TRACKING="true", OTEL_SDK_DISABLED="true")

from crewai import Agent, BaseLLM, Crew, Task
from crewai.hooks import HookAborted
from crewai.tools import tool as as_tool

from holdtrue.adapters.crewai import guard_crews

pytestmark = pytest.mark.filterwarnings("ignore")  # CrewAI warns of its own code.


class Scripted(BaseLLM):
    script: list[Any]
    told: list[str]

    def supports_function_calling(self) -> bool:
        return bool(self.additional_params.get("native", True))

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.told[:] = [str(own["content"]) for own in messages if own["role"] == "tool"]
        return self.script.pop(0)


def calling(name: str, *made: dict[str, Any]) -> list[dict[str, Any]]:
    calls = [{"name": name, "arguments": json.dumps(own)} for own in made]
    return [{"id": f"c{number}", "type": "function", "function": own} for number, own in enumerate(calls)]


def crew(tools: list[Callable[..., Any]], *script: Any) -> tuple[Crew, Scripted]:
    model = Scripted(model="scripted", script=list(script), told=[])
    own = Agent(
        role="clerk", goal="help", backstory="", llm=model, tools=[as_tool(each) for each in tools], cache=False
    )
    task = Task(description="Help the user.", expected_output="An answer.", agent=own)
    return Crew(agents=[own], tasks=[task], cache=False), model


@contextmanager
def guarded(guard: Guard, **settings: Any) -> Iterator[None]:
    end = guard_crews(guard, **settings)
    try:
        yield
    finally:
        end()


def test_the_desk_is_held_as_by_hand() -> None:
    guard, tools = desk(), Tools()
    texts: list[str] = []
    with guarded(guard):
        for turn in turns():
            own, model = crew(
                [tools.get_booking, tools.refund, tools.send_receipt],
                *(step.get("text") or calling(step["tool"], step["arguments"]) for step in turn.steps),
            )
            with guard.inside("visitor") as talk:
                guard.run(talk.heard(user=turn.user))
                guard.run(talk.heard(assistant=own.kickoff().raw))
            texts += model.told
    stops = [own.startswith("[holdtrue: stopped ") for own in texts]
    assert [(own["tool"], own["arguments"]) for own, is_stop in zip(CALLS, stops, strict=True) if is_stop] == STOPPED
    assert tools.made == ALLOWED
    assert guard.run(done(talk)) == DONE


def test_the_nearest_call_takes_the_place_of_a_blocked_one() -> None:
    guard, tools, (turn, *_) = desk(), Tools(), turns()

    def refund(booking: str, amount: float, method: str) -> dict[str, Any]:
        """Refund a booking"""
        return tools.refund(booking, float(amount), method)

    script = [calling(step["tool"], step["arguments"]) for step in turn.steps[:2]]
    own, _ = crew([tools.get_booking, refund], *script, "Done.")
    with guarded(guard, replace=True), guard.inside("visitor") as talk:
        guard.run(talk.heard(user=turn.user))
        own.kickoff()
    assert tools.made == ALLOWED[:2] and turn.steps[1]["arguments"]["amount"] == 300
    assert guard.run(done(talk)) == ALLOWED[:2]


REACT = 'Thought: I look.\nAction: get_booking\nAction Input: {{"booking": "{}"}}'


@pytest.mark.parametrize("way", ["kickoff", "kickoff_async", "akickoff", "as text"])
def test_parallel_calls_are_decided_one_by_one_and_a_tool_that_raises_has_no_effect(way: str) -> None:
    guard, tools = desk(), Tools()
    names = ("HN4T8R", "NONE", "PX6W1K")
    written = [REACT.format(own) for own in names]
    script = written if way == "as text" else [calling("get_booking", *({"booking": own} for own in names))]
    own, model = crew([tools.get_booking], *script, "Thought: I know.\nFinal Answer: Done.")
    model.additional_params["native"] = way != "as text"
    with guarded(guard, conversation="visitor"):
        if way.endswith(("async", "akickoff")):
            asyncio.run(getattr(own, way)())
        else:
            own.kickoff()
    found = guard.run(done(guard.conversation("visitor")))
    assert sorted(str(own) for own in found) == sorted(str(own) for own in ALLOWED if own[0] == "get_booking")


def test_without_a_conversation_no_crew_starts_and_a_failure_stops_the_call(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paid, guard = Payments(tmp_path), free_bank()
    own, model = crew([paid.pay], calling("pay", CALL, MUCH), "Done.")
    with guarded(guard), pytest.raises(HookAborted, match="which conversation"):
        own.kickoff()
    caplog.set_level(logging.WARNING)
    with guarded(guard), guard.inside("visitor"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("holdtrue.guard.clients.door.Door.decide", lambda *_: 1 / 0)
        own.kickoff()
    assert "no words of the user were heard" in caplog.text
    assert paid.made == [] and "could not be decided on" in model.told[0]
    own, _ = crew([paid.pay], calling("pay", CALL, MUCH), "Done.")
    with guarded(bank(mode="observe")):
        own.kickoff()
    assert sorted(own["amount"] for own in paid.made) == [5, 70]
    with pytest.raises(SettingsError, match="interrupts=True"):
        guard_crews(guard, interrupts=True)


def test_the_page_runs_and_prints_what_it_says() -> None:
    (code,) = blocks("docs/adapters-crewai.md", "python")
    lines = printed(code).splitlines()
    assert len(lines) == 2 and all(own in promised(code) for own in lines)
