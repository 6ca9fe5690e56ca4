"""Tests of test cases for a policy: results, faults in their files, and coverage of rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdtrue.guard.analysis.case_file import Case, CasesError, read_cases, read_situation
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.policy import Policy
from tests.guard.analysis.shops import shop

SHOP = shop(
    {"hold": "call.amount <= facts.order(call.order).total"},
    {"when": "call.method == 'gift'", "hold": "said.agreed", "needs": "words", "severity": "ask"},
    {"hold": "!said.broken_item || call.amount == 0"},
    limits=[{"id": "once", "on": "refund", "most": 1, "per": "order"}],
    obligations=[{"id": "rated", "when": "size(done.refund) > 0", "hold": "size(done.rate) > 0", "say": "Rate it."}],
)
CASES = """
- name: enough was paid
  tool: refund
  call: &eight {order: A1, amount: 8, method: card}
  facts: {order: [{order: A1, total: 10}]}
  expect: allow
- name: too little was paid
  tool: refund
  call: *eight
  facts: {order: [{order: A1, total: 7}]}
  expect: block
  rules: a
  mend: {amount: 7}
- {name: nobody has looked, tool: refund, call: *eight, expect: ask, rules: [a]}
- name: a second time
  tool: refund
  call: *eight
  results:
    - {tool: get_order, arguments: {order: A1}, result: {total: 9, status: paid, next: A2, ranks: [], tier: prime}}
  done: {refund: [{order: A1, amount: 1, method: gift}]}
  expect: block
  rules: [once]
  mend: false
- {name: not rated, end: true, done: {refund: [*eight]}, expect: unmet, rules: rated}
- {name: rated, end: true, done: {refund: [*eight], rate: [{order: A1}]}, expect: met}
"""


def cases(text: str = CASES, policy: Policy = SHOP) -> tuple[Case, ...]:
    return read_cases(text, policy)


def test_cases_that_pass_and_the_rules_that_they_cover() -> None:
    run = run_cases(SHOP, cases())
    assert [own.problems for own in run.results] == [()] * 6
    found = {own.rule: (own.broken, own.kept, own.undecided, own.missing) for own in run.coverage}
    assert found == {
        "a": (1, 2, 1, ()),
        "b": (0, 0, 0, ("broken", "kept")),
        "c": (0, 4, 0, ("broken",)),
        "once": (1, 3, 0, ()),
        "rated": (1, 1, 0, ()),
    }
    assert [own.rule for own in run.uncovered] == ["b", "c"]
    assert json.loads(json.dumps(run.to_json()))["failed"] == 0


def test_a_claim_that_is_asked_about_counts_as_kept() -> None:
    text = """
- name: it was free
  tool: refund
  call: {order: A, amount: 0, method: card}
  said: {broken_item: true}
  facts: &a {order: [{order: A, total: 3}]}
  expect: allow
- name: it was not
  tool: refund
  call: {order: A, amount: 1, method: card}
  said: {broken_item: true}
  facts: *a
  expect: ask
  rules: c
"""
    run = run_cases(SHOP, cases(text))
    assert [own.problems for own in run.results] == [(), ()]
    assert next(own for own in run.coverage if own.rule == "c").missing == ("broken",)
    only_asked = next(own for own in run_cases(SHOP, cases(text)[1:]).coverage if own.rule == "c")
    assert (only_asked.undecided, only_asked.missing) == (1, ("broken",))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("expect: allow", "expect: block"), "it is allow, and block is expected"),
        (("rules: a\n", "rules: [a, once]\n"), "it rests on a, and a, once is expected"),
        (("mend: {amount: 7}", "mend: {amount: 6}"), "amount = 7 is proposed, and amount = 6 is expected"),
        (("mend: {amount: 7}", "mend: false"), "this call is proposed, and none is expected: amount = 7"),
        (("mend: false", "mend: {amount: 3}"), "is proposed, and amount = 3 is expected"),
        (("expect: met", "expect: unmet"), "it is met, and unmet is expected"),
        (("rules: rated", "rules: []"), "it rests on rated, and no rule is expected"),
    ],
)
def test_cases_that_fail(change: tuple[str, str], problem: str) -> None:
    assert CASES.count(change[0]) == 1
    (failed,) = run_cases(SHOP, cases(CASES.replace(*change))).failed
    assert problem in failed.problems[0]
    assert failed.log.startswith(("allow", "block", "met", "unmet"))


X = "- name: x\n  tool: refund\n  expect: allow\n  "


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1", 1, "cases are a list"),
        ("- 3", 1, "a case is a mapping"),
        ("- {name: x, tool: refund, expct: allow}", 1, "there is no key 'expct' here; did you mean 'expect'?"),
        ("- name: x\n  tool: refund", 1, "expect is missing"),
        ("- name: x\n  tool: refund\n  expect: yes", 3, "expect: input should be 'allow', 'block'"),
        ("- name: x\n  tool: refnd\n  expect: allow", 2, "there is no tool 'refnd'; did you mean 'refund'?"),
        ("- name: x\n  expect: allow", 1, "a call has a tool"),
        ("- name: x\n  end: true\n  tool: refund\n  expect: met", 1, "the end of a conversation has no tool"),
        ("- name: x\n  end: true\n  expect: allow", 3, "it has to be met or unmet here"),
        (X + "rules: [q]", 4, "there is no rule 'q'"),
        (X + "mend: true", 4, "it has to be the changed arguments"),
        (X + "mend: 3", 4, "it has to be the changed arguments"),
        (X + "said: {agred: true}", 4, "did you mean 'agreed'?"),
        (X + "said:\n    agreed: maybe", 5, "it has to be true or false"),
        (X + "now: noon", 4, "such as 2026-03-01T14:30:00"),
        (X + "done:\n    refnd: []", 5, "did you mean 'refund'?"),
        (X + "done:\n    refund: [{order: A}]", 5, "it is missing"),
        (X + "facts:\n    ordr: []", 5, "did you mean 'order'?"),
        (X + "facts:\n    order:\n      - {total: 3}", 6, "order is missing"),
        (X + "facts:\n    order:\n      - {order: A, totl: 3}", 6, "'total'"),
        (X + "facts:\n    order:\n      - order: A\n        total: -1", 7, "at least 0"),
        (X + "facts:\n    order:\n      - 3", 6, "it has to be a record of order"),
        (X + "results:\n    - {tool: get_order}", 5, "a result is written as"),
        (X + "results:\n    - {tool: gt_order, result: 3}", 5, "did you mean 'get_order'?"),
        (X + "results:\n    - {tool: get_order, arguments: {order: A}, result: {}}", 5, "this cannot be read"),
        ("- name: x\n  tool: refund\n  expect: [allow", 3, "no YAML"),
        ("- {name: x, end: true, expect: met}\n- {name: x, end: true, expect: met}", 2, "'x' is used twice"),
    ],
)  # fmt: skip
def test_faults_of_a_file_have_their_line(text: str, line: int, message: str) -> None:
    with pytest.raises(CasesError) as caught:
        read_cases(text, SHOP, where="cases.yaml")
    assert any(place.line == line and message in told for place, told in caught.value.faults), caught.value
    assert str(caught.value).startswith(f"cases.yaml:{line}:")


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(CasesError) as caught:
        cases(
            "- {name: x, tool: nothing, expect: allow}\n"
            "- {name: y, tool: refund, expect: no}\n"
            "- {name: z, end: true, expect: met, facts: {o: []}}"
        )
    assert [place.line for place, _ in caught.value.faults] == [1, 2, 3]


def test_a_situation_is_json_and_comes_back() -> None:
    value: dict[str, Any] = {
        "tool": "refund",
        "call": {"order": "A1", "amount": 8, "method": "card"},
        "facts": {"order": [{"key": {"order": "A1"}, "record": {"total": 10, "status": "paid"}}]},
        "done": {"rate": [{"order": "A1"}]},
        "said": {"agreed": True},
        "written": ["A1"],
        "consent": True,
    }
    situation = read_situation(json.dumps(value), SHOP)
    assert situation.to_json() == value
    assert situation.decide(SHOP).kind == "allow"
    assert read_situation("end: true", SHOP).to_json() == {"end": True}
    with pytest.raises(CasesError, match="did you mean 'consent'"):
        read_situation('{"tool": "refund", "consnt": true}', SHOP)


def test_what_a_record_leaves_out_was_not_seen() -> None:
    policy = shop({"hold": "facts.order(call.order).status == 'paid'"})
    seen = "facts: {order: [{order: A1, total: 10}]}"
    (case,) = cases(
        f"- {{name: x, tool: refund, call: {{order: A1, amount: 8, method: card}}, {seen}, expect: ask, rules: a}}",
        policy,
    )
    (result,) = run_cases(policy, [case]).results
    assert result.problems == ()
    assert result.findings[0].missing == ("facts.order('A1').status",)


def test_a_fresh_record_is_one_of_now() -> None:
    fact = {
        "key": {"order": "id of order"},
        "record": {"total": "whole"},
        "from": [{"tool": "get_order", "key": {"order": "call.order"}}],
        "fresh": "1h",
    }
    policy = shop({"hold": "facts.order(call.order).total > 3"}, facts={"order": fact})
    text = """
- name: x
  tool: refund
  call: {{order: A, amount: 1, method: card}}
  now: 2026-01-01T10:00:00
  facts: {{order: [{0}]}}
  expect: {1}
"""
    for record, kind in (
        ("{order: A, total: 5}", "allow"),
        ("{key: {order: A}, record: {total: 5}, at: 2026-01-01T09:30:00}", "allow"),
        ("{key: {order: A}, record: {total: 5}, at: 2026-01-01T08:30:00}", "ask"),
    ):
        assert run_cases(policy, cases(text.format(record, kind), policy)).failed == ()


def test_what_users_wrote_is_a_message_or_its_words() -> None:
    policy = shop({"hold": "call.order in written"})
    text = "- {{name: x, tool: refund, call: {{order: A-1, amount: 1, method: card}}, {0}expect: {1}}}"
    for written, kind in (
        ("written: It is A-1., ", "allow"),
        ("written: [A-1], ", "allow"),
        ("written: [], ", "block"),
        ("", "block"),
    ):
        assert run_cases(policy, cases(text.format(written, kind), policy)).failed == ()
