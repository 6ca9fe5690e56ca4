"""Generate random policies with so few values that all calls can be tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.policy_parts import RuleOnTool
from holdtrue.rules.compilation import FACTS, Closure, Env
from holdtrue.rules.values import Undecided

PLANS = ("free", "pro", "team")
TOOLS = {
    "definitions": [
        {
            "name": "sell",
            "parameters": {
                "type": "object",
                "required": ["plan", "count", "rush", "limit"],
                "properties": {
                    "plan": {"type": "string", "enum": [*PLANS]},
                    "count": {"type": "integer", "minimum": -1, "maximum": 2},
                    "rush": {"type": "boolean"},
                    "gift": {"type": "boolean"},
                    "limit": {"type": ["integer", "null"], "minimum": 0, "maximum": 1},
                },
            },
        },
        {
            "name": "show_plan",
            "parameters": {"type": "object", "required": ["plan"], "properties": {"plan": {"type": "string"}}},
        },
    ],
    "reads": ["show_plan"],
    "types": {"show_plan": {"plan": [*PLANS]}},
}
FACT = {
    "key": {"plan": [*PLANS]},
    "record": {"seats": "whole 0..2"},
    "from": [{"tool": "show_plan", "key": {"plan": "call.plan"}}],
}
LEAVES = (
    "call.rush",
    "call.plan == 'pro'",
    "call.plan in ['free', 'team']",
    "has(call.gift)",
    "call.gift",
    "call.limit == null",
    "call.limit >= call.count",
    "call.count > 0",
    "call.count * 2 <= 1",
    "call.count + seats <= 2",
    "seats >= call.count",
    "facts.plan('pro').seats == seats",
    "facts.plan('free').seats < 2",
    "said.vip",
    "math.greatest(call.count, seats) == 1",
)


def _joined(own: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(own, st.sampled_from(("&&", "||")), own).map(lambda parts: f"({' '.join(parts)})")
    return pair | own.map(lambda one: f"!({one})")


def _rules(leaves: tuple[str, ...]) -> st.SearchStrategy[list[dict[str, Any]]]:
    conditions = st.recursive(st.sampled_from(leaves), _joined, max_leaves=4)
    holds = st.sampled_from(("false", "true")) | conditions | conditions | conditions
    severities = st.sampled_from(("block", "block", "ask", "warn"))
    rule = st.fixed_dictionaries({"when": st.none() | conditions, "hold": holds, "severity": severities})
    return st.lists(rule, min_size=1, max_size=4)


POLICIES = _rules(LEAVES)
WITH_CLAIMS = _rules(("said.claimed", "said.claimed", "said.vip", "call.rush", "call.plan == 'pro'", "call.gift"))


def policy_of(rules: Sequence[Mapping[str, Any]]) -> Policy:
    listed = []
    for place, rule in enumerate(rules):
        own = {name: value for name, value in rule.items() if value is not None}
        listed.append({"id": f"R{place}", "on": "sell", "say": "It is so.", **own})
    try:
        return make_policy(
            "small",
            tools=TOOLS,
            facts={"plan": FACT},
            said={"vip": {"type": "bool"}, "claimed": {"type": "bool", "claim": True}},
            let={"seats": "facts.plan(call.plan).seats"},
            rules=listed,
        )
    except InputError as error:
        raise AssertionError(f"{listed}: {error}") from error


def calls(text: str) -> Iterator[Env]:
    """Return all that rules may see; parts that the text of the rules does not speak of have one value."""

    def some(name: str, *values: Any) -> tuple[Any, ...]:
        return values if name in text else values[:1]

    seats = some("seats", 0, 1, 2)
    for plan, count, rush, gift, limit, vip, free, pro, team in product(
        PLANS,
        some("count", -1, 0, 1, 2),
        some("rush", False, True),
        some("gift", None, False, True),
        some("limit", None, 0, 1),
        some("vip", False, True),
        seats,
        seats,
        seats,
    ):
        call = {"plan": plan, "count": count, "rush": rush, "limit": limit, **({} if gift is None else {"gift": gift})}
        accounts = {"free": {"seats": free}, "pro": {"seats": pro}, "team": {"seats": team}}

        def look_up(kind: str, keys: tuple[Any, ...], accounts: Any = accounts) -> Any:
            return accounts[keys[0]]

        yield {"call": call, "said": {"vip": vip, "claimed": False}, FACTS: look_up}


def _value(closure: Closure | None, env: Env) -> bool | None:
    try:
        return True if closure is None else bool(closure(env))
    except Undecided:
        return None


def verdict(rule: RuleOnTool, env: Env) -> tuple[bool | None, bool | None]:
    """Return whether a rule applies to a call, and whether it holds; None for an error."""
    return _value(rule.when_closure, env), _value(rule.hold_closure, env)


def keeps(policy: Policy, env: Env) -> bool:
    """Return whether a call keeps all rules that block or ask."""
    rules = [own.tools["sell"] for own in policy.rules if own.severity != "warn"]
    return all(_value(own.when_closure, env) is False or _value(own.hold_closure, env) is True for own in rules)


def statuses(found: tuple[tuple[str, bool | None, bool | None], ...]) -> Iterator[tuple[tuple[str, str], bool]]:
    """Yield whether a call applies, keeps and breaks each rule."""
    for id, applies, holds in found:
        yield (id, "applies"), applies is True
        yield (id, "kept"), applies is False or holds is True
        yield (id, "kept where it applies"), applies is True and holds is True
        yield (id, "broken"), applies is True and holds is False


@dataclass(frozen=True)
class Table:
    """The truth of each rule for each call."""

    rows: tuple[Mapping[tuple[str, str], bool], ...]

    @staticmethod
    def of(rules: Mapping[str, RuleOnTool], text: str) -> Table:
        found = {tuple((id, *verdict(own, env)) for id, own in rules.items()) for env in calls(text)}
        return Table(tuple(dict(statuses(own)) for own in found))

    def some(self, *wanted: tuple[str, str], no: tuple[tuple[str, str], ...] = ()) -> bool:
        """Return whether a call makes all of `wanted` true and none of `no`."""
        return any(all(row[own] for own in wanted) and not any(row[own] for own in no) for row in self.rows)
