"""Tests of the edges of rules: against all calls, against the naive twin, and by hand.

The long trial prints how many pairs and mutants there were. With `RULES` and `FIRST` in the environment it checks
another number of rules, and begins elsewhere:

    RULES=1000 python -m pytest -m slow -s tests/guard/analysis/test_edges.py
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.analysis.edge_results import Edge, RuleEdges
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.rule_mutants import mutants
from holdtrue.guard.analysis.situation_parts import MISSING, differences
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import PolicyError, make_policy
from holdtrue.rules.compilation import FACTS
from tests.guard.analysis.edge_oracle import RandomPolicy, all_between, plain_policy, random_policy, truth, values_of
from tests.guard.analysis.shops import shop
from tests.guard.analysis.small_policies import POLICIES, Table, calls, policy_of, statuses, verdict
from tests.guard.analysis.test_against_all_calls import text_of
from tests.slow import first_of

RULES, FIRST = int(os.environ.get("RULES", 300)), int(os.environ.get("FIRST", 0))
MISSED = "mutants missed"
Pair = tuple[Edge, Edge]


def edges(policy: Policy, rule: str = "a", kind: str = "") -> list[Edge]:
    found = [own for each in find_edges(policy, [rule]) for own in each.edges]
    return [own for own in found if kind in ("", own.kind)]


def pairs_of(policy: Policy, found: Sequence[Edge]) -> list[Pair]:
    """Return the pairs of edges: a kept call and a broken one that differ as they tell."""
    return [
        (kept, broken)
        for kept, broken in pairwise(found)
        if kept.changes
        and kept.kind != "missing"
        and kept.changes == (*differences(kept.situation, broken.situation, policy.facts, "call"),)
    ]


# By hand


def test_a_limit_has_the_calls_on_both_sides_of_it() -> None:
    policy = shop({"hold": "call.amount <= facts.order(call.order).total"})
    found = edges(policy)
    assert [(own.kind, own.expect, own.situation.call["amount"]) for own in found][:3] == [
        ("kept", "allow", 1),
        ("broken", "block", 2),
        ("boundary", "allow", 0),
    ]
    assert found[0].changes == found[1].changes == (("call.amount", 1, 2),)
    assert found[1].text == (
        "Blocked: call.amount is 2; facts.order('order-0').total is 1; call.order is 'order-0'. "
        "With call.amount 1 it would be allowed."
    )
    (missing,) = [own for own in found if own.kind == "missing"]
    assert (missing.expect, missing.changes) == ("ask", (("facts.order('order-0').total", 1, MISSING),))
    assert missing.situation.facts == {"order": [{"order": "order-0"}]}


def test_values_are_those_of_the_schema_and_the_schema_accepts_them() -> None:
    properties = {
        "order": {"type": "string", "pattern": "^[A-Z]-\\d{3}$"},
        "amount": {"type": "number", "multipleOf": 5, "default": 20},
        "city": {"type": "string", "examples": ["Rome"]},
    }
    pay = {"name": "pay", "parameters": {"type": "object", "properties": properties, "required": [*properties]}}
    rule = {"id": "a", "on": "pay", "hold": "call.amount <= 50 && call.order.startsWith('B')", "say": "So."}
    policy = make_policy("p", tools={"definitions": [pay], "writes": ["pay"]}, rules=[rule])
    found = edges(policy)
    assert {own.expect for own in found} == {"allow", "block"}
    assert all("schema" not in own.situation.decide(policy).rules for own in found)
    assert {own.situation.call["city"] for own in found} == {"Rome"}
    assert {own.situation.call["amount"] for own in found} >= {20, 50, 55}


def test_another_rule_hides_this_one() -> None:
    policy = shop({"hold": "call.amount <= 50"}, {"hold": "call.method == 'card'"})
    (hidden,) = edges(policy, kind="hidden")
    assert hidden.situation.decide(policy, mend=False).rules == ("a", "b")
    assert "b is broken, too" in hidden.text
    assert all(own.situation.call["method"] == "card" for own in edges(policy) if own.kind != "hidden")


def test_values_that_other_rules_bind_change_together() -> None:
    policy = shop(
        {"hold": "call.amount <= 50"},
        {"hold": "call.amount == facts.order(call.order).total"},
    )
    kept, broken, *_ = edges(policy)
    assert [own[1:] for own in kept.changes] == [(50, 51), (50, 51)]
    assert (kept.expect, broken.expect) == ("allow", "block")


def test_limits_and_obligations_have_edges() -> None:
    policy = shop(
        limits=[{"id": "once", "on": "refund", "most": 1, "per": "order"}],
        obligations=[
            {"id": "rated", "when": "size(done.refund) > 0", "hold": "size(done.rate) > 0", "say": "Rate it."}
        ],
    )
    kept, broken, *_ = edges(policy, "once")
    assert [own.situation.done["refund"][0]["order"] == own.situation.call["order"] for own in (kept, broken)] == [
        False,
        True,
    ]
    kept, broken, *_ = edges(policy, "rated")
    assert (kept.expect, broken.expect, kept.tool) == ("met", "unmet", "")
    assert kept.changes == (("done.rate[0]", {"order": "some order"}, MISSING),)


def test_severities_claims_and_rules_without_edges() -> None:
    policy = shop(
        {"hold": "call.amount <= 50", "severity": "ask"},
        {"hold": "call.amount <= 40", "severity": "warn"},
        {"hold": "!said.broken_item"},
        {"hold": "call.amount >= 0"},
    )
    assert [own.expect for own in edges(policy, "a")][:2] == ["allow", "ask"]
    assert {own.expect for own in edges(policy, "b") if own.kind in ("kept", "broken")} == {"allow"}
    kept, broken, *_ = edges(policy, "c")
    assert (kept.expect, broken.expect, kept.changes) == ("allow", "ask", (("said.broken_item", False, True),))
    (none,) = find_edges(policy, ["d"])
    assert none.undecided[0] == "no call breaks it and keeps the other rules"


def test_rules_that_clash_keep_nothing_but_themselves() -> None:
    policy = shop({"hold": "call.amount <= 50"}, {"hold": "call.amount > 60"})
    (found,) = find_edges(policy, ["a"])
    assert found.undecided == ("no call keeps it where it applies and keeps the other rules",)
    assert [(own.kind, own.expect) for own in found.edges][:2] == [("kept", "block"), ("broken", "block")]
    assert "it would be kept" in found.edges[1].text


def test_a_tool_that_refuses_every_call_is_told() -> None:
    properties = {"amount": {"type": "integer"}, "pair": {"type": "array", "prefixItems": [{"type": "string"}, {}]}}
    pay = {"name": "pay", "parameters": {"type": "object", "properties": properties, "required": [*properties]}}
    rule = {"id": "a", "on": "pay", "hold": "call.amount <= 50", "say": "So."}
    (found,) = find_edges(make_policy("p", tools={"definitions": [pay], "writes": ["pay"]}, rules=[rule]))
    assert found.edges == ()
    assert found.undecided[0] == 'the tool refuses such calls: call: "pair" is a required property'


def test_a_forgotten_exception_shows_where_the_unread_values_differ() -> None:
    policy = shop({"hold": "facts.order(call.order).status == 'paid'"}, {"hold": "call.amount <= 50"})
    found = [own for own in edges(policy) if "also where" in own.text]
    assert {(own.expect, own.situation.call["method"]) for own in found} == {("block", "gift")}
    assert all('call.method is "gift"' in own.text for own in found)
    assert all(own.situation.call["amount"] <= 50 for own in found), "other rules are kept"


def test_a_look_up_that_finds_another_record_takes_its_values() -> None:
    hold = "call.plan == 'free' && !(facts.plan('pro').seats == facts.plan(call.plan).seats)"
    policy = policy_of([{"hold": hold, "when": None, "severity": "block"}])
    for kept, _ in pairs_of(policy, [own for found in find_edges(policy) for own in found.edges]):
        assert len(kept.changes) == 1


def test_an_unknown_rule_is_refused_and_a_limit_of_time_is_told() -> None:
    policy = shop({"hold": "call.amount <= 50"})
    with pytest.raises(InputError, match="there is no rule 'aa'; did you mean 'a'"):
        find_edges(policy, ["aa"])
    (found,) = find_edges(policy, budget=Budget(timeout_s=0))
    assert found.edges == ()
    assert any("before all edges were found" in own for own in found.undecided)


def test_ids_name_the_call_and_json_has_all() -> None:
    first, *_ = edges(shop({"hold": "call.amount <= 50"}))
    again, *_ = edges(shop({"hold": "call.amount <= 50"}))
    assert first.id == again.id
    assert first.id.startswith("a-")
    assert first.to_json()["situation"]["tool"] == "refund"


# Against all calls of small policies


@given(POLICIES)
@settings(max_examples=25, deadline=None)
def test_a_pair_of_one_value_is_found_wherever_there_is_one(rules: list[Mapping[str, Any]]) -> None:
    policy = policy_of(rules)
    for found in find_edges(policy):
        others = [rule.id for rule in policy.rules if rule.id != found.rule and rule.severity != "warn"]
        pair = next(iter(pairs_of(policy, found.edges)), None)
        is_found = pair is not None and len(pair[0].changes) == 1 and all(keeps_others(policy, own) for own in pair)
        assert is_found is some_neighbours(policy, found.rule, others)


def keeps_others(policy: Policy, own: Edge) -> bool:
    decision = own.situation.decide(policy, mend=False)
    stopping = (each for each in decision.findings if each.severity != "warn" and each.rule != own.rule)
    return all(each.status in ("holds", "does not apply") for each in stopping)


def some_neighbours(policy: Policy, id: str, others: Sequence[str]) -> bool:
    """Return whether two calls differ in one value, keep all other rules, and only one of them keeps the rule."""
    tools, text = {rule.id: rule.tools["sell"] for rule in policy.rules}, text_of(policy)
    seen: dict[tuple[int, tuple[Any, ...]], set[bool]] = {}
    for env in calls(text):
        table = Table((dict(statuses(tuple((own, *verdict(tools[own], env)) for own in (id, *others)))),))
        if not all(table.some((own, "kept")) for own in others):
            continue
        is_kept = table.some((id, "kept"))
        if not is_kept and not table.some((id, "broken")):
            continue
        seats = [env[FACTS]("plan", (own,))["seats"] for own in ("free", "pro", "team")]
        call = [env["call"].get(name, MISSING) for name in ("plan", "count", "rush", "gift", "limit")]
        values = (*call, env["said"]["vip"], *seats)
        for place in range(len(values)):
            seen.setdefault((place, (*values[:place], *values[place + 1 :])), set()).add(is_kept)
    return any(len(own) == 2 for own in seen.values())


# Against the naive twin


def check(made: RandomPolicy, counts: Counter[str]) -> None:
    """Check the edges of random rules: their verdicts, that pairs are adjacent, and that they notice mutants."""
    for found in find_edges(made.policy, budget=Budget(60)):
        counts["rules"] += 1
        counts["rules with a pair"] += bool(pairs_of(made.policy, found.edges))
        counts["reasons why something was not found"] += len(found.undecided)
        for own in found.edges:
            counts[f"{own.kind} edges"] += 1
            check_verdict(made, own)
        for kept, broken in pairs_of(made.policy, found.edges):
            check_adjacent(made, kept, broken, counts)
        for mutant in mutants(made.policy, [found.rule]):
            counts["mutants"] += 1
            if any(own.situation.decide(mutant.policy, mend=False).kind != own.expect for own in found.edges):
                counts["mutants noticed"] += 1
                continue
            same = compare_policies(made.policy, mutant.policy, Budget(10)).same
            missed = f"{MISSED}, for a reason that is told" if found.undecided else MISSED
            counts[{True: "mutants proved equal", None: "mutants undecided", False: missed}[same]] += 1


def check_verdict(made: RandomPolicy, own: Edge) -> None:
    assert own.situation.decide(made.policy, mend=False).kind == own.expect
    if own.kind == "missing":
        return
    values = values_of(own.situation)
    truths = {id: truth(rule, values) for id, rule in made.rules.items()}
    mine, others = truths.pop(own.rule), truths.values()
    expected = {"kept": True, "broken": False, "hidden": False}.get(own.kind, own.expect == "allow")
    if own.kind != "boundary" or all(others):
        assert mine is expected, (own, made.rules[own.rule])
    if own.kind == "hidden":
        assert not all(others)


def check_adjacent(made: RandomPolicy, kept: Edge, broken: Edge, counts: Counter[str]) -> None:
    """Check that no call lies between two: none of which the rule's verdict is known, and that keeps all others."""
    counts[f"pairs that differ in {len(kept.changes)} value{'s' * (len(kept.changes) > 1)}"] += 1
    ends = values_of(kept.situation), values_of(broken.situation)
    others = [rule for id, rule in made.rules.items() if id != kept.rule]
    for middle in all_between(*ends):
        verdict = truth(made.rules[kept.rule], middle)
        assert verdict is None or not all(truth(own, middle) for own in others), (kept.changes, made.rules[kept.rule])


def run(make: Callable[[Random], RandomPolicy], name: str, seed: int, counts: Counter[str]) -> None:
    try:
        made = make(Random(f"{name} {seed}"))
    except PolicyError:  # A key that is written is asked of a map that is written without it.
        counts["policies refused"] += 1
        return
    check(made, counts)


@pytest.mark.parametrize("seed", first_of(range(12), 4))
def test_plain_rules_have_adjacent_pairs_that_notice_mutants(seed: int) -> None:
    counts = Counter[str]()
    run(plain_policy, "edges", seed, counts)
    assert counts[MISSED] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("make", "name"), [(plain_policy, "edges"), (random_policy, "any edges")])
def test_many_rules_have_adjacent_pairs_that_notice_mutants(make: Callable[[Random], RandomPolicy], name: str) -> None:
    counts, seed = Counter[str](), FIRST
    while counts["rules"] < RULES:
        run(make, name, seed, counts)
        seed += 1
    print("", name, *(f"{count:>8,} {key}" for key, count in sorted(counts.items())), sep="\n")
    assert counts[MISSED] == 0


def test_every_rule_of_a_policy_has_edges_on_each_of_its_tools() -> None:
    policy = shop({"hold": "call.amount <= 40", "on": ["refund", "credit"]}, {"hold": "call.method == 'card'"})
    found: tuple[RuleEdges, ...] = find_edges(policy)
    assert [(own.rule, own.tool) for own in found] == [("a", "refund"), ("a", "credit"), ("b", "refund")]
