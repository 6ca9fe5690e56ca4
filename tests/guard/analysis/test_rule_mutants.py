"""Tests of mutants: each kind of mistake, in the place where it can be made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings

from holdtrue.guard.analysis.rule_mutants import MOST_MUTANTS, mutants
from holdtrue.guard.policy import Policy
from tests.guard.analysis.shops import shop
from tests.guard.analysis.small_policies import POLICIES, policy_of


def texts(policy: Policy, rule: str = "a") -> set[str]:
    """Return the mutants of a rule in words, without its id."""
    return {own.text.removeprefix(f"{rule} ") for own in mutants(policy, [rule])}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            {"when": "call.method == 'gift'", "hold": "call.amount <= 50"},
            {
                "dropped",
                "condition dropped: hold call.amount <= 50",
                "converse: when call.amount <= 50 hold call.method == 'gift'",
                "converse: when call.method != 'gift' hold call.amount <= 50",
                "wrong constant: when call.method == 'card' hold call.amount <= 50",
                "converse: when call.method == 'gift' hold call.amount >= 50",
                "tightened: when call.method == 'gift' hold call.amount < 50",
                "tightened: when call.method == 'gift' hold call.amount <= 49",
                "loosened: when call.method == 'gift' hold call.amount <= 51",
            },
        ),
        (
            {"hold": "call.amount < facts.order(call.order).total"},
            {
                "dropped",
                "converse: hold call.amount > facts.order(call.order).total",
                "loosened: hold call.amount <= facts.order(call.order).total",
                "loosened: hold call.amount < facts.order(call.order).total + 1",
                "tightened: hold call.amount < facts.order(call.order).total - 1",
            },
        ),
        (
            {"when": "call.amount > 9 && has(call.note)", "hold": "false"},
            {
                "dropped",
                "condition dropped: hold false",
                "converse: when false hold call.amount > 9 && has(call.note)",
                "forgotten exception: when has(call.note) hold false",
                "forgotten exception: when call.amount > 9 hold false",
                "converse: when call.amount < 9 && has(call.note) hold false",
                "tightened: when call.amount >= 9 && has(call.note) hold false",
                "loosened: when call.amount > 10 && has(call.note) hold false",
                "tightened: when call.amount > 8 && has(call.note) hold false",
                "converse: when call.amount > 9 && !has(call.note) hold false",
                "converse: when call.amount > 9 && has(call.note) hold !false",
            },
        ),
        (
            {"hold": "!(call.method in ['card', 'gift'])"},
            {
                "dropped",
                "converse: hold call.method in ['card', 'gift']",
                "converse: hold !!(call.method in ['card', 'gift'])",
                "forgotten exception: hold !(call.method in ['gift'])",
                "forgotten exception: hold !(call.method in ['card'])",
            },
        ),
        (
            {"hold": "facts.order(call.order).next == call.order"},
            {
                "dropped",
                "converse: hold facts.order(call.order).next != call.order",
            },
        ),
        (
            {"hold": "call.lines.all(l, l > 1)"},
            {
                "dropped",
                "converse: hold !call.lines.all(l, l > 1)",
                "converse: hold call.lines.all(l, l < 1)",
                "loosened: hold call.lines.all(l, l >= 1)",
                "tightened: hold call.lines.all(l, l > 2)",
                "loosened: hold call.lines.all(l, l > 0)",
            },
        ),
    ],
)
def test_each_mistake_is_made(rule: Mapping[str, Any], expected: set[str]) -> None:
    assert texts(shop(rule)) == expected


@pytest.mark.parametrize(
    ("hold", "steps"),
    [
        ("now.date() <= date('2026-03-01')", ("date('2026-03-02')", "date('2026-02-28')")),
        ("now.date() <= '2026-03-01'", ("'2026-03-02'", "'2026-02-28'")),
        ("now.time() < time('14:30')", ("time('14:30:01')", "time('14:29:59')")),
        ("now < timestamp('2026-03-01T14:30:00')", ("'2026-03-01T14:30:01'", "'2026-03-01T14:29:59'")),
        ("now - now < duration('2h')", ("duration('7201s')", "duration('7199s')")),
        ("now.date() - now.date() < days(30)", ("days(31)", "days(29)")),
        ("call.amount > -3", ("-2", "-4")),
        ("-3 < call.amount", ("-2", "-4")),
    ],
)
def test_a_bound_moves_by_one_step_of_its_type(hold: str, steps: tuple[str, str]) -> None:
    moved = [own for own in texts(shop({"hold": hold})) if any(each in own.replace("(-", "-") for each in steps)]
    assert len(moved) == 2


def test_fields_of_one_type_and_limits_have_mutants() -> None:
    own = shop(
        {"hold": "call.amount <= facts.rating(call.order).stars"},
        limits=[{"id": "once", "on": "refund", "most": 1, "per": "order"}],
        facts={
            "rating": {
                "key": {"order": "id of order"},
                "record": {"stars": "whole 1..5", "votes": "whole 0..", "name": "text"},
                "from": [{"tool": "rate", "key": {"order": "call.order"}}],
            }
        },
    )
    assert "wrong field: hold call.amount <= facts.rating(call.order).votes" in texts(own)
    assert not any(".name" in each for each in texts(own))
    assert "loosened: hold size(done['refund'].filter(earlier, earlier.order == call.order)) < 2" in texts(own, "once")


def test_named_expressions_are_read_and_a_rule_that_warns_has_no_mutant() -> None:
    own = shop({"hold": "paid > 3"}, {"hold": "paid > 4", "severity": "warn"}, let={"paid": "call.amount"})
    assert {each.rule for each in mutants(own)} == {"a"}
    assert "tightened: hold paid > 4" in texts(own)
    first, *_ = mutants(own)
    assert first.policy.rules == own.rules[1:]


@given(POLICIES)
@settings(max_examples=30, deadline=None)
def test_every_mutant_is_another_policy_in_one_rule_only(rules: list[Mapping[str, Any]]) -> None:
    own = policy_of(rules)
    found = [*mutants(own)]
    assert len({each.policy.digest for each in found} | {own.digest}) == len(found) + 1
    assert len(found) <= len(own.rules) * (MOST_MUTANTS + 1)
    for each in found:
        kept = {rule for rule in own.rules if rule.id != each.rule}
        assert kept <= {*each.policy.rules}
        changed = [rule for rule in each.policy.rules if rule not in kept]
        assert changed == [] if each.changed is None else changed == [each.changed]
