"""Tests of rules whose severity depends on the call."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.guard import Decision, Facts, Fetch, Guard, PolicyError, make_policy, root, unmet
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.policy import Policy
from tests.guard.shop import AMPLE

TEXT = {"type": "string"}
TOOLS = {
    "definitions": [
        {"name": "refund", "parameters": {"properties": {"user": TEXT, "amount": {"type": "integer"}, "note": TEXT}}},
        {"name": "get_user", "parameters": {"properties": {"user": TEXT}}},
        {"name": "note", "parameters": {"properties": {"text": TEXT}}},
    ],
    "reads": ["get_user"],
}
SHOWN = {"tool": "get_user", "key": {"user": "call.user"}, "absent": [None]}
BY_AMOUNT = {"block": "call.amount > 1000", "ask": True}
BY_TIER = {"block": "facts.user(call.user).tier == 'plain'", "ask": "call.amount > 500", "warn": True}


def policy(severity: Any, *, shown: bool = True, **parts: Any) -> Policy:
    rule = {"id": "most", "on": "refund", "hold": "call.amount <= 100", "say": "At most 100.", "severity": severity}
    user = {"key": {"user": "text"}, "record": {"tier": ["gold", "plain"]}, "from": [SHOWN] * shown}
    return make_policy("shop", tools=TOOLS, facts={"user": user}, **{"rules": [rule], **parts})


def decide(made: Policy, amount: int, facts: Facts | None = None, **how: Any) -> Decision:
    return made.check("refund", {"user": "U", "amount": amount}, facts or Facts.none(), budget=AMPLE, **how)


@pytest.mark.parametrize(("amount", "kind"), [(100, "allow"), (101, "ask"), (1000, "ask"), (1001, "block")])
@pytest.mark.parametrize("severity", [BY_AMOUNT, {"ask": "true", "block": root("call").amount > 1000}])
def test_the_strictest_severity_whose_condition_is_true_counts(severity: Any, amount: int, kind: str) -> None:
    decision = decide(policy(severity), amount, explain=True)
    assert decision.kind == kind and ("its severity is" in decision.findings[0].why) is (kind != "allow")
    assert policy(BY_AMOUNT).digest == policy(dict(reversed(BY_AMOUNT.items()))).digest


@pytest.mark.parametrize(
    ("severity", "amount"), [({**BY_AMOUNT, "ask": "false", "warn": True}, 1000), (BY_AMOUNT, 100)]
)
def test_a_mend_goes_no_further_than_to_a_milder_severity(severity: Any, amount: int) -> None:
    mend = decide(policy(severity), 5000).mend
    assert mend is not None and mend.arguments["amount"] == amount and mend.optimal


@pytest.mark.parametrize(("tier", "kind"), [("plain", "block"), ("gold", "ask"), (None, "block")])
def test_an_open_severity_is_the_strictest_possible_and_names_the_call_that_shows_it(tier: Any, kind: str) -> None:
    made = policy(BY_TIER)
    decision = decide(made, 600)
    assert (decision.kind, decision.fetch) == ("block", (Fetch("get_user", {"user": "U"}),))
    assert "Call first: get_user" in decision.for_model and made.replay(decision.to_json()) == decision
    known = decide(made, 600, made.saw(Facts.none(), "get_user", {"user": "U"}, tier and {"tier": tier}))
    assert (known.kind, known.fetch) == (kind, ()) and made.replay(known.to_json()) == known
    never = {"id": "never", "on": "refund", "hold": "false", "say": "Never."}
    rule = {**never, "id": "most", "severity": BY_TIER}
    assert decide(policy(BY_TIER, rules=[rule, never]), 600).fetch == ()  # Nothing can make this milder.


def test_a_severity_by_what_was_said_or_done_is_replayed_with_its_assumption() -> None:
    severity = {"block": "said.threat", "ask": "size(done.note) > 0", "warn": True}
    made = policy(severity, said={"threat": {"type": "bool"}})
    facts = made.saw(Facts.none(), "note", {"text": "x"}, "done")
    for seen, said, kind in ((Facts.none(), None, "allow"), (facts, None, "ask"), (facts, {"threat": True}, "block")):
        decision = decide(made, 600, seen, said=said)
        assert decision.kind == kind and made.replay(decision.to_json()) == decision
        assert ("said.threat" in str(decision.assumptions)) is (said is None)
    assert decide(made, 600, unsaid="unknown").kind == "block"


async def test_a_yes_to_a_question_does_not_cover_a_severity_that_blocks_by_now() -> None:
    talk, kinds = Guard(policy(BY_TIER), reads=False).conversation("c"), []
    for tier in ("gold", "plain", "gold"):
        await talk.saw("get_user", {"user": "U"}, {"tier": tier})
        decision = await talk.check("refund", {"user": "U", "amount": 600})
        kinds.append(decision.kind)
        if len(kinds) == 1:
            await talk.heard(user="yes", answers=decision)
    assert kinds == ["ask", "block", "allow"]


def test_limits_obligations_and_rules_on_several_tools_have_severities_by_condition() -> None:
    by_note, by_number = {"block": "has(call.note)", "warn": True}, {"ask": "size(done.refund) > 1", "warn": True}
    rule = {"id": "all", "on": "*", "hold": "false", "say": "No.", "severity": by_note}
    end = {"id": "end", "hold": "size(done.note) > 0", "say": "A note.", "severity": by_number}
    limit = {"id": "once", "on": "refund", "most": 1, "severity": BY_AMOUNT}
    made, facts = policy("block", rules=[rule], limits=[limit], obligations=[end]), Facts.none()
    for severity in ("warn", "ask"):
        facts = made.saw(facts, "refund", {"user": "U", "amount": 2}, "done")
        assert [own.severity for own in unmet(made, facts)] == [severity]
    assert [decide(made, amount, facts).kind for amount in (1, 2000)] == ["ask", "block"]
    assert made.check("note", {"text": "x"}, facts).kind == "allow"


@pytest.mark.parametrize(
    ("severity", "fault"),
    [
        ({"block": "call.amount > 5"}, "no severity is for all other calls"),
        ({}, "no severity is for all other calls"),
        ({"blok": "true"}, "did you mean 'block'"),
        ({"block": "call.amont > 5", "ask": True}, "refund has no 'amont'"),
        ("aks", "did you mean 'ask'"),
    ],
)  # fmt: skip
def test_a_severity_that_is_none_is_told(severity: Any, fault: str) -> None:
    with pytest.raises(PolicyError, match=fault):
        policy(severity)


def test_the_analysis_tells_severities_that_no_broken_rule_has_and_a_missing_fact_once() -> None:
    severities = [({"block": "call.amount > 50", "ask": True}, ("most (ask)", "implied"))]
    severities += [({"block": "call.amount < 50", "ask": True}, ("most (block)", "always holds"))]
    for severity, fault in severities:
        assert [(own.rule, own.kind) for own in analyse_policy(policy(severity)).faults] == [fault]
    assert analyse_policy(policy(BY_TIER)).faults == analyse_policy(policy(BY_AMOUNT)).faults == ()
    assert [own.kind for own in analyse_policy(policy(BY_TIER, shown=False)).faults] == ["missing fact"]
