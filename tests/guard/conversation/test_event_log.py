"""Every event is kept exactly once, even if the store, the event loop or a waiting task fails."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Mapping
from contextvars import Context
from typing import Any

import pytest

from holdtrue.errors import InputError, StoreConflict, StoreError
from holdtrue.guard.conversation.event_log import gathered_writes
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.worker import SharedLock
from holdtrue.guard.decision import Decision
from holdtrue.guard.guard import Guard
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.language.requests.operation import RequestContext, RequestReading
from tests.guard.conversation.shop import FULL, FailingStore, ScriptedReader, guard, policy

FRIDAY = "2026-03-06"
RESERVE, FIND = "Table.Reserve", "Table.Find"
ASKED: Mapping[str, Mapping[str, Any]] = {"make it 5": {"guests": 5}, "hello": {}}
FOUR = {"day": FRIDAY, "guests": 4}


async def kind(talk: GuardedConversation, **arguments: Any) -> str:
    return (await talk.check(RESERVE, {**FOUR, **arguments}, mend=False)).kind


# A conversation that nobody holds


@pytest.mark.parametrize("fault", [FULL, RuntimeError("a bug of a store of one's own")])
async def test_what_could_not_be_written_outlives_the_request_in_which_it_was_said(fault: Exception) -> None:
    store = FailingStore()
    own = guard(ASKED, store=store)

    async def request() -> None:
        with own.inside("c") as talk:
            store.fails = fault
            with pytest.raises(StoreError):
                await talk.heard(user="make it 5")
            store.fails = None

    await asyncio.ensure_future(request())
    gc.collect()
    with own.inside("c") as talk:
        assert await kind(talk) == "block"
    assert await store.told() == ["make it 5", "decided"]
    del talk
    gc.collect()
    assert not own._held and not list(own._conversations)  # All is written: nothing is held for ever.


async def test_what_was_being_written_when_a_request_ended_outlives_it() -> None:
    store = FailingStore()
    own = guard(ASKED, store=store)
    store.slow_s, store.fails = 0.02, FULL
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await own.conversation("c").heard(user="make it 5")
    gc.collect()
    await asyncio.sleep(0.03)
    store.slow_s, store.fails = 0.0, None
    assert await kind(own.conversation("c")) == "block"


async def test_closing_the_guard_writes_what_could_not_be_written_or_tells_that_it_is_lost() -> None:
    for is_lost in (False, True):
        store = FailingStore()
        own = guard(ASKED, store=store)
        store.fails = FULL
        with pytest.raises(StoreError):
            await own.conversation("c").heard(user="make it 5")
        if is_lost:
            with pytest.raises(StoreError, match="not all that happened could be written down: 'c': the disk is full"):
                await own.aclose()
        else:
            store.fails = None
            await own.aclose()
            assert await store.told() == ["make it 5"]


# A store that cannot be read, or is read again


async def test_what_is_said_while_the_conversation_cannot_be_read_is_heard_later() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    store.fails_reading = FULL
    for _ in range(2):
        with pytest.raises(StoreError):
            await talk.heard(user="make it 5", ref="one")
    decision = await talk.check(RESERVE, FOUR)
    assert (decision.kind, decision.rules) == ("ask", ("error",))
    store.fails_reading = None
    decision = await talk.check(RESERVE, FOUR)
    assert (decision.kind, decision.disputed) == ("block", ("guests",))
    assert await store.told() == ["make it 5", "reheard", "decided"]
    assert "one" in await talk.known_refs()
    assert await kind(talk, guests=5) == "allow"


async def test_what_takes_a_yes_back_counts_even_while_the_conversation_cannot_be_read() -> None:
    store = FailingStore()
    consenting = policy(tools={"consent": [RESERVE]})
    first = guard(policy=consenting, store=store).conversation("c")
    await first.heard(assistant="Friday, 6 March, for 4 guests. Shall I reserve it?", user="yes")
    talk = guard(policy=consenting, store=store).conversation("c")
    store.fails_reading = FULL
    with pytest.raises(StoreError):
        await talk.heard(user="wait, don't book it yet")
    store.fails_reading = None
    assert await kind(talk) == "confirm"


class FailingReader(ScriptedReader):
    """A reader that fails on some messages."""

    fails: tuple[str, ...] = ()

    async def read_requests(self, acts: Any, message: str, context: RequestContext) -> RequestReading:
        if message in self.fails:
            raise ValueError("the reader is down")
        return await super().read_requests(acts, message, context)


async def test_a_new_message_is_kept_where_an_older_one_is_read_and_cannot_be_written() -> None:
    store, reader = FailingStore(), FailingReader(ASKED)
    talk = Guard(policy(), reader=reader, store=store).conversation("c")
    reader.fails = ("hello",)
    await talk.heard(user="hello")
    reader.fails, store.fails = (), FULL
    with pytest.raises(StoreError):
        await talk.heard(user="make it 5")
    store.fails = None
    assert await kind(talk) == "block"
    assert await store.told() == ["hello", "reheard", "make it 5", "decided"]


async def test_a_conflict_after_which_nothing_can_be_read_is_a_conflict_and_doubles_nothing() -> None:
    store = FailingStore()
    one, other = (guard(ASKED, store=store).conversation("c") for _ in range(2))
    await one.heard(assistant="a")
    await other.heard(assistant="b")
    plain = store.append

    async def conflicting(*given: Any) -> Any:
        try:
            return await plain(*given)
        except StoreConflict:
            store.fails_reading = FULL
            raise

    store.append = conflicting  # type: ignore[method-assign, assignment]
    with pytest.raises(StoreConflict):
        await one.heard(user="make it 5")
    store.fails_reading, store.append = None, plain  # type: ignore[method-assign]
    await one.heard(user="make it 5")
    assert await store.told() == ["a", "b", "make it 5"]
    assert await kind(one) == "block"


@pytest.mark.parametrize("fault", [FULL, RuntimeError("the connection was lost")])
async def test_what_was_written_though_the_store_failed_is_kept_once(fault: Exception) -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    store.fails_late = fault
    with pytest.raises(StoreError):
        await talk.heard(user="make it 5")
    store.fails_late = None
    assert (await talk.heard(user="hello")).turn == 2
    assert await kind(talk) == "block"
    assert await store.told() == ["make it 5", "hello", "decided"]
    assert (await talk._opened()).seq == 3


async def test_a_decision_that_was_never_told_but_written_is_not_forgotten() -> None:
    store = FailingStore()
    once = policy(limits=[{"id": "once", "on": RESERVE, "most": 1}])
    talk = guard(policy=once, store=store).conversation("c")
    store.fails_late = FULL
    assert await kind(talk) == "ask"
    store.fails_late = None
    assert await kind(talk) == "block"  # It may have been made.


# Event loops


def test_a_conversation_goes_on_after_the_loop_ended_in_which_it_was_writing() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")

    async def stopped() -> None:
        store.slow_s = 5.0
        async with asyncio.timeout(0.01):
            await talk.heard(user="make it 5")

    with pytest.raises(TimeoutError):
        asyncio.run(stopped())
    store.slow_s = 0.0
    assert asyncio.run(kind(talk)) == "block"
    assert asyncio.run(store.told()) == ["make it 5", "decided"]


def test_a_conversation_goes_on_where_a_loop_only_stopped() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    store.slow_s = 5.0
    stopped = asyncio.new_event_loop()

    async def begun() -> None:
        task = asyncio.ensure_future(talk.heard(user="make it 5"))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stopped.run_until_complete(begun())
    store.slow_s = 0.0
    assert asyncio.run(asyncio.wait_for(kind(talk), 5)) == "block"
    for left in asyncio.all_tasks(stopped):
        left.cancel()
    stopped.run_until_complete(asyncio.sleep(0))
    stopped.close()


def test_two_loops_on_one_conversation_wait_for_each_other() -> None:
    store = FailingStore()
    own = guard(ASKED, store=store)
    talk = own.conversation("c")
    store.slow_s = 0.02
    turns: list[int] = []

    def in_thread() -> None:
        turns.extend(own.run(talk.heard(user="make it 5")).turn for _ in range(3))

    async def awaiting() -> None:
        thread = threading.Thread(target=in_thread)
        thread.start()
        for _ in range(3):
            await talk.saw(FIND, {"day": FRIDAY}, {"free": 3})
        await asyncio.to_thread(thread.join)

    asyncio.run(asyncio.wait_for(awaiting(), 10))
    assert turns == [1, 2, 3]
    told = asyncio.run(store.told())
    assert (told.count("saw"), told.count("make it 5"), len(told)) == (3, 3, 6)


async def test_a_lock_passes_over_who_stopped_waiting() -> None:
    lock, entered = SharedLock(), list[int]()

    async def enter(number: int) -> None:
        async with lock:
            entered.append(number)
            await asyncio.sleep(0)

    async with lock:
        tasks = [asyncio.ensure_future(enter(number)) for number in range(6)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[3].cancel()
    tasks[1].cancel()  # It was let in just now.
    await asyncio.gather(*tasks, return_exceptions=True)
    assert entered == [2, 4, 5]
    async with lock:
        pass


# Invalid events


async def given_wrongly(talk: GuardedConversation, name: str, wrong: Any) -> None:
    if name == "check_all":
        await talk.check_all(**wrong)
    elif name == "saw":
        await talk.saw(**{"tool": FIND, "arguments": {"day": FRIDAY}, "result": {}, **wrong})
    elif name == "check":
        await talk.check(**{"tool": RESERVE, "arguments": FOUR, **wrong})
    elif name == "override":
        await talk.override(**{"decision": "D001", "by": "kim", "reason": "agreed", **wrong})
    else:
        await getattr(talk, name)(**wrong)


WRONG: list[tuple[str, str, Any]] = [
    ("heard", "ref", {"user": "hello", "ref": ["x"]}),
    ("heard", "at", {"user": "hello", "at": "tomorrow"}),
    ("heard", "at", {"user": "hello", "at": 5}),
    ("heard", "answers", {"user": "yes", "answers": 5}),
    ("heard", "answers", {"user": "yes", "answers": ["D001"]}),
    ("saw", "tool", {"tool": None}),
    ("saw", "call", {"call": ["x"]}),
    ("saw", "ref", {"ref": {}}),
    ("saw", "at", {"at": "tomorrow"}),
    ("saw", "outcome", {"outcome": ["failed"]}),
    ("check", "call", {"call": ["x"]}),
    ("check", "call", {"call": 7}),
    ("check", "now", {"now": "tomorrow"}),
    ("check", "now", {"now": 5}),
    ("check", "budget", {"budget": 2.0}),
    ("check", "mend", {"mend": "no"}),
    ("check", "partial", {"partial": 1}),
    ("check", "explain", {"explain": None}),
    ("check_all", "calls", {"calls": "Table.Reserve"}),
    ("check_all", "calls", {"calls": {"name": RESERVE}}),
    ("commit", "source", {"argument": "Table.guests", "value": 4, "source": "app"}),
    ("commit", "source", {"rule": "call.guests <= 8", "on": [RESERVE], "source": "app"}),
    ("commit", "relation", {"argument": "Table.guests", "value": 4, "relation": "<="}),
    ("commit", "relation", {"argument": "Table.guests", "value": 4, "relation": ["is"]}),
    ("commit", "relation", {"argument": "Table.name", "value": "Lee", "relation": "at_most"}),
    ("commit", "value", {"argument": "said.reason", "value": 5}),
    ("commit", "value", {"argument": "Table.guests", "value": "many"}),
    ("commit", "value", {"argument": "Table.guests", "value": "many", "relation": "at_most"}),
    ("commit", "value", {"argument": "Table.guests"}),
    ("commit", "value", {"argument": "Table.name", "value": {1, 2}}),
    ("commit", "argument", {"argument": ["Table.guests"], "value": 4}),
    ("commit", "quote", {"argument": "Table.guests", "value": 4, "quote": 5}),
    ("commit", "say", {"rule": "call.guests <= 8", "on": [RESERVE], "say": 5}),
    ("commit", "on", {"rule": "call.guests <= 8", "on": RESERVE}),
    ("commit", "on", {"rule": "call.guests <= 8", "on": [5]}),
    ("amend", "id", {"id": ["S001"], "value": 5}),
    ("amend", "value", {"id": "S001", "value": "many"}),
    ("withdraw", "id", {"id": ["S001"]}),
    ("withdraw", "reason", {"id": "S001", "reason": 5}),
    ("override", "decision", {"decision": 5}),
    ("override", "by", {"by": ["kim"]}),
    ("override", "reason", {"reason": 5}),
    ("unmet", "now", {"now": "tomorrow"}),
]


@pytest.mark.parametrize("name, argument, wrong", WRONG)
async def test_what_is_of_no_use_is_told_by_its_name_and_changes_nothing(name: str, argument: str, wrong: Any) -> None:
    store = MemoryStore()
    own = policy(said={"reason": {"type": "text"}})
    talk = guard(ASKED, policy=own, store=store).conversation("c")
    await talk.commit("Table.guests", 5)
    await talk.check(RESERVE, FOUR)
    before = await store.read("", "c")
    with pytest.raises(InputError, match=rf"\b{argument}\b"):
        await given_wrongly(talk, name, wrong)
    assert await store.read("", "c") == before
    for again in (talk, guard(ASKED, policy=own, store=store).conversation("c")):
        assert await kind(again) == "block"
        assert await kind(again, guests=5) == "allow"


async def test_an_event_that_cannot_be_taken_in_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    talk = guard(ASKED, store=store).conversation("c")
    await talk.heard(user="make it 5")
    state = type(await talk._opened())
    plain = state.apply

    def broken(own: Any, seq: int, kind: str, body: Any, **more: Any) -> None:
        plain(own, seq, kind, body, **more)
        if kind == "saw":
            raise KeyError("a bug")

    monkeypatch.setattr(state, "apply", broken)
    with pytest.raises(KeyError):
        await talk.saw(FIND, {"day": FRIDAY}, {"free": 1})
    monkeypatch.undo()
    assert [own.kind for own in await store.read("", "c")] == ["heard"]
    assert await kind(talk) == "block"


async def test_a_text_is_committed_as_it_is_and_said_again_has_the_same_id() -> None:
    talk = guard().conversation("c")
    first = await talk.commit("Table.name", "4711")
    assert [own.value for own in await talk.entries()] == ["4711"]
    assert await kind(talk, name="4711") == "allow"
    second = await talk.commit("Table.name", "Brandt")
    assert await talk.commit("Table.name", "BRANDT") == second != first


# Names of messages, and words that are not read


async def test_of_messages_with_one_name_one_is_heard() -> None:
    store, reader = FailingStore(), ScriptedReader(ASKED)
    talk = Guard(policy(), reader=reader, store=store).conversation("c")
    store.slow_s = 0.01
    found = await asyncio.gather(*(talk.heard(user="make it 5", ref="m1") for _ in range(3)))
    assert [own.turn for own in found] == [1, 1, 1] and reader.asked == ["make it 5"]
    await asyncio.gather(*(talk.saw(FIND, {"day": FRIDAY}, {"free": 1}, ref="r1") for _ in range(3)))
    await talk.heard(assistant="Hello!", ref="r1")
    assert await store.told() == ["make it 5", "saw"]
    # One that could not be written is known as well.
    store.fails = FULL
    with pytest.raises(StoreError):
        await talk.heard(user="hello", ref="m2")
    store.fails = None
    assert (await talk.heard(user="hello", ref="m2")).turn == 2
    await talk.check(FIND, {"day": FRIDAY})
    assert (await store.told())[2:] == ["hello", "decided"]


async def test_while_a_message_is_unheard_what_reads_is_let_through_and_nothing_that_writes() -> None:
    reader = FailingReader(ASKED)
    reader.fails = ("make it 5",)
    own = policy(unknown_tools="allow")
    talk = Guard(own, reader=reader).conversation("c")
    await talk.heard(user="make it 5")

    async def decided(tool: str, arguments: Any) -> Decision:
        return await talk.check(tool, arguments)

    assert (await decided(FIND, {"day": FRIDAY})).kind == "allow"
    for tool, arguments in ((RESERVE, FOUR), ("Bank.Wire", {"to": "x"})):
        decision = await decided(tool, arguments)
        assert (decision.kind, decision.rules) == ("ask", ("unheard",))
    reader.fails = ()
    assert (await decided("Bank.Wire", {"to": "x"})).kind == "allow"


# Events that are written together


async def test_gathered_events_are_written_by_one_append_with_the_next_decision_or_when_they_are_saved() -> None:
    store = FailingStore()
    talk = guard(ASKED, store=store).conversation("c")
    with gathered_writes():
        await talk.heard(user="hello")
        assert await store.told() == []
        assert await kind(talk) == "allow"
        assert await store.told() == ["hello", "decided"]
        await talk.heard(user="make it 5")
        assert await store.told() == ["hello", "decided"]
        await talk.save()
    assert await store.told() == ["hello", "decided", "make it 5"]
    await talk.heard(user="thanks")
    assert (await store.told())[-1] == "thanks"


@pytest.mark.parametrize("is_read", [False, True])
async def test_gathered_events_are_dropped_and_told_where_another_process_writes_before(is_read: bool) -> None:
    store = FailingStore()
    talk, other = (guard(ASKED, store=store).conversation("c") for _ in range(2))
    with gathered_writes():
        await talk.heard(user="make it 5")
        await asyncio.create_task(other.heard(user="hello"), context=Context())
        if is_read:
            await asyncio.create_task(talk.catch_up(), context=Context())
        with pytest.raises(StoreConflict):
            await talk.check(RESERVE, FOUR)
        with pytest.raises(StoreConflict):
            await talk.save()
    assert await store.told() == ["hello"]
    assert await kind(talk) == "allow"
