"""Tests of a guard that calls reading tools itself for the facts that a decision misses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.guard import Decision, Facts, Fetched, SqliteStore, make_policy
from holdtrue.guard.fetching import call_text
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.result_forms import stop_mark
from tests.guard.conversation.shop import FailingStore
from tests.guard.test_fetching import NOW, World, made, tool
from tests.slow import first_of

CALL, GET = {"order": "A-1", "amount": 20}, {"order": "A-1"}
BOTH = ["get_order", "get_user"]
HOLD = "call.amount <= facts.order(call.order).price && facts.user(facts.order(call.order).user).good"


def policy(*rules: Mapping[str, Any], **user: Any) -> Policy:
    by_order, by_user = (
        {"tool": "get_order", "key": {"order": "call.order"}},
        {"tool": "get_user", "key": {"user": "call.user"}},
    )
    calls = [
        tool("refund", order="string", amount="integer"),
        tool("get_order", order="string"),
        tool("get_user", user="string"),
    ]
    return make_policy(
        "desk",
        now=NOW,
        tools={"definitions": calls, "reads": BOTH, "errors": ["error"]},
        facts={
            "order": {"key": {"order": "text"}, "record": {"price": "whole", "user": "text"}, "from": [by_order]},
            "user": {"key": {"user": "text"}, "record": {"good": "bool"}, "from": [by_user], **user},
        },
        rules=[
            {"id": "price", "on": "refund", "hold": HOLD, "say": "No more than was paid, to good customers."},
            *rules,
        ],
    )


class Shop:
    """Tools that note their calls, with a result or an error for each."""

    def __init__(self, **results: Any) -> None:
        self.results = {"get_order": {"price": 50, "user": "U"}, "get_user": {"good": True}, **results}
        self.calls = list[str]()

    def __call__(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.calls.append(tool)
        arguments.clear()
        if isinstance(result := self.results[tool], Exception):
            raise result
        return result


async def test_a_call_is_decided_on_after_the_guard_has_looked_up_all_that_it_misses() -> None:
    shop = Shop()
    talk = Guard(policy(), reads=False, fetch=shop).conversation("c")
    decision = await talk.check("refund", CALL)
    assert decision.kind == "allow" and decision.fetched == (
        Fetched("get_order", GET),
        Fetched("get_user", {"user": "U"}),
    )
    assert (await talk.check("refund", {**CALL, "amount": 60})).kind == "block" and shop.calls == BOTH


async def _later(order: str) -> str:
    await asyncio.sleep(0)
    return json.dumps({"price": 50, "user": order})


@pytest.mark.parametrize("get_order", [_later, lambda order: {"price": 50, "user": order}])
async def test_a_function_for_each_tool_gets_the_arguments_by_name(get_order: Any) -> None:
    outcome = (
        await Guard(policy(), reads=False, fetch={"get_order": get_order}).conversation("c").decide("refund", CALL)
    )
    assert (outcome.kind, [own.tool for own in outcome.decision.fetched]) == ("stop", ["get_order"])
    assert [own.tool for own in outcome.decision.fetch] == ["get_user"]


async def _slow(tool: str, arguments: Mapping[str, Any]) -> Any:
    await asyncio.sleep(60)


@pytest.mark.parametrize(
    ("fetch", "told"),
    [
        (Shop(get_order=ValueError("it is down")), "ValueError: it is down"),
        (Shop(get_order="error: it is down"), "error: it is down"),
        (Shop(get_order=f"{stop_mark('ask')} get_order was not called."), "no result"),
        (Shop(get_order=TimeoutError("of its own")), "TimeoutError: of its own"),
        (_slow, "no result came within 0.05 s"),
    ],
)
async def test_an_error_and_a_late_result_are_told_and_not_tried_again(fetch: Any, told: str) -> None:
    talk = Guard(policy(), reads=False, fetch=fetch, fetch_timeout_s=0.05 if fetch is _slow else 10).conversation("c")
    for again in range(2):
        decision = await talk.check("refund", CALL)
        assert (decision.kind, decision.fetch, len(decision.fetched)) == ("ask", (), 0 if again else 1)
        assert told in decision.for_user and (again or told in decision.fetched[0].error)
    await talk.saw("get_order", GET, {"price": 5, "user": "U"})
    assert (await talk.check("refund", CALL)).kind == "block"


async def test_what_the_policy_stops_the_guard_does_not_call_and_what_it_needs_comes_first() -> None:
    hold = "facts.order('A-0').price > 0 && call.user != 'bad'"
    shop, own = Shop(), policy({"id": "known", "on": "get_user", "hold": hold, "say": "Known."})
    talk = Guard(own, reads=False, fetch=shop, mode="observe").conversation("c")
    assert (await talk.check("refund", CALL)).kind == "allow" and shop.calls == ["get_order", *BOTH]
    shop.results["get_order"] = {"price": 50, "user": "bad"}
    decision = await talk.check("refund", {**CALL, "order": "A-2"})
    assert decision.kind == "ask" and "it was not made: block" in decision.fetched[-1].error
    assert shop.calls == ["get_order", *BOTH, "get_order"]


async def test_calls_end_at_their_number_and_an_old_result_is_looked_up_again() -> None:
    shop = Shop()
    talk, kinds = Guard(policy(fresh="1h"), reads=False, fetch=shop, fetch_most=1).conversation("c"), []
    for hour in ("09:00", "09:00", "09:30", "11:00"):
        kinds.append((await talk.check("refund", CALL, now=f"2026-03-02T{hour}:00")).kind)
    assert kinds == ["ask", "allow", "allow", "allow"] and shop.calls == [*BOTH, "get_user"]


async def test_the_record_replays_without_a_call_and_the_facts_survive_a_restart(tmp_path: Any) -> None:
    shop, own = Shop(), policy()
    for calls in (2, 0):
        guard = Guard(own, reads=False, fetch=shop, store=SqliteStore(tmp_path / "talks.db"))
        decision = await guard.conversation("c").check("refund", CALL)
        assert decision.kind == "allow" and len(decision.fetched) == calls and shop.calls == BOTH
        assert own.replay(json.loads(json.dumps(decision.to_json(), default=str))) == replace(decision, id="")
        await guard.aclose()


async def test_a_cancelled_look_up_leaves_nothing_under_way_and_a_lost_event_allows_nothing() -> None:
    store = FailingStore()
    talk = Guard(policy(), reads=False, fetch=_slow, store=store).conversation("c")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(talk.check("refund", CALL), 0.05)
    assert await talk.waiting() == []
    talk.guard.fetching = Guard(policy(), fetch=Shop()).fetching
    store.fails = OSError("full")
    assert (await talk.check("refund", CALL)).kind == "ask"
    store.fails = None
    assert (await talk.check("refund", CALL)).kind == "allow"


LIMITS: tuple[dict[str, Any], ...] = ({"fetch_most": 0}, {"fetch_timeout_s": 0})


@pytest.mark.parametrize("settings", [*({"fetch": {own: print}} for own in ("refund", "get")), *LIMITS])
def test_a_guard_calls_no_writing_tool_and_has_limits(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="fetch"):
        Guard(policy(), **settings)


def _by_agent(own: Policy, world: World, call: Mapping[str, Any]) -> Decision:
    """Return the decision after an agent has made every proposed call."""
    facts = Facts.none()
    while (decision := own.check("act", call, facts, now=NOW)).fetch:
        wanted = decision.fetch[0]
        result = world.result(wanted.tool, wanted.arguments.get("id", ""))
        facts = own.saw(facts, wanted.tool, wanted.arguments, result, at=NOW)
    return decision


def _by_guard(own: Policy, world: World, call: Mapping[str, Any], most: int) -> Decision:
    """Return the decision of a guard that fetches, asked again while it proposes calls."""
    calls = list[tuple[str, str]]()

    def fetch(tool: str, arguments: dict[str, Any]) -> Any:
        calls.append((tool, call_text(arguments)))
        return world.result(tool, arguments.get("id", ""))

    guard = Guard(own, reads=False, fetch=fetch, fetch_most=most)
    talk = guard.conversation("c")
    while (decision := guard.run(talk.check("act", call, now=NOW))).fetch:
        assert decision.fetched, "a call is proposed again that was not made"
    guard.close()
    assert len(calls) == len({*calls}), "a call is made again"
    return decision


@pytest.mark.parametrize("start", first_of(range(0, 500, 25), 1))
def test_a_guard_that_fetches_decides_as_an_agent_that_follows(start: int) -> None:
    for seed in range(start, start + 25):
        own, world, _, call = made(seed)
        found, expected = _by_guard(own, world, call, (1, 2, 20)[seed % 3]), _by_agent(own, world, call)
        assert (found.kind, found.rules, found.questions) == (expected.kind, expected.rules, expected.questions), seed
