"""Tests of severities that depend on the call, against an oracle that tries all calls and all completions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.rules.compilation import FACTS, Closure, Env
from holdtrue.rules.values import Undecided
from tests.guard.analysis.small_policies import PLANS, calls, policy_of

LEVELS = ("block", "ask", "warn")
Rule = Mapping[str, Any]
LEAVES = (
    "call.rush",
    "call.gift",
    "has(call.gift)",
    "call.plan == 'pro'",
    "seats < 2",
    "facts.plan('pro').seats == seats",
)
CONDITIONS = st.sampled_from([*LEAVES, "call.gift", "call.gift && call.rush", "call.count > 0", "call.count > 5"])


def _severity(draw: st.DrawFn) -> Any:
    named = sorted(draw(st.sets(st.sampled_from(LEVELS), min_size=1)), key=LEVELS.index)
    conditions = {own: draw(CONDITIONS) for own in named[:-1]}
    return {**conditions, named[-1]: True} if draw(st.integers(0, 3)) else named[0]


@st.composite
def rules(draw: st.DrawFn) -> list[Rule]:
    return [
        {"when": draw(st.none() | CONDITIONS), "hold": draw(CONDITIONS), "severity": _severity(draw)}
        for _ in range(draw(st.integers(1, 2)))
    ]


@cache
def closure(text: str) -> Closure:
    plain = re.sub(r"(?<!\.)seats", "facts.plan(call.plan).seats", text)
    return check_expression(policy_of([{"hold": "true"}]), plain, "sell").hold_closure


def value(text: Any, env: Env) -> bool | None:
    """Return the value of an expression, or None for an error."""
    try:
        return bool(closure(str(text).replace("True", "true"))(dict(env)))
    except Undecided:
        return None


def found(rule: Rule, env: Env) -> tuple[str, str]:
    """Return the status of a rule on a call that is fully seen, and its severity, by the documented words alone."""
    when = True if rule["when"] is None else value(rule["when"], env)
    hold = value(rule["hold"], env)
    status = "kept" if when is False or hold is True else "undecided" if None in (when, hold) else "broken"
    graded = rule["severity"] if isinstance(rule["severity"], Mapping) else {rule["severity"]: True}
    severe = next(own for own in LEVELS if own in graded and value(graded[own], env) is not False)
    return status, severe


def kind(listed: Sequence[Rule], env: Env) -> str:
    seen = [found(own, env) for own in listed]
    if ("broken", "block") in seen:
        return "block"
    return "ask" if any(status != "kept" and severity != "warn" for status, severity in seen) else "allow"


def warned(listed: Sequence[Rule], env: Env) -> tuple[bool, bool]:
    seen = [found(own, env) for own in listed]
    return ("broken", "warn") in seen, any(status != "kept" and severity == "warn" for status, severity in seen)


def facts_of(policy: Policy, env: Env, plans: Sequence[str] = PLANS) -> Facts:
    facts = Facts.none()
    for plan in plans:
        facts = policy.saw(facts, "show_plan", {"plan": plan}, env[FACTS]("plan", (plan,)))
    return facts


def envs(*sets: Sequence[Rule]) -> Iterator[Env]:
    return calls(str(sets).replace("facts.plan", "seats"))


@given(rules(), st.randoms(use_true_random=False), st.sets(st.sampled_from(PLANS)))
@settings(max_examples=80, deadline=None)
def test_the_strictest_severity_counts_that_is_true_or_may_be(listed: list[Rule], some: Any, seen: set[str]) -> None:
    policy = policy_of(listed)
    known = [*envs(listed)]
    for env in some.sample(known, min(6, len(known))):
        whole = policy.check("sell", env["call"], facts_of(policy, env), mend=False)
        assert whole.kind == kind(listed, env)
        decision = policy.check("sell", env["call"], facts_of(policy, env, sorted(seen)), mend=False)
        assert policy.replay(decision.to_json()) == decision
        ends = [own for own in known if own["call"] == env["call"] and all(_same(own, env, plan) for plan in seen)]
        for rule, finding in zip(listed, decision.findings, strict=True):
            statuses, severities = zip(*(found(rule, own) for own in ends), strict=True)
            assert finding.status != "holds" or {*statuses} == {"kept"}
            assert finding.status != "broken" or "kept" not in statuses
            if finding.status in ("broken", "undecided"):
                assert finding.severity == min(severities, key=LEVELS.index), (rule, finding)


@pytest.mark.parametrize(
    ("graded", "parts"),
    [
        ({"block": "call.rush", "ask": True}, {"block": "call.rush", "ask": "!call.rush"}),
        ({"block": "call.rush", "ask": True}, {"block": "call.rush", "ask": "true"}),
        ({"ask": "call.rush", "warn": True}, {"ask": "call.rush", "warn": "!call.rush"}),
        ({"block": "call.gift", "ask": True}, {"block": "!has(call.gift) || call.gift", "ask": "true"}),
        (
            {"block": "call.gift", "warn": True},
            {"block": "!has(call.gift) || call.gift", "warn": "has(call.gift) && !call.gift"},
        ),
        (
            {"block": "seats == 0", "ask": "seats == 1", "warn": True},
            {"block": "seats == 0", "ask": "seats == 1", "warn": "seats > 1"},
        ),
    ],
)
def test_a_graded_rule_equals_rules_of_one_severity_each_and_no_others(
    graded: Mapping[str, Any], parts: Mapping[str, str]
) -> None:
    hold = "call.count > 0"
    one = policy_of([{"hold": hold, "severity": graded}])
    split = [{"when": when, "hold": hold, "severity": severity} for severity, when in parts.items()]
    assert compare_policies(one, policy_of(split)).same is True
    for own in split:
        other = policy_of([{**own, "when": "call.count < 0"} if each is own else each for each in split])
        assert compare_policies(one, other).same is False


def _same(one: Env, other: Env, plan: str) -> bool:
    return bool(one[FACTS]("plan", (plan,)) == other[FACTS]("plan", (plan,)))


@given(rules(), rules())
@settings(max_examples=60, deadline=None)
def test_differences_are_those_that_trying_all_calls_finds(one: list[Rule], other: list[Rule]) -> None:
    first, second = policy_of(one), policy_of(other)
    (compared,) = (own for own in compare_policies(first, second).tools if own.tool == "sell")
    tried = [*envs(one, other)]
    pairs = {(kind(one, env), kind(other, env)) for env in tried}
    unlike = any(warned(one, env) != warned(other, env) for env in tried)
    assert {own.allowed_by for own in compared.differences} - {None} == {
        side for side, place in (("first", 0), ("second", 1)) if any(p[place] == "allow" != p[1 - place] for p in pairs)
    }
    if not compared.undecided:
        assert compared.same is (all(mine == yours for mine, yours in pairs) and not unlike)


@given(rules())
@settings(max_examples=60, deadline=None)
def test_faults_of_a_severity_are_those_of_its_calls(listed: list[Rule]) -> None:
    policy = policy_of(listed)
    told = {(own.rule, own.kind) for own in analyse_policy(policy).faults}
    tried = [*envs(listed)]
    for place, rule in enumerate(listed):
        if not isinstance(rule["severity"], Mapping) or len(rule["severity"]) == 1:
            continue
        strictest = min(rule["severity"], key=LEVELS.index)
        seen = [found(rule, env) for env in tried]
        reached = ("broken", strictest) in seen
        may_be = any(status == "undecided" and severity == strictest for status, severity in seen)
        id = f"R{place} ({strictest})"
        if reached:
            assert not {(id, "never applies"), (id, "always holds")} & told
        elif not may_be and not any(own[0].startswith(f"R{place} (") for own in told):
            assert {(id, "never applies"), (id, "always holds")} & told, (rule, told)
