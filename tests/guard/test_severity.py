"""Tests of rules whose severity depends on the call."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.guard import Facts, PolicyError, load_policy, make_policy, root, unmet
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.decision import Fetch
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy import Policy
from tests.guard.shop import AMPLE

TOOLS: dict[str, Any] = {
    "definitions": [
        {
            "name": "refund",
            "parameters": {
                "type": "object",
                "properties": {"user": {"type": "string"}, "amount": {"type": "integer"}, "note": {"type": "string"}},
                "required": ["user", "amount"],
            },
        },
        {"name": "get_user", "parameters": {"type": "object", "properties": {"user": {"type": "string"}}}},
        {"name": "note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}},
    ],
    "reads": ["get_user"],
}
USER = {
    "key": {"user": "text"},
    "record": {"tier": ["gold", "plain"]},
    "from": [{"tool": "get_user", "key": {"user": "call.user"}, "absent": [None]}],
}
BY_AMOUNT = {"block": "call.amount > 1000", "ask": True}
BY_TIER = {"block": "facts.user(call.user).tier == 'plain'", "ask": "call.amount > 500", "warn": True}


def policy(severity: Any, **parts: Any) -> Policy:
    rule = {"id": "most", "on": "refund", "hold": "call.amount <= 100", "say": "At most 100.", "severity": severity}
    return make_policy("shop", tools=TOOLS, **{"facts": {"user": USER}, "rules": [rule], **parts})


def decide(made: Policy, amount: int, facts: Facts | None = None, **how: Any) -> Any:
    return made.check("refund", {"user": "U", "amount": amount}, facts or Facts.none(), budget=AMPLE, **how)


@pytest.mark.parametrize(("amount", "kind"), [(100, "allow"), (101, "ask"), (1000, "ask"), (1001, "block")])
@pytest.mark.parametrize("severity", [BY_AMOUNT, {"ask": "true", "block": root("call").amount > 1000}])
def test_the_strictest_severity_whose_condition_is_true_counts(severity: Any, amount: int, kind: str) -> None:
    decision = decide(policy(severity), amount, explain=True)
    assert decision.kind == kind
    assert ("its severity is" in decision.findings[0].why) is (kind != "allow")


def test_a_mend_goes_no_further_than_to_a_milder_severity() -> None:
    mend = decide(policy({"block": "call.amount > 1000", "warn": True}), 5000).mend
    assert mend is not None and mend.arguments["amount"] == 1000 and mend.optimal
    mend = decide(policy(BY_AMOUNT), 5000).mend
    assert mend is not None and mend.arguments["amount"] == 100 and mend.optimal


@pytest.mark.parametrize(("tier", "kind"), [("plain", "block"), ("gold", "ask"), (None, "block")])
def test_an_open_severity_is_the_strictest_possible_and_names_the_call_that_shows_it(tier: Any, kind: str) -> None:
    made = policy(BY_TIER)
    decision = decide(made, 600)
    assert (decision.kind, decision.rules) == ("block", ("most",))
    assert decision.fetch == (Fetch("get_user", {"user": "U"}),) and "Call first: get_user" in decision.for_model
    assert made.replay(decision.to_json()) == decision
    facts = made.saw(Facts.none(), "get_user", {"user": "U"}, None if tier is None else {"tier": tier})
    known = decide(made, 600, facts)
    assert (known.kind, known.fetch) == (kind, ())
    assert made.replay(known.to_json()) == known


def test_a_block_that_nothing_can_make_milder_fetches_nothing() -> None:
    rule = {"id": "never", "on": "refund", "hold": "call.amount < 0", "say": "Never."}
    both = policy(
        BY_TIER, rules=[{"id": "most", "on": "refund", "hold": "false", "say": "No.", "severity": BY_TIER}, rule]
    )
    assert decide(both, 600).fetch == ()


def test_a_severity_by_what_was_said_or_done_is_replayed_with_its_assumption() -> None:
    by_words = policy(
        {"block": "said.threat", "ask": "size(done.note) > 0", "warn": True}, said={"threat": {"type": "bool"}}
    )
    facts = by_words.saw(Facts.none(), "note", {"text": "x"}, "done")
    for seen, said, kind in ((Facts.none(), None, "allow"), (facts, None, "ask"), (facts, {"threat": True}, "block")):
        decision = decide(by_words, 600, seen, said=said)
        assert decision.kind == kind and by_words.replay(decision.to_json()) == decision
        assert ("said.threat" in str(decision.assumptions)) is (said is None)
    assert decide(by_words, 600, unsaid="unknown").kind == "block"


async def test_a_yes_to_a_question_does_not_cover_a_severity_that_blocks_by_now() -> None:
    talk = Guard(policy(BY_TIER), reads=False).conversation("c")
    call = {"user": "U", "amount": 600}
    await talk.saw("get_user", {"user": "U"}, {"tier": "gold"})
    asked = await talk.check("refund", call)
    await talk.heard(user="yes", answers=asked)
    await talk.saw("get_user", {"user": "U"}, {"tier": "plain"})
    assert (asked.kind, (await talk.check("refund", call)).kind) == ("ask", "block")
    await talk.saw("get_user", {"user": "U"}, {"tier": "gold"})
    assert (await talk.check("refund", call)).kind == "allow"


def test_limits_obligations_and_rules_on_several_tools_have_severities_by_condition() -> None:
    severity = {"block": "has(call.note) && call.note == 'again'", "warn": True}
    parts: dict[str, Any] = {
        "rules": [{"id": "all", "on": "*", "hold": "false", "say": "No.", "severity": severity}],
        "limits": [{"id": "once", "on": "refund", "most": 1, "severity": BY_AMOUNT}],
        "obligations": [
            {
                "id": "end",
                "hold": "size(done.note) > 0",
                "say": "A note.",
                "severity": {"ask": "size(done.refund) > 1", "warn": True},
            }
        ],
    }
    made = policy("block", **parts)
    facts = made.saw(Facts.none(), "refund", {"user": "U", "amount": 2}, "done")
    assert [decide(made, amount, facts).kind for amount in (1, 2000)] == ["ask", "block"]
    assert made.check("note", {"text": "x"}, facts).kind == "allow"
    assert [own.severity for own in unmet(made, facts)] == ["warn"]
    facts = made.saw(facts, "refund", {"user": "U", "amount": 2}, "done")
    assert [own.severity for own in unmet(made, facts)] == ["ask"]


@pytest.mark.parametrize(
    ("severity", "fault"),
    [
        ({"block": "call.amount > 5"}, "no severity is for all other calls"),
        ({"block": "true", "ask": "call.amount > 5"}, "no severity is for all other calls"),
        ({}, "no severity is for all other calls"),
        ({"blok": "true"}, "did you mean 'block'?"),
        ({"block": "call.amont > 5", "ask": True}, "refund has no 'amont'"),
        ({"block": "call.amount", "ask": True}, "a rule has to be true or false"),
        ("aks", "did you mean 'ask'?"),
    ],
)
def test_a_severity_that_is_no_severity_is_told(severity: Any, fault: str) -> None:
    with pytest.raises(PolicyError, match=fault.replace("?", r"\?")):
        policy(severity)


def test_the_analysis_tells_a_severity_that_no_broken_rule_has_and_a_fact_that_nothing_shows_once() -> None:
    told = analyse_policy(policy({"block": "call.amount > 50", "ask": True})).faults
    assert [(own.rule, own.kind, own.others) for own in told] == [("most (ask)", "implied", ("most (block)",))]
    assert [own.rule for own in analyse_policy(policy({"block": "call.amount < 50", "ask": True})).faults] == [
        "most (block)"
    ]
    assert analyse_policy(policy(BY_TIER)).faults == analyse_policy(policy(BY_AMOUNT)).faults == ()
    unseen = {"user": {**USER, "from": []}}
    told = analyse_policy(policy({"ask": BY_TIER["block"], "warn": True}, facts=unseen)).faults
    assert [own.kind for own in told] == ["missing fact"]


def test_the_order_of_severities_changes_neither_a_policy_nor_its_hash(tmp_path: Any) -> None:
    text = "policy: p\ntools: {definitions: [{name: pay, parameters: {properties: {sum: {type: integer}}}}]}\nrules:\n"
    found = []
    for severity in ("{block: call.sum > 9, ask: true}", "{ask: true, block: call.sum > 9}"):
        file = tmp_path / "p.yaml"
        file.write_text(f"{text}  - {{id: r, on: pay, hold: call.sum < 1, say: No., severity: {severity}}}\n")
        found.append(load_policy(file))
    assert found[0] == found[1]
    for made in found:
        assert [made.check("pay", {"sum": own}, Facts.none()).kind for own in (0, 5, 10)] == ["allow", "ask", "block"]
