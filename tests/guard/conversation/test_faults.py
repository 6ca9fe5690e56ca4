"""Where something fails no call that writes is allowed, no event is lost, and the conversation goes on afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from holdtrue.errors import InputError, ModelUnreachable, StoreConflict, StoreError
from holdtrue.guard.guard import Guard
from holdtrue.guard.store.event import chain_fault
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.language.requests.operation import Operation, RequestContext, RequestReading
from holdtrue.models.chat import Reply, Request
from tests.guard.conversation.shop import FULL, FailingStore, ScriptedReader, guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
ASKED: Mapping[str, Mapping[str, Any]] = {"for 4 on friday": {"day": FRIDAY, "guests": 4}}
CALL = {"day": FRIDAY, "guests": 4}


async def kinds(store: MemoryStore) -> list[str]:
    events = await store.read("", "c")
    assert chain_fault(events) is None
    return [own.kind for own in events]


async def test_a_store_that_cannot_write_lets_nothing_through_and_loses_nothing() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    await talk.heard(assistant="Hello!")
    store.fails = FULL
    with pytest.raises(StoreError):
        await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    assert (decision.kind, decision.rules) == ("ask", ("error",))
    assert "disk is full" in decision.for_model
    with pytest.raises(StoreError):
        await talk.saw("Table.Find", {"day": FRIDAY}, {"free": 3})
    store.fails = None
    assert (await talk.check("Table.Reserve", {**CALL, "guests": 5})).kind == "block"
    assert (await talk.check("Table.Reserve", CALL)).kind == "allow"
    # Events that waited are written in order. Decisions that were not returned are not.
    assert await kinds(store) == ["heard", "heard", "saw", "decided", "decided"]
    again = guard(ASKED, store=store).conversation("c")
    assert [own.value for own in await again.entries()] == [FRIDAY, 4]


@pytest.mark.parametrize("fault", [StoreError("the file is locked"), OSError("unplugged"), ValueError("a bug")])
async def test_a_store_that_cannot_be_read_lets_nothing_through_and_loses_nothing(fault: Exception) -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    store.fails_reading = fault
    with pytest.raises(StoreError, match=str(fault)):
        await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", CALL)
    assert (decision.kind, decision.rules) == ("ask", ("error",))
    assert str(fault) in decision.for_model
    store.fails_reading = None
    assert (await talk.check("Table.Reserve", {**CALL, "guests": 5})).kind == "block"
    assert await kinds(store) == ["heard", "reheard", "decided"]


class FailingReader(ScriptedReader):
    """A reader that fails with `fault`, or waits `slow_s` seconds."""

    def __init__(self, readings: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__(readings)
        self.fault: Exception | None = None
        self.slow_s = 0.0

    async def read_requests(self, acts: Any, message: str, context: RequestContext) -> RequestReading:
        await asyncio.sleep(self.slow_s)
        if self.fault is not None:
            raise self.fault
        return await super().read_requests(acts, message, context)


@pytest.mark.parametrize("fault", [ModelUnreachable("the server is down"), ValueError("a bug"), None])
async def test_what_could_not_be_read_lets_nothing_through_until_it_is_read(fault: Exception | None) -> None:
    store, reader = MemoryStore(), FailingReader(ASKED)
    talk = Guard(policy(), reader=reader, store=store, timeout_s=0.05).conversation("c")
    reader.fault, reader.slow_s = fault, 0.0 if fault is not None else 10.0
    heard = await talk.heard(user="for 4 on friday")
    assert heard.unheard
    decision = await talk.check("Table.Reserve", CALL)
    assert (decision.kind, decision.rules) == ("ask", ("unheard",))
    reader.fault, reader.slow_s = None, 0.0
    assert (await talk.check("Table.Reserve", {**CALL, "guests": 5})).disputed == ("guests",)
    assert (await talk.check("Table.Reserve", CALL)).kind == "allow"
    assert await kinds(store) == ["heard", "decided", "reheard", "decided", "decided"]


async def test_a_message_that_is_read_late_does_not_undo_what_was_said_after_it() -> None:
    readings = {**ASKED, "saturday please": {"day": SATURDAY}}
    reader = FailingReader(readings)
    talk = Guard(policy(), reader=reader).conversation("c")
    reader.fault = ModelUnreachable("down")
    await talk.heard(user="for 4 on friday")
    reader.fault = None
    await talk.heard(user="saturday please")
    assert (await talk.check("Table.Reserve", {**CALL, "day": SATURDAY})).kind == "allow"


class FailingModel:
    """A model that fails with `fault`, or never answers."""

    name = "failing"

    def __init__(self, fault: Exception | None) -> None:
        self.fault = fault

    async def complete(self, request: Request) -> Reply:
        if self.fault is not None:
            raise self.fault
        await asyncio.sleep(30)
        raise AssertionError

    async def aclose(self) -> None:
        pass


@pytest.mark.parametrize("fault", [None, ModelUnreachable("the server is down"), ValueError("a bug")])
async def test_a_model_that_compares_nothing_leaves_texts_to_a_person(fault: Exception | None) -> None:
    reader = ScriptedReader({"for Andy Brown": {"name": "Andy Brown"}})
    own = Guard(policy(), reader=reader, model=FailingModel(fault), timeout_s=0.05)
    talk = own.conversation("c")
    await talk.heard(user="for Andy Brown")
    assert (await talk.check("Table.Reserve", {**CALL, "name": "Andrew Browne"})).kind == "ask"
    assert (await talk.check("Table.Reserve", {**CALL, "name": "Andy Brown"})).kind == "allow"


async def test_who_stops_waiting_changes_nothing_that_is_being_written() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    await talk.heard(user="for 4 on friday")
    store.slow_s = 0.05
    for delay in (0.0, 0.01, 0.03, 0.08):
        task = asyncio.ensure_future(talk.check("Table.Reserve", CALL, mend=False))
        await asyncio.sleep(delay)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await talk.heard(assistant="One moment.")
        stored = await kinds(store)
        state = await talk._opened()
        assert state.seq == len(stored)
    again = guard(ASKED, store=store).conversation("c")
    assert (await again._opened()).decisions == (await talk._opened()).decisions


async def test_two_processes_on_one_conversation_one_is_told_and_nothing_is_doubled() -> None:
    store = MemoryStore()
    one, other = (guard(ASKED, store=store).conversation("c") for _ in range(2))
    await one.heard(user="for 4 on friday")
    await other.heard(assistant="Hello!")
    with pytest.raises(StoreConflict, match="somebody else has written"):
        await one.check("Table.Reserve", {**CALL, "guests": 5})
    assert (await one.check("Table.Reserve", {**CALL, "guests": 5})).kind == "block"
    with pytest.raises(StoreConflict):
        await other.heard(user="for 4 on friday")
    await other.heard(user="thanks")
    assert await kinds(store) == ["heard", "heard", "decided", "heard"]


async def test_an_erased_conversation_takes_nothing_more() -> None:
    store = MemoryStore()
    own = guard(ASKED, store=store)
    talk = own.conversation("c")
    await talk.heard(user="for 4 on friday")
    await store.erase("", "c", "asked")
    with pytest.raises(InputError, match="was erased; begin another one"):
        await guard(store=store).conversation("c").heard(user="hello")
    with pytest.raises(InputError, match="was erased"):
        await talk.heard(user="hello")


async def test_much_at_once_is_done_one_after_the_other() -> None:
    store = FailingStore()
    store.slow_s = 0.001
    own = policy(limits=[{"id": "once", "on": "Table.Reserve", "most": 1}])
    talk = guard(ASKED, store=store, policy=own).conversation("c")
    await talk.heard(user="for 4 on friday")
    decisions = await asyncio.gather(*(talk.check("Table.Reserve", CALL, mend=False) for _ in range(20)))
    assert sorted(own.kind for own in decisions) == ["allow"] + ["block"] * 19
    assert len({own.id for own in decisions}) == 20


@pytest.mark.parametrize("value", [["a", "b"], {"a": 1}, float("nan"), None, ""])
async def test_what_is_no_value_of_words_is_dropped_and_told_and_the_rest_is_read(value: Any) -> None:
    odd = Operation("set", "Table", "new", "name", value=value, quote="x")
    talk = Guard(policy(), reader=ScriptedReader({"hi": [odd, Operation("set", "Table", "new", "guests", value=4)]}))
    heard = await talk.conversation("c").heard(user="hi")
    assert not heard.unheard and len(heard.unread) == 1 and "Table.name" in heard.unread[0]
    assert [own.sentence for own in await talk.conversation("c").entries()] == ["guests is 4"]
