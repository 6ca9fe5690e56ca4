"""Tests of severities that depend on the call, against an oracle that tries all calls and all completions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.rule_mutants import mutants
from holdtrue.guard.call_commitments import check_expression
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.rules.compilation import FACTS, Closure, Env
from holdtrue.rules.values import Undecided
from tests.guard.analysis.shops import shop
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


@st.composite
def rules(draw: st.DrawFn) -> list[Rule]:
    listed: list[Rule] = []
    for _ in range(draw(st.integers(1, 2))):
        named = sorted(draw(st.sets(st.sampled_from(LEVELS), min_size=1)), key=LEVELS.index)
        graded = {**{own: draw(CONDITIONS) for own in named[:-1]}, named[-1]: "true"}
        listed.append({"when": draw(st.none() | CONDITIONS), "hold": draw(CONDITIONS), "severity": graded})
    return listed


@cache
def closure(text: str) -> Closure:
    plain = re.sub(r"(?<!\.)seats", "facts.plan(call.plan).seats", text)
    return check_expression(policy_of([{"hold": "true"}]), plain, "sell").hold_closure


def value(text: str, env: Env) -> bool | None:
    """Return the value of an expression, or None for an error."""
    try:
        return bool(closure(text)(dict(env)))
    except Undecided:
        return None


def found(rule: Rule, env: Env) -> tuple[str, str]:
    """Return the status of a rule on a call that is fully seen, and its severity, by the documented words alone."""
    when, hold = value(rule["when"] or "true", env), value(rule["hold"], env)
    status = "kept" if when is False or hold is True else "undecided" if None in (when, hold) else "broken"
    graded = rule["severity"]
    return status, next(own for own in LEVELS if own in graded and value(graded[own], env) is not False)


def kind(listed: Sequence[Rule], env: Env) -> str:
    seen = [found(own, env) for own in listed]
    open_ones = any(status != "kept" and severity != "warn" for status, severity in seen)
    return "block" if ("broken", "block") in seen else "ask" if open_ones else "allow"


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
    policy, known = policy_of(listed), [*envs(listed)]
    for env in some.sample(known, min(6, len(known))):
        assert policy.check("sell", env["call"], facts_of(policy, env), mend=False).kind == kind(listed, env)
        decision = policy.check("sell", env["call"], facts_of(policy, env, sorted(seen)), mend=False)
        assert policy.replay(decision.to_json()) == decision
        shown = [(own, env[FACTS]("plan", (own,))) for own in seen]
        ends = [
            own for own in known if own["call"] == env["call"] and all(own[FACTS]("plan", (p,)) == r for p, r in shown)
        ]
        for rule, finding in zip(listed, decision.findings, strict=True):
            statuses, severities = zip(*(found(rule, own) for own in ends), strict=True)
            assert finding.status != "holds" or {*statuses} == {"kept"}
            assert finding.status != "broken" or "kept" not in statuses
            if finding.status in ("broken", "undecided"):
                assert finding.severity == min(severities, key=LEVELS.index), (rule, finding)


@given(rules(), rules())
@settings(max_examples=60, deadline=None)
def test_differences_are_those_that_trying_all_calls_finds(one: list[Rule], other: list[Rule]) -> None:
    (compared,) = (own for own in compare_policies(policy_of(one), policy_of(other)).tools if own.tool == "sell")
    tried = [*envs(one, other)]
    pairs = {(kind(one, env), kind(other, env)) for env in tried}
    allowed = {
        "first" if mine == "allow" else "second" for mine, yours in pairs if "allow" in (mine, yours) and mine != yours
    }
    assert {own.allowed_by for own in compared.differences} - {None} == allowed
    if not compared.undecided:
        unlike = any(warned(one, env) != warned(other, env) for env in tried)
        assert compared.same is (all(mine == yours for mine, yours in pairs) and not unlike)


@given(rules())
@settings(max_examples=60, deadline=None)
def test_faults_of_a_severity_are_those_of_its_calls(listed: list[Rule]) -> None:
    told = {(own.rule, own.kind) for own in analyse_policy(policy_of(listed)).faults}
    for place, rule in enumerate(listed):
        strictest, seen = next(iter(rule["severity"])), [found(rule, env) for env in envs(listed)]
        faults = {(f"R{place} ({strictest})", own) for own in ("never applies", "always holds")} & told
        if len(rule["severity"]) > 1 and ("broken", strictest) in seen:
            assert not faults
        elif len(rule["severity"]) > 1 and ("undecided", strictest) not in seen:
            assert faults or any(own[0].startswith(f"R{place} (") for own in told), (rule, told)


RUSH, GIFT = "call.rush", "!has(call.gift) || call.gift"


@pytest.mark.parametrize(
    ("graded", "parts"),
    [
        ({"block": RUSH, "ask": True}, {"block": RUSH, "ask": "!call.rush"}),
        ({"ask": RUSH, "warn": True}, {"ask": RUSH, "warn": "!call.rush"}),
        ({"block": "call.gift", "ask": True}, {"block": GIFT, "ask": "true"}),
        ({"block": "call.gift", "warn": True}, {"block": GIFT, "warn": "has(call.gift) && !call.gift"}),
        ({"ask": "seats < 1", "warn": True}, {"ask": "seats < 1", "warn": "seats > 0"}),
    ],
)  # fmt: skip
def test_a_graded_rule_equals_rules_of_one_severity_each_and_no_others(graded: Rule, parts: Mapping[str, str]) -> None:
    one = policy_of([{"hold": "call.count > 0", "severity": graded}])
    split = [{"when": when, "hold": "call.count > 0", "severity": own} for own, when in parts.items()]
    assert compare_policies(one, policy_of(split)).same is True
    for own in split:
        other = policy_of([{**own, "when": "call.count < 0"} if each is own else each for each in split])
        assert compare_policies(one, other).same is False


@given(rules())
@settings(max_examples=30, deadline=None)
def test_edges_notice_each_mutant_of_a_severity(listed: list[Rule]) -> None:
    policy = policy_of(listed)
    for found in find_edges(policy):
        assert all(own.situation.decide(policy, mend=False).kind == own.expect for own in found.edges)
        for mutant in mutants(policy, [found.rule]):
            told = any(own.situation.decide(mutant.policy, mend=False).kind != own.expect for own in found.edges)
            compared = compare_policies(policy, mutant.policy).tools  # A warning alone changes no decision.
            assert told or found.undecided or not any(own.differences for own in compared), mutant.text


def test_the_bound_of_a_severity_has_edges_on_both_sides() -> None:
    graded = {"hold": "call.amount <= 50", "severity": {"block": "call.amount > 200", "ask": True}}
    own, other = find_edges(shop(graded, {"hold": "call.method == 'card'"}))
    told = {(own.expect, own.situation.call["amount"]): own.text for own in own.edges if own.kind in ("kept", "broken")}
    assert [*told] == [("ask", 200), ("block", 201), ("allow", 50), ("ask", 51)]
    assert told["block", 201] == "Blocked: call.amount is 201. With call.amount 200 it would be asked about."
    assert "a is broken, too, and hides this rule" in next(own.text for own in other.edges if own.kind == "hidden")
