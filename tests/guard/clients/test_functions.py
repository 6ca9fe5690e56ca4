"""Plain functions behind a guard: a stopped call does not run, and the outcome of every other call is taken in."""

from __future__ import annotations

import asyncio
import datetime
import functools
import json
from collections.abc import Mapping
from typing import Any

import pytest

from holdtrue.errors import InputError, SessionError
from holdtrue.guard import make_policy
from holdtrue.guard.clients.blocking import CallStopped
from tests.guard.clients.served import serving
from tests.guard.clients.test_guarded_client import RIGHT, USER, ask, chat_client
from tests.guard.clients.test_interrupted import Failing
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
ASKED: Mapping[str, Mapping[str, Any]] = {"for 4 on friday": {"day": FRIDAY, "guests": 4}}
ONCE = [{"id": "once", "on": "Table.Reserve", "most": 1}]


def test_a_function_runs_only_if_its_call_is_allowed_and_its_result_is_seen() -> None:
    own = guard(ASKED, policy=policy(limits=ONCE))
    made = []

    @own.tool(name="Table.Reserve", unchecked=["connection"])
    def reserve(day: str, guests: int, connection: Any = None) -> dict[str, str]:
        """Reserve a table."""
        made.append((day, guests, connection))
        return {"booking": "B1"}

    assert reserve.__name__ == "reserve" and reserve.__doc__ == "Reserve a table."
    with own.inside("c") as talk:
        own.run(talk.heard(user="for 4 on friday"))
        with pytest.raises(CallStopped, match="in turn 1"):
            reserve(SATURDAY, 4)
        assert reserve(FRIDAY, guests=4, connection="db") == {"booking": "B1"}
        with pytest.raises(CallStopped, match="once"):
            reserve(FRIDAY, guests=4)
    assert made == [(FRIDAY, 4, "db")]
    own.close()


def test_a_function_that_raises_has_failed_and_may_be_called_again() -> None:
    own = guard(ASKED, policy=policy(limits=ONCE))
    tries = []

    @own.tool(name="Table.Reserve")
    def reserve(day: str, guests: int) -> str:
        tries.append(day)
        if len(tries) == 1:
            raise ConnectionError("gone")
        return "ok"

    with own.inside("c"):
        with pytest.raises(ConnectionError):
            reserve(FRIDAY, 4)
        assert reserve(FRIDAY, 4) == "ok"
    own.close()


def test_the_other_ways_return_what_the_model_or_the_user_is_told_or_mend_the_call() -> None:
    own = guard(policy=policy(rules=FOUR_ON_FRIDAY))

    def reserve(day: str, guests: int) -> str:
        return f"{day} {guests}"

    with own.inside("c") as talk:
        own.run(talk.heard(user="for 4 on friday"))
        told = own.tool(reserve, name="Table.Reserve", on_block="tell_model")(SATURDAY, 4)
        assert told.startswith("[holdtrue: stopped block] Table.Reserve was not called")
        assert own.tool(reserve, name="Table.Reserve", on_block="refuse")(SATURDAY, 4).startswith("This cannot be done")
        mended = own.tool(reserve, name="Table.Reserve", on_block="mend")
        assert mended(day=SATURDAY, guests=4) == f"{FRIDAY} 4"
        assert mended(SATURDAY, 4) == mended(SATURDAY, guests=4) == f"{FRIDAY} 4"
    own.close()


async def test_an_asynchronous_function_and_one_that_is_cancelled() -> None:
    own = guard(ASKED, policy=policy(limits=ONCE))
    begun = asyncio.Event()

    @own.tool(name="Table.Reserve")
    async def reserve(day: str, guests: int) -> str:
        begun.set()
        await asyncio.sleep(30)
        return "ok"

    with own.inside("c"):
        task = asyncio.ensure_future(reserve(FRIDAY, 4))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Nobody knows whether it was reserved, so it counts.
        with pytest.raises(CallStopped, match="once"):
            await reserve(FRIDAY, 4)
    await own.aclose()


def test_what_cannot_be_guarded_is_told() -> None:
    own = guard()
    with pytest.raises(InputError, match="the policy names no tool 'cook'"):
        own.tool(lambda: None, name="cook")

    @own.tool(name="Table.Find")
    def find(day: str) -> list[str]:
        return []

    with pytest.raises(InputError, match="which conversation this is"):
        find(FRIDAY)
    with own.inside("c"):
        assert find(FRIDAY) == []

    async def inside() -> None:
        own.run(asyncio.sleep(0))

    with pytest.raises(SessionError, match="write await instead"):
        own.run(inside())
    own.close()


def test_the_defaults_of_python_are_decided_on_as_if_they_were_passed() -> None:
    made: list[str | None] = []
    rule = {"id": "no", "on": "Table.Reserve", "when": "has(call.area)", "hold": "call.area != 'terrace'", "say": "No."}
    own = guard(policy=policy(rules=[rule]))

    def positional(day: str, guests: int, area: str = "terrace", /) -> Any:
        made.append(area)

    def by_name(day: str, guests: int, *, area: str = "terrace", **more: Any) -> Any:
        made.append(area)

    def left_out(day: str, guests: int, time: str | None = None, area: str | None = None) -> None:
        made.append(area)

    with own.inside("c"):
        for function in (positional, by_name):
            with pytest.raises(CallStopped, match="'terrace'"):
                own.tool(function, name="Table.Reserve")(FRIDAY, 4)
            told = own.tool(function, name="Table.Reserve", on_block="tell_model")(FRIDAY, 4)
            assert told.startswith("[holdtrue: stopped block] Table.Res")
        own.tool(by_name, name="Table.Reserve", on_block="mend")(FRIDAY, 4)
        # A default of None means that the argument is absent.
        own.tool(left_out, name="Table.Reserve")(FRIDAY, 4)
        own.tool(left_out, name="Table.Reserve")(FRIDAY, 5, time=None)
    assert made == ["inside", None, None]
    own.close()


def test_what_is_not_mended_stays_the_object_that_was_passed() -> None:
    own = guard(policy=policy(rules=FOUR_ON_FRIDAY))
    day = datetime.date(2026, 3, 6)

    def reserve(day: Any, guests: int) -> Any:
        return day, guests

    with own.inside("c") as talk:
        own.run(talk.heard(user="for 4 on friday"))
        assert own.tool(reserve, name="Table.Reserve", on_block="mend")(day, guests=5) == (day, 4)
    own.close()


def test_functions_that_run_after_they_return_are_refused() -> None:
    own = guard(policy=policy(limits=ONCE))
    made: list[str] = []

    def parts(day: str, guests: int) -> Any:
        made.append(day)
        yield day

    async def parts_later(day: str, guests: int) -> Any:
        made.append(day)
        yield day

    async def later(day: str, guests: int) -> None:
        made.append(day)

    class Parts:
        def __call__(self, day: str, guests: int) -> Any:
            made.append(day)
            yield day

    for function in (parts, parts_later, Parts(), functools.partial(parts)):
        with pytest.raises(InputError, match="guard a function that returns all of it"):
            own.tool(function, name="Table.Reserve")
    with own.inside("c") as talk:
        for hidden in (lambda day, guests: parts(day, guests), lambda day, guests: later(day, guests)):
            with pytest.raises(InputError, match="runs after its result was seen"):
                own.tool(hidden, name="Table.Reserve")(FRIDAY, 4)
        assert own.run(talk.pending()) == ()
    assert made == []
    own.close()


async def test_an_object_that_is_called_asynchronously() -> None:
    own = guard(ASKED, policy=policy(limits=ONCE))

    class Reserve:
        async def __call__(self, day: str, guests: int) -> str:
            await asyncio.sleep(0)
            return "ok"

    with own.inside("c") as talk:
        await talk.heard(user="for 4 on friday")
        for reserve in (Reserve(), functools.partial(Reserve(), guests=4)):
            with pytest.raises(CallStopped, match="in turn 1"):
                await own.tool(reserve, name="Table.Reserve")(SATURDAY, guests=4)
        assert await own.tool(Reserve(), name="Table.Reserve")(FRIDAY, 4) == "ok"
        assert await talk.pending() == ()
    await own.aclose()


def test_what_ran_is_returned_even_if_it_cannot_be_written_down(caplog: pytest.LogCaptureFixture) -> None:
    for how, left in (("conflict", 0), ("fails", 0)):
        own = guard(policy=policy(limits=ONCE), store=Failing("saw", 1, how))

        @own.tool(name="Table.Reserve")
        def reserve(day: str, guests: int) -> str:
            return "booked"

        with own.inside("c") as talk:
            assert reserve(FRIDAY, 4) == "booked"
            assert len(own.run(talk.pending())) == left
            with pytest.raises(CallStopped, match="once"):
                reserve(FRIDAY, 4)
        own.close()
    assert "its result will be written down later" in caplog.text


def test_an_error_of_the_function_is_raised_even_if_it_cannot_be_written_down() -> None:
    own = guard(store=Failing("saw", 1, "fails"))

    @own.tool(name="Table.Reserve")
    def reserve(day: str, guests: int) -> str:
        raise ConnectionError("gone")

    with own.inside("c"), pytest.raises(ConnectionError):
        reserve(FRIDAY, 4)
    own.close()


def test_a_function_whose_parameters_are_not_those_of_its_tool_is_refused() -> None:
    own = guard()

    def rest(*args: Any) -> None: ...
    def more(day: str, guests: int, *extra: Any) -> None: ...
    def other(day: str, guests: int, owner: str = "me") -> None: ...
    def fewer(day: str) -> None: ...
    def twice(day: str, /, guests: int, **rest: Any) -> None: ...

    for function, why in ((rest, "args"), (more, "extra"), (other, "owner"), (fewer, "guests"), (twice, "two of one")):
        with pytest.raises(InputError, match=why):
            own.tool(function, name="Table.Reserve")
    own.tool(more, name="Table.Reserve", unchecked=["extra"])
    own.close()


def test_all_that_is_passed_is_decided_on() -> None:
    tags = {"type": "array", "items": {"type": "string"}}
    tool = {
        "name": "mark",
        "parameters": {"type": "object", "properties": {"tags": tags}, "additionalProperties": False},
    }
    rule = {"id": "few", "on": "mark", "hold": "!('x' in call.tags)", "say": "Not x."}
    own = guard(policy=make_policy("marks", tools={"definitions": [tool], "writes": ["mark"]}, rules=[rule]))
    made: list[Any] = []

    def by_place(*tags: str) -> None:
        made.append(tags)

    def by_name(tags: Any = (), **more: Any) -> None:
        made.append((tags, more))

    with own.inside("c"):
        own.tool(by_place, name="mark")("a", "b")
        with pytest.raises(CallStopped, match="Not x"):
            own.tool(by_place, name="mark")("a", "x")
        with pytest.raises(CallStopped, match="owner"):
            own.tool(by_name, name="mark")(["a"], owner="me")
        with pytest.raises(InputError, match="tags: a generator cannot be copied"):
            own.tool(by_name, name="mark")(own for own in "a")
    assert made == [("a", "b")]
    own.close()


async def test_what_others_change_during_a_check_changes_nothing() -> None:
    tags = {"type": "array", "items": {"type": "string"}}
    tool = {"name": "mark", "parameters": {"type": "object", "properties": {"tags": tags}}}
    own = guard(policy=make_policy("marks", tools={"definitions": [tool], "writes": ["mark"]}))
    given, made = ["a"], list[Any]()

    @own.tool(name="mark")
    async def mark(tags: list[str]) -> None:
        made.append([*tags])
        tags.clear()

    with own.inside("c") as talk:
        async with talk._events.lock:
            task, direct = (
                asyncio.ensure_future(mark(given)),
                asyncio.ensure_future(talk.check("mark", {"tags": given})),
            )
            await asyncio.sleep(0.01)
            given.append("x")
        await task
        assert (made, given, (await direct).arguments) == ([["a"]], ["a", "x"], {"tags": ["a"]})
    await own.aclose()


def test_a_call_that_came_out_of_a_client_and_is_made_by_a_function_is_one_call() -> None:
    own, made = guard(ASKED, policy=policy(limits=ONCE)), list[str]()

    @own.tool(name="Table.Reserve")
    def reserve(day: str, guests: int) -> str:
        made.append(day)
        return '{"booking": 1}'

    with serving([RIGHT, "Done.", RIGHT, "No."]) as served, own.inside("c") as talk:
        client = chat_client(own, served.url)
        said = ask(client, USER).choices[0].message
        (call,) = said.tool_calls
        result = reserve(**json.loads(call.function.arguments))
        with pytest.raises(CallStopped, match="once"):
            reserve(FRIDAY, 4)
        for _ in range(2):
            ask(client, USER, said, {"role": "tool", "tool_call_id": call.id, "content": result})
        state = own.run(talk._opened())
    assert made == [FRIDAY] and len(state.facts.done["Table.Reserve"]) == 1 and not state.pending
    own.close()
