"""Tests of a guard that calls reading tools itself for the facts that a decision misses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.guard import Facts, SqliteStore, make_policy
from holdtrue.guard.decision import Decision, Fetched
from holdtrue.guard.fetching import call_text
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from holdtrue.guard.result_forms import stop_mark
from tests.guard.conversation.shop import FailingStore
from tests.guard.test_fetching import NOW, World, made
from tests.slow import first_of

CALL = {"order": "A-1", "amount": 20}
GET = {"order": "A-1"}


def _takes(name: str, **properties: str) -> dict[str, Any]:
    own = {key: {"type": kind} for key, kind in properties.items()}
    return {"name": name, "parameters": {"type": "object", "properties": own, "required": [*own]}}


def policy(*rules: Mapping[str, Any], **parts: Any) -> Policy:
    by_order = {"tool": "get_order", "key": {"order": "call.order"}, "absent": ["No such order"]}
    by_user = {"tool": "get_user", "key": {"user": "call.user"}}
    own = {
        "id": "price",
        "on": "refund",
        "hold": "call.amount <= facts.order(call.order).price && facts.user(facts.order(call.order).user).good",
        "say": "No more than was paid, and to good customers.",
    }
    return make_policy(
        "desk",
        now=NOW,
        tools={
            "definitions": [
                _takes("refund", order="string", amount="integer"),
                _takes("get_order", order="string"),
                _takes("get_user", user="string"),
            ],
            "reads": ["get_order", "get_user"],
            "errors": ["error"],
        },
        facts={
            "order": {"key": {"order": "text"}, "record": {"price": "whole", "user": "text"}, "from": [by_order]},
            "user": {"key": {"user": "text"}, "record": {"good": "bool"}, "from": [by_user], **parts},
        },
        rules=[own, *rules],
    )


class Shop:
    """Tools that count their calls, with a result or an error for each."""

    def __init__(self, **results: Any) -> None:
        self.results = {"get_order": {"price": 50, "user": "U"}, "get_user": {"good": True}, **results}
        self.calls = list[tuple[str, dict[str, Any]]]()

    def __call__(self, tool: str, arguments: dict[str, Any]) -> Any:
        self.calls.append((tool, dict(arguments)))
        arguments.clear()
        result = self.results[tool]
        if isinstance(result, Exception):
            raise result
        return result


async def test_a_call_is_decided_on_after_the_guard_has_looked_up_all_that_it_misses() -> None:
    shop = Shop()
    talk = Guard(policy(), reads=False, fetch=shop).conversation("c")
    decision = await talk.check("refund", CALL)
    assert decision.kind == "allow"
    assert decision.fetched == (Fetched("get_order", GET), Fetched("get_user", {"user": "U"}))
    assert shop.calls == [(own.tool, own.arguments) for own in decision.fetched]
    assert (await talk.check("refund", {**CALL, "amount": 60})).kind == "block" and len(shop.calls) == 2


async def _later(order: str) -> str:
    await asyncio.sleep(0)
    return json.dumps({"price": 50, "user": order})


@pytest.mark.parametrize("get_order", [_later, lambda order: {"price": 50, "user": order}])
async def test_a_function_for_each_tool_gets_the_arguments_by_name(get_order: Any) -> None:
    talk = Guard(policy(), reads=False, fetch={"get_order": get_order}).conversation("c")
    outcome = await talk.decide("refund", CALL)
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
        (_slow, "no result came within 0.05 s"),
        (lambda tool: None, "TypeError"),
        (Shop(get_order=TimeoutError("of its own")), "TimeoutError: of its own"),
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
    known = {
        "id": "known",
        "on": "get_user",
        "hold": "facts.order('A-0').price > 0 && call.user != 'bad'",
        "say": "Known.",
    }
    shop = Shop()
    talk = Guard(policy(known), reads=False, fetch=shop, mode="observe").conversation("c")
    decision = await talk.check("refund", CALL)
    assert [own.tool for own in decision.fetched] == ["get_order", "get_order", "get_user"] and decision.kind == "allow"
    shop.results["get_order"] = {"price": 50, "user": "bad"}
    decision = await talk.check("refund", {**CALL, "order": "A-2"})
    assert decision.kind == "ask" and "it was not made: block" in decision.fetched[-1].error
    assert [tool for tool, _ in shop.calls] == ["get_order", "get_order", "get_user", "get_order"]


async def test_calls_end_at_their_number_and_in_time() -> None:
    shop = Shop()
    talk = Guard(policy(), reads=False, fetch=shop, fetch_most=1).conversation("c")
    assert [(await talk.check("refund", CALL)).kind for _ in range(2)] == ["ask", "allow"]
    assert [tool for tool, _ in shop.calls] == ["get_order", "get_user"]


async def test_a_result_is_as_fresh_as_the_decision_and_an_old_one_is_looked_up_again() -> None:
    shop = Shop()
    talk = Guard(policy(fresh="1h"), reads=False, fetch=shop).conversation("c")
    for now in ("2026-03-02T09:00:00", "2026-03-02T09:30:00", "2026-03-02T11:00:00"):
        assert (await talk.check("refund", CALL, now=now)).kind == "allow"
    assert [tool for tool, _ in shop.calls] == ["get_order", "get_user", "get_user"]


async def test_the_record_replays_without_a_call_also_after_a_restart(tmp_path: Any) -> None:
    shop, own = Shop(), policy()
    first = Guard(own, reads=False, fetch=shop, store=SqliteStore(tmp_path / "talks.db"))
    decision = await first.conversation("c").check("refund", CALL)
    assert own.replay(json.loads(json.dumps(decision.to_json(), default=str))) == decision.__class__(
        **{name: getattr(decision, name) for name in decision.__dataclass_fields__ if name != "id"}
    )
    await first.aclose()
    again = Guard(own, reads=False, store=SqliteStore(tmp_path / "talks.db"))
    assert (await again.conversation("c").check("refund", CALL)).kind == "allow" and len(shop.calls) == 2
    await again.aclose()


async def test_a_cancelled_look_up_leaves_nothing_under_way_and_a_lost_event_allows_nothing() -> None:
    store = FailingStore()
    talk = Guard(policy(), reads=False, fetch=_slow, store=store).conversation("c")
    task = asyncio.create_task(talk.check("refund", CALL))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await talk.waiting() == []
    talk.guard.fetching = Guard(policy(), fetch=Shop()).fetching
    store.fails = OSError("full")
    assert (await talk.check("refund", CALL)).kind == "ask"
    store.fails = None
    assert (await talk.check("refund", CALL)).kind == "allow"


@pytest.mark.parametrize(
    "settings",
    [
        {"fetch": 5},
        {"fetch": {"get_order": 5}},
        {"fetch": {"refund": print}},
        {"fetch": {"get": print}},
        {"fetch_most": 0},
        {"fetch_timeout_s": 0},
    ],
)
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
    for _ in range(20):
        decision = guard.run(talk.check("act", call, now=NOW))
        assert len(calls) == len({*calls}), "a call is made again"
        if not decision.fetch:
            guard.close()
            return decision
    raise AssertionError("it never ends")


@pytest.mark.parametrize("start", first_of(range(0, 500, 25), 1))
def test_a_guard_that_fetches_decides_as_an_agent_that_follows(start: int) -> None:
    for seed in range(start, start + 25):
        own, world, _, call = made(seed)
        found, expected = _by_guard(own, world, call, (1, 2, 20)[seed % 3]), _by_agent(own, world, call)
        assert (found.kind, found.rules, found.questions) == (expected.kind, expected.rules, expected.questions), seed
