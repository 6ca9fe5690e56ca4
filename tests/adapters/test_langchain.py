"""The middleware in real agents of LangChain, with a scripted model."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard import Guard
from tests.adapters.bank import CALL, KILLED, Payments, account_opened, bank, killed_in, limited_bank
from tests.adapters.desk import ALLOWED, CALLS, DONE, STOPPED, Tools, desk, done, turns

pytest.importorskip("langchain", reason="langchain is not installed")

from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver, PersistentDict
from langgraph.types import Command, interrupt

from holdtrue.adapters.langchain import GuardMiddleware

THREAD: Any = {"configurable": {"thread_id": "t1"}}


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def calling(name: str, *made: dict[str, Any], begin: str = "c") -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": own, "id": f"{begin}{n}"} for n, own in enumerate(made)])


def agent(guard: Guard, tools: list[Any], script: list[Any], saver: Any = None, **settings: Any) -> Any:
    middleware, saver = [GuardMiddleware(guard, **settings)], saver or InMemorySaver()
    return create_agent(Scripted(messages=iter(script)), tools, middleware=middleware, checkpointer=saver)


def texts(state: Any) -> list[str]:
    return [own.text for own in state["messages"] if isinstance(own, ToolMessage)]


@pytest.mark.parametrize("way", ["invoke", "ainvoke"])
async def test_the_desk_is_held_as_by_hand(way: str) -> None:
    guard, tools = desk(), Tools()
    steps = [own for turn in turns() for own in turn.steps]
    script = [
        AIMessage(own["text"]) if "text" in own else calling(own["tool"], own["arguments"], begin=f"{n}-")
        for n, own in enumerate(steps)
    ]
    own = agent(guard, [tools.get_booking, tools.refund, tools.send_receipt], script)
    for turn in turns():
        given = {"messages": [HumanMessage(turn.user)]}
        state = await (own.ainvoke(given, THREAD) if way == "ainvoke" else asyncio.to_thread(own.invoke, given, THREAD))
    stops = [own.startswith("[holdtrue: stopped ") for own in texts(state)]
    assert [(own["tool"], own["arguments"]) for own, is_stop in zip(CALLS, stops, strict=True) if is_stop] == STOPPED
    assert tools.made == ALLOWED
    talk = guard.conversation("t1")
    assert not (await talk.take_in(state["messages"])).seen
    assert await done(talk) == DONE


async def test_the_nearest_call_takes_the_place_of_a_blocked_one() -> None:
    guard, tools, (turn, *_) = desk(), Tools(), turns()
    looked, high = turn.steps[0], turn.steps[1]
    script = [calling(own["tool"], own["arguments"], begin=own["tool"]) for own in (looked, high)]
    own = agent(guard, [tools.get_booking, tools.refund], [*script, AIMessage("Done.")], replace=True)
    state = await own.ainvoke({"messages": [HumanMessage(turn.user)]}, THREAD)
    assert tools.made == ALLOWED[:2] and high["arguments"]["amount"] == 300
    talk = guard.conversation("t1")
    assert not (await talk.take_in(state["messages"])).seen
    assert await done(talk) == ALLOWED[:2]


async def test_parallel_calls_are_decided_one_by_one_and_a_tool_that_raises_has_no_effect() -> None:
    guard, tools = desk(), Tools()
    script = [calling("get_booking", *({"booking": own} for own in ("HN4T8R", "NONE", "PX6W1K"))), AIMessage("Done.")]
    with pytest.raises(KeyError):
        await agent(guard, [tools.get_booking], script).ainvoke({"messages": "Hello"}, THREAD)
    first, third = ((own, given) for own, given in ALLOWED if own == "get_booking")
    # The framework cancels the calls beside one that raises, so the third may not have been made.
    assert await done(guard.conversation("t1")) in ([first, third], [first])


async def test_a_yes_is_only_to_the_question_that_was_shown(tmp_path: Path) -> None:
    guard, paid = limited_bank(), Payments(tmp_path)
    own = agent(
        guard, [paid.pay], [calling("pay", CALL), calling("pay", CALL, begin="d"), AIMessage("Done.")], interrupts=True
    )
    state = await own.ainvoke({"messages": "Pay Ann"}, THREAD)
    assert state["__interrupt__"][0].value["kind"] == "ask"
    await account_opened(guard)
    state = await own.ainvoke(Command(resume=True), THREAD)
    assert paid.made == [] and texts(state)[-1].startswith("[holdtrue: stopped confirm]")
    assert state["__interrupt__"][0].value["kind"] == "confirm"
    await own.ainvoke(Command(resume=True), THREAD)
    assert paid.made == [CALL]


def test_observing_stops_nothing_and_without_an_id_nothing_is_called(tmp_path: Path) -> None:
    paid = Payments(tmp_path)
    own = agent(bank(mode="observe"), [paid.pay], [calling("pay", CALL, CALL | {"to": "Bob", "amount": 70})])
    with pytest.raises(RuntimeError, match="StopIteration"):
        own.invoke({"messages": "Pay"}, THREAD)
    assert sorted(each["to"] for each in paid.made) == ["Ann", "Bob"]
    model: Any = Scripted(messages=iter([calling("pay", CALL)]))
    nameless: Any = create_agent(model, [paid.pay], middleware=[GuardMiddleware(bank())])
    with pytest.raises(InputError, match="thread_id"):
        nameless.invoke({"messages": "Pay"})
    assert len(paid.made) == 2


async def test_a_tool_may_interrupt_or_update_the_state_and_a_summary_is_no_word_of_the_user() -> None:
    asked: list[Any] = []

    def send_receipt(booking: str, email: str, runtime: ToolRuntime) -> Command[Any]:
        """Send a receipt by email"""
        asked.append(interrupt("Send it?"))
        return Command(update={"messages": [ToolMessage("sent", tool_call_id=runtime.tool_call_id)]})

    guard, given = desk(), {"booking": "HN4T8R", "email": "t.moss@example.org"}
    own = agent(guard, [send_receipt], [calling("send_receipt", given), AIMessage("Done.")])
    summary = HumanMessage("The user wants a refund", additional_kwargs={"lc_source": "summarization"})
    await own.ainvoke({"messages": [summary, HumanMessage(turns()[3].user)]}, THREAD)
    await own.ainvoke(Command(resume="of course"), THREAD)
    talk = guard.conversation("t1")
    assert asked == ["of course"] and await done(talk) == [("send_receipt", given)]
    assert [text for who, text in await talk.known_words() if who == "user"] == [turns()[3].user]


def kept(folder: Path) -> InMemorySaver:
    """Return LangGraph's own saver in files."""
    names = iter(("storage", "writes", "blobs"))

    def file(*default: Any) -> PersistentDict:
        own = PersistentDict(*default, filename=str(folder / next(names)))
        if Path(own.filename).exists():
            own.load()
        return own

    return InMemorySaver(factory=file)  # type: ignore[arg-type]


def ask(folder: Path) -> None:
    saver = kept(folder)
    own = agent(
        bank(folder), [Payments(folder).pay], [calling("pay", CALL, {"to": "Bob", "amount": 7})], saver, interrupts=True
    )
    state = own.invoke({"messages": [HumanMessage("Pay Ann and Bob")]}, THREAD)
    files: tuple[Any, ...] = (saver.storage, saver.writes, saver.blobs)
    for each in files:
        each.sync()
    (folder / "shown.json").write_text(
        json.dumps({own.value["arguments"]["to"]: own.id for own in state["__interrupt__"]})
    )
    os._exit(KILLED)


def test_an_approval_outlives_the_process_and_lets_just_its_call_through_once(tmp_path: Path) -> None:
    killed_in("tests.adapters.test_langchain:ask", tmp_path)
    shown = json.loads((tmp_path / "shown.json").read_text())
    paid, guard = Payments(tmp_path), bank(tmp_path)
    script = [calling("pay", CALL, begin="again"), AIMessage("Done.")]
    own = agent(guard, [paid.pay], script, kept(tmp_path), interrupts=True)
    state = own.invoke(Command(resume={shown["Ann"]: True, shown["Bob"]: "no, not Bob"}), THREAD)
    assert paid.made == [CALL]
    assert texts(state)[0] == "paid" and texts(state)[1].endswith(
        "was not called: a person was asked, and answered: no, not Bob"
    )
    assert state["__interrupt__"][0].value["arguments"] == CALL, "the yes was for one call"
    guard.close()
