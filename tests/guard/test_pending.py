"""Tests of pending calls: an allowed call breaks no rule in any possible order."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard import Decision, make_policy
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy

TOOLS = ("take", "put", "close", "tell")
ITEMS = ("a", "b")
Call = tuple[str, str, int]


@dataclass(frozen=True)
class Rules:
    """Which rules a policy has: each is known here a second time, in plain Python."""

    keeps_stock: bool
    only_open: tuple[str, ...]
    never_after: tuple[tuple[str, str], ...]
    only_after: tuple[tuple[str, str], ...]
    most: Mapping[str, int]
    most_per_item: Mapping[str, int]

    def expressions(self) -> list[dict[str, Any]]:
        """Return the rules that are expressions, as a policy has them."""
        rules: list[dict[str, Any]] = []
        if self.keeps_stock:
            hold = "facts.stock(call.item).left >= call.n"
            rules.append({"id": "stock", "on": "take", "hold": hold, "say": "Only what is there is taken."})
        for tool in self.only_open:
            rules.append(
                {"id": f"open-{tool}", "on": tool, "hold": "facts.stock(call.item).open", "say": "It is open."}
            )
        for tool, other in self.never_after:
            hold = f"size(done.{other}) == 0"
            rules.append({"id": f"{tool}-before-{other}", "on": tool, "hold": hold, "say": "It is too late."})
        for tool, other in self.only_after:
            hold = f"size(done.{other}) > 0"
            rules.append({"id": f"{tool}-after-{other}", "on": tool, "hold": hold, "say": "It is too early."})
        return rules

    def policy(self, rules: Sequence[Mapping[str, Any]]) -> Policy:
        """Return a policy with these of its expressions as rules; limits are always in it."""
        arguments = {"item": {"type": "string"}, "n": {"type": "integer"}}
        listed = {"type": "object", "properties": arguments, "required": ["item", "n"]}
        limits: list[dict[str, Any]] = [
            {"id": f"most-{tool}", "on": tool, "most": number} for tool, number in self.most.items()
        ]
        limits += [
            {"id": f"most-{tool}-each", "on": tool, "most": number, "per": "item"}
            for tool, number in self.most_per_item.items()
        ]
        left = "facts.stock(call.item).left"
        key = {"item": "call.item"}
        return make_policy(
            "shelf",
            tools={
                "definitions": [{"name": tool, "parameters": listed} for tool in (*TOOLS, "look")],
                "writes": list(TOOLS),
                "reads": ["look"],
                "types": {"*": {"item": "id of item", "n": "whole"}},
            },
            facts={
                "stock": {
                    "key": {"item": "id of item"},
                    "record": {"left": "whole", "open": "bool"},
                    "from": [{"tool": "look", "key": key}],
                }
            },
            effects=[
                {"on": "take", "fact": "stock", "key": key, "set": {"left": f"{left} - call.n"}},
                {"on": "put", "fact": "stock", "key": key, "set": {"left": f"{left} + call.n"}},
                {"on": "close", "fact": "stock", "key": key, "set": {"open": "false"}},
            ],
            rules=[*rules],
            limits=limits,
        )


class Shelf:
    """A naive twin that executes the calls."""

    def __init__(self, stock: Mapping[str, int]) -> None:
        self.left = dict(stock)
        self.open = dict.fromkeys(ITEMS, True)
        self.done: list[Call] = []

    def breaks(self, rules: Rules, call: Call) -> bool:
        tool, item, n = call
        names = [own[0] for own in self.done]
        here = sum(own[:2] == (tool, item) for own in self.done)
        return (
            (rules.keeps_stock and tool == "take" and self.left[item] < n)
            or (tool in rules.only_open and not self.open[item])
            or any(tool == own and other in names for own, other in rules.never_after)
            or any(tool == own and other not in names for own, other in rules.only_after)
            or names.count(tool) >= rules.most.get(tool, 99)
            or here >= rules.most_per_item.get(tool, 99)
        )

    def make(self, call: Call) -> None:
        tool, item, n = call
        self.left[item] += {"take": -n, "put": n}.get(tool, 0)
        if tool == "close":
            self.open[item] = False
        self.done.append(call)


def broken_order(rules: Rules, stock: Mapping[str, int], calls: Sequence[Call]) -> tuple[Call, ...] | None:
    """Return an order of some of the calls in which one breaks a rule, or None."""
    for size in range(1, len(calls) + 1):
        for chosen in combinations(calls, size):
            for order in permutations(chosen):
                shelf = Shelf(stock)
                for call in order:
                    if shelf.breaks(rules, call):
                        return order
                    shelf.make(call)
    return None


async def let_through(
    policy: Policy, stock: Mapping[str, int], calls: Sequence[Call], agreed: Sequence[Mapping[str, Any]] = ()
) -> tuple[list[Call], list[Decision]]:
    guard = Guard(policy, reads=False)
    talk = guard.conversation("c")
    for item in ITEMS:
        await talk.saw("look", {"item": item, "n": 0}, {"left": stock[item], "open": True})
    for own in agreed:
        await talk.commit(rule=own["hold"], on=[own["on"]], say=own["say"])
    decisions: list[Decision] = []
    for tool, item, n in calls:
        decisions.append(await talk.check(tool, {"item": item, "n": n}, mend=False))
    kept = [call for call, decision in zip(calls, decisions, strict=True) if decision.kind == "allow"]
    return kept, decisions


tools = st.sampled_from(TOOLS)
pairs = st.tuples(tools, tools)
rules_of = st.builds(
    Rules,
    keeps_stock=st.booleans(),
    only_open=st.lists(tools, max_size=2, unique=True).map(tuple),
    never_after=st.lists(pairs, max_size=2, unique=True).map(tuple),
    only_after=st.lists(pairs, max_size=1, unique=True).map(tuple),
    most=st.dictionaries(tools, st.integers(1, 2), max_size=2),
    most_per_item=st.dictionaries(tools, st.integers(1, 2), max_size=1),
)
calls_of = st.lists(st.tuples(tools, st.sampled_from(ITEMS), st.integers(1, 3)), min_size=1, max_size=5)
stocks = st.fixed_dictionaries({item: st.integers(0, 5) for item in ITEMS})


def check_no_order_breaks(
    rules: Rules, stock: Mapping[str, int], calls: Sequence[Call]
) -> tuple[list[Call], list[Decision]]:
    policy = rules.policy(rules.expressions())
    kept, decisions = asyncio.run(let_through(policy, stock, calls))
    assert broken_order(rules, stock, kept) is None
    for decision in decisions:
        assert policy.replay(decision.to_json()).to_json() == decision.to_json()
    return kept, decisions


@settings(max_examples=80)
@given(rules_of, stocks, calls_of)
def test_rules_that_were_agreed_decide_as_those_of_the_policy_do(
    rules: Rules, stock: dict[str, int], calls: list[Call]
) -> None:
    expressions = rules.expressions()
    kept, _ = asyncio.run(let_through(rules.policy(expressions), stock, calls))
    plain = rules.policy(())
    agreed, decisions = asyncio.run(let_through(plain, stock, calls, expressions))
    assert agreed == kept
    for decision in decisions:
        assert plain.replay(decision.to_json()).to_json() == decision.to_json()


@settings(max_examples=150)
@given(rules_of, stocks, calls_of)
def test_what_is_let_through_together_breaks_no_rule_in_any_order(
    rules: Rules, stock: dict[str, int], calls: list[Call]
) -> None:
    check_no_order_breaks(rules, stock, calls)


def test_a_call_waits_for_the_result_of_one_that_it_needs() -> None:
    rules = Rules(False, (), (), (("take", "tell"),), {}, {})

    async def play() -> None:
        talk = Guard(rules.policy(rules.expressions()), reads=False).conversation("c")
        first, second = await talk.check_all(
            [{"name": "tell", "arguments": {"item": "a", "n": 1}}, {"name": "take", "arguments": {"item": "a", "n": 1}}]
        )
        assert (first.kind, second.kind) == ("allow", "ask")
        assert second.rules == ("pending",)
        assert "has to come first" in second.for_model
        await talk.saw("tell", {"item": "a", "n": 1}, "told")
        assert (await talk.check("take", {"item": "a", "n": 1})).kind == "allow"

    asyncio.run(play())


def test_a_pending_call_counts_for_limits_until_it_is_known_to_have_failed() -> None:
    rules = Rules(False, (), (), (), {"tell": 1}, {})

    async def play() -> None:
        talk = Guard(rules.policy(rules.expressions()), reads=False).conversation("c")
        call = {"item": "a", "n": 1}
        assert (await talk.check("tell", call, call="c1")).kind == "allow"
        assert (await talk.check("tell", call)).kind == "block"
        await talk.saw("tell", call, None, call="c1", outcome="unknown")
        assert (await talk.check("tell", call)).kind == "block"
        await talk.saw("tell", call, "no connection", call="c1", outcome="failed")
        assert (await talk.check("tell", call)).kind == "allow"

    asyncio.run(play())


def test_a_record_that_was_shown_while_a_call_was_under_way_is_not_known() -> None:
    rules = Rules(True, (), (), (), {}, {})

    async def play() -> None:
        talk = Guard(rules.policy(rules.expressions()), reads=False).conversation("c")
        look = {"item": "a", "n": 0}
        await talk.saw("look", look, {"left": 5, "open": True})
        assert (await talk.check("take", {"item": "a", "n": 3}, call="c1")).kind == "allow"
        await talk.saw("look", look, {"left": 2, "open": True})  # before or after the three were taken?
        await talk.saw("take", {"item": "a", "n": 3}, "ok", call="c1")
        decision = await talk.check("take", {"item": "a", "n": 1})
        assert decision.kind == "ask"
        await talk.saw("look", look, {"left": 2, "open": True})
        assert (await talk.check("take", {"item": "a", "n": 2})).kind == "allow"

    asyncio.run(play())


@pytest.mark.parametrize("order", [("lend", "inspect"), ("inspect", "lend")])
def test_what_makes_a_rule_of_a_pending_call_undecided_waits(order: tuple[str, str]) -> None:
    item = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
    source = {"tool": "inspect", "key": {"item": "call.item"}}
    reels = make_policy(
        "reels",
        tools={"definitions": [{"name": own, "parameters": item} for own in order], "writes": [*order]},
        facts={"grade": {"key": {"item": "text"}, "record": {"grade": "whole"}, "from": [source]}},
        rules=[{"id": "good", "on": "lend", "hold": "facts.grade(call.item).grade >= 3", "say": "Only good ones."}],
    )

    async def play() -> None:
        talk = Guard(reels, reads=False).conversation("c")
        await talk.saw("inspect", {"item": "a"}, {"grade": 4})
        assert [(await talk.check(own, {"item": "a"})).kind for own in order] == ["allow", "ask"]

    asyncio.run(play())


def test_too_many_calls_that_touch_each_other_have_to_wait() -> None:
    rules = Rules(True, (), (), (), {}, {})

    async def play() -> None:
        talk = Guard(rules.policy(rules.expressions()), reads=False).conversation("c")
        await talk.saw("look", {"item": "a", "n": 0}, {"left": 100, "open": True})
        kinds = [(await talk.check("take", {"item": "a", "n": 1})).kind for _ in range(6)]
        assert kinds == ["allow"] * 4 + ["ask"] * 2

    asyncio.run(play())


@pytest.mark.parametrize("results", [("take", "look"), ("look", "take"), ("put", "look"), ("look", "put")])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_record_that_was_read_beside_a_call_that_changes_it_is_not_known(
    results: tuple[str, str], is_known: bool
) -> None:
    rules = Rules(True, (), (), (), {}, {})
    if "take" in results and not is_known:
        return  # It would not be let through.

    async def play() -> None:
        talk = Guard(rules.policy(rules.expressions()), reads=False).conversation("c")
        if is_known:
            await talk.saw("look", {"item": "a", "n": 0}, {"left": 6, "open": True})
        calls = {own: {"item": "a", "n": 0 if own == "look" else 5} for own in sorted(results, reverse=True)}
        decisions = await talk.check_all([{"id": name, "name": name, "arguments": own} for name, own in calls.items()])
        assert [own.kind for own in decisions] == ["allow", "allow"]
        for name in results:
            await talk.saw(name, calls[name], {"left": 6, "open": True} if name == "look" else "ok", call=name)
        assert (await talk.check("take", {"item": "a", "n": 5}, mend=False)).kind == "ask"
        # Read once more, it is known.
        await talk.check("look", calls["look"])
        await talk.saw("look", calls["look"], {"left": 1, "open": True})
        assert (await talk.check("take", {"item": "a", "n": 5}, mend=False)).kind == "block"

    asyncio.run(play())
