"""Tests of the analysis against an oracle that tries all calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from hypothesis import given, settings

from holdtrue.guard.analysis.analysis_results import Analysis, Fault
from holdtrue.guard.analysis.policy_analysis import analyse_policy
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Rule
from tests.guard.analysis.small_policies import POLICIES, WITH_CLAIMS, Table, calls, keeps, policy_of

KEEPS = "kept where it applies"


def text_of(policy: Policy) -> str:
    return " ".join(f"{rule.when_text} {rule.hold_text}" for rule in policy.rules)


def table_of(policy: Policy) -> Table:
    return Table.of({rule.id: rule.tools["sell"] for rule in policy.rules}, text_of(policy))


def alone(table: Table, rule: Rule) -> Iterator[str]:
    """Yield the faults of a rule alone."""
    id = rule.id
    if not table.some((id, "applies")):
        if rule.when_text != "true":
            yield "never applies"
        return
    breaks, keeps = table.some((id, "broken")), table.some((id, KEEPS))
    if not breaks and keeps:
        yield "always holds"
    if not keeps and rule.hold_text != "false":
        yield "never holds"


def following(table: Table, policy: Policy, rule: Rule) -> bool:
    """Return whether a rule follows from others."""
    others = tuple(own.id for own in policy.rules if own.id != rule.id and as_strict(own, rule))
    if rule.severity == "warn" or not others or not table.some((rule.id, "broken")):
        return False
    return not table.some(*((own, "kept") for own in others), no=((rule.id, "kept"),))


def as_strict(own: Rule, than: Rule) -> bool:
    return own.severity == "block" or (own.severity == "ask" and than.severity == "ask")


def clashes(table: Table, policy: Policy) -> set[frozenset[str]]:
    """Return the minimal sets of rules that no call keeps to which all of them apply."""
    ids = [own.id for own in policy.rules if own.severity != "warn" and own.hold_text != "false"]
    found: set[frozenset[str]] = set()
    for size in range(1, len(ids) + 1):
        for own in combinations(ids, size):
            if not table.some(*((id, KEEPS) for id in own)) and not any(known <= {*own} for known in found):
                found.add(frozenset(own))
    return {own for own in found if len(own) > 1 and table.some(*((id, "applies") for id in own))}


def check_examples(policy: Policy, analysis: Analysis) -> None:
    for fault in analysis.faults:
        assert fault.example is not None
        found = {own.rule: own.status for own in fault.example.decide(policy, mend=False).findings}
        if fault.kind == "contradictory":
            assert any(found[own] in ("broken", "undecided") for own in (fault.rule, *fault.others))
            continue
        assert found[fault.rule] in _statuses(fault), (fault, found)
        if fault.kind == "implied":
            assert any(found[own] in ("broken", "undecided") for own in fault.others)


def _statuses(fault: Fault) -> tuple[str, ...]:
    match fault.kind:
        case "never applies":
            return "does not apply", "holds"  # If its condition is an error, a true `hold` counts.
        case "always holds":
            return ("holds",)
        case "implied":
            return ("broken",)
    return "broken", "undecided"


@given(POLICIES)
@settings(max_examples=150)
def test_faults_are_those_that_trying_all_calls_finds(rules: list[Mapping[str, Any]]) -> None:
    policy = policy_of(rules)
    table, analysis = table_of(policy), analyse_policy(policy)
    assert analysis.undecided == ()
    found = {(own.kind.replace("clashes with the schema", "never holds"), own.rule) for own in analysis.faults}
    sets = {frozenset((own.rule, *own.others)) for own in analysis.faults if own.kind == "contradictory"}
    where_all_apply = clashes(table, policy)
    assert where_all_apply <= sets
    demanding = [own for own in policy.rules if own.severity != "warn"]
    for own in sets - where_all_apply:
        assert not table.some(*((id, "kept") for id in own))
        assert all(table.some(*((id, "kept") for id in own if id != left)) for left in own)
    if not table.some(*((own.id, "kept") for own in demanding)) and demanding:
        assert any(kind in ("contradictory", "never holds") for kind, _ in found) or any(
            own.hold_text == "false" for own in demanding
        )
    for rule in policy.rules:
        expected = {*alone(table, rule)}
        own_kinds = {kind for kind, id in found if id == rule.id and kind not in ("implied", "contradictory")}
        if rule.hold_text == "false" and "never holds" in own_kinds:
            assert not table.some((rule.id, "kept"))
            own_kinds.discard("never holds")
        assert own_kinds == expected, (rule.id, rule.when_text, rule.hold_text)
    check_implied(table, policy, analysis, sets)
    check_examples(policy, analysis)


def check_implied(table: Table, policy: Policy, analysis: Analysis, sets: set[frozenset[str]]) -> None:
    told = {own.rule: own for own in analysis.faults if own.kind == "implied"}
    for rule in policy.rules:
        if rule.id in told:
            others = told[rule.id].others
            assert not table.some(*((own, "kept") for own in others), no=((rule.id, "kept"),))
            for left in others:
                rest = [own for own in others if own != left]
                assert table.some(*((own, "kept") for own in rest), no=((rule.id, "kept"),)), "no more than is needed"
        elif following(table, policy, rule):
            others = tuple(own.id for own in policy.rules if own.id != rule.id and as_strict(own, rule))
            assert sets or not table.some(*((own, "kept") for own in others)), (
                "but from a contradiction anything follows"
            )


@given(POLICIES, POLICIES)
@settings(max_examples=100)
def test_differences_are_those_that_trying_all_calls_finds(
    one: list[Mapping[str, Any]], other: list[Mapping[str, Any]]
) -> None:
    first, second = policy_of(one), policy_of([*other, *one[:1]])
    rules = {f"{name} {rule.id}": rule for name, own in (("first", first), ("second", second)) for rule in own.rules}
    table = Table.of({id: rule.tools["sell"] for id, rule in rules.items()}, text_of(first) + text_of(second))
    stopping = {
        name: [id for id in rules if id.startswith(name) and rules[id].severity != "warn"]
        for name in ("first", "second")
    }
    (found,) = (own for own in compare_policies(first, second).tools if own.tool == "sell")
    assert found.undecided == ()
    warning = [{id for id in rules if id.startswith(name)} - {*stopping[name]} for name in stopping]
    unlike = any(unlike_sets(row, warning, status) for row in table.rows for status in ("kept", "broken"))
    assert [own.startswith("rules that only warn differ") for own in found.told] == [True] * unlike
    for side, rest in (("first", "second"), ("second", "first")):
        allowed = any(
            all(row[id, "kept"] for id in stopping[side]) and not all(row[id, "kept"] for id in stopping[rest])
            for row in table.rows
        )
        assert allowed is any(own.allowed_by == side for own in found.differences)
    blocking = [[id for id in own if rules[id].severity == "block"] for own in stopping.values()]
    asked = any(unlike_sets(row, blocking, "broken") for row in table.rows)
    assert found.same is not (asked or unlike or bool(found.differences))
    for own in found.differences:
        kinds = [own.example.decide(policy, mend=False).kind for policy in (first, second)]
        if own.allowed_by is None:
            assert asked and sorted(kinds) == ["ask", "block"]
            continue
        assert ("allow" in kinds) and kinds != ["allow", "allow"]
        assert (kinds[0] == "allow") is (own.allowed_by == "first")


def unlike_sets(row: Mapping[tuple[str, str], bool], sets: Collection[Collection[str]], status: str) -> bool:
    """Return whether a call breaks a rule in only one of two sets, or leaves one unkept in only one."""
    found = [any(row[id, status] is (status == "broken") for id in own) for own in sets]
    return found[0] is not found[1]


@given(WITH_CLAIMS, WITH_CLAIMS)
@settings(max_examples=100)
def test_what_was_claimed_allows_nothing(one: list[Mapping[str, Any]], other: list[Mapping[str, Any]]) -> None:
    first, second = policy_of(one), policy_of(other)
    (found,) = (own for own in compare_policies(first, second).tools if own.tool == "sell")
    told = {own.allowed_by for own in found.differences if own.allowed_by is not None}
    allowed: set[str] = set()
    for env in calls(text_of(first) + text_of(second)):
        claimed = {**env, "said": {**env["said"], "claimed": True}}
        without = [keeps(policy, env) for policy in (first, second)]
        with_claim = [own and keeps(policy, claimed) for own, policy in zip(without, (first, second), strict=True)]
        allowed |= {side for pair in (without, with_claim) for side in only(pair)}
    assert told <= allowed
    assert told == allowed or found.undecided
    assert found.same is not True or not allowed


def only(allowed: list[bool]) -> set[str]:
    return set() if allowed[0] == allowed[1] else {"first" if allowed[0] else "second"}
