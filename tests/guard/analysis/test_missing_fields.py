"""Calls on which a rule is not broken or kept as expected, because a field is missing."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard import make_policy
from holdtrue.guard.analysis.missing_fields import Counterexample, find_counterexamples

REFUND = {
    "name": "refund",
    "parameters": {
        "type": "object",
        "properties": {
            "amount": {"type": "integer"},
            "note": {"type": "string"},
            "by": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
        "required": ["amount"],
    },
}


def found(**rule: Any) -> tuple[Counterexample, ...]:
    facts = {"caller": {"key": {}, "record": {"role?": "text", "name": "text"}}}
    own = {"id": "r", "on": "refund", "hold": "false", "say": "No.", **rule}
    policy = make_policy("p", tools={"definitions": [REFUND]}, facts=facts, rules=[own])
    cases, undecided = find_counterexamples(policy, "r", Budget(timeout_s=60))
    assert not undecided
    for case in cases:
        if case.example is not None:
            findings = case.example.decide(policy, mend=False, explain=True).findings
            assert [own.status for own in findings] == [case.status] != [case.expected], "a policy confirms it"
    return cases


def test_a_forbid_whose_condition_is_an_error_without_a_field() -> None:
    (own,) = found(when="call.note == 'free'")
    assert (own.expected, own.missing, own.status) == ("broken", "call.note", "undecided")
    assert own.example is not None and "note" not in own.example.call


def test_a_forbid_that_does_not_match_without_a_field() -> None:
    (own,) = found(when="has(call.note) && call.note == 'free' && call.amount > 5")
    assert (own.expected, own.missing, own.status) == ("broken", "call.note", "does not apply")


def test_fields_of_facts_and_of_inner_records() -> None:
    (own,) = found(when="facts.caller().role == 'guest' && facts.caller().name != ''")
    assert (own.missing, own.status) == ("facts.caller().role", "undecided")
    inner = found(when="has(call.by) && call.by.name == 'ann'")
    assert {(own.missing, own.status) for own in inner} == {
        ("call.by", "does not apply"),
        ("call.by.name", "undecided"),
    }


def test_a_call_that_should_be_kept() -> None:
    kinds = {(own.expected, own.missing, own.status) for own in found(hold="call.note == 'ok'")}
    assert kinds == {("broken", "call.note", "undecided"), ("holds", "call.note", "undecided")}


def test_a_condition_that_is_an_error_on_some_calls_only() -> None:
    assert {own.status for own in found(when="call.amount < 5 || call.note == 'free'")} == {"undecided"}


def test_a_forbid_that_never_matches() -> None:
    assert found(when="call.amount > 5 && call.amount < 6") == (Counterexample("r", "refund", "broken"),)


def test_a_rule_that_needs_no_field_that_may_be_missing() -> None:
    assert found(when="call.amount > 5") == ()


def test_an_unknown_rule_is_an_error() -> None:
    policy = make_policy("p", tools={"definitions": [REFUND]})
    with pytest.raises(InputError, match="there is no rule 'x'"):
        find_counterexamples(policy, "x", Budget(timeout_s=1))
