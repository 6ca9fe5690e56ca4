"""What all languages share: language, lines, parts that are not carried, and what the schemas of tools say."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard import Facts, import_policy
from holdtrue.guard.facts import Seen
from holdtrue.guard.imported.imported_policy import ImportedPolicy, language_of
from tests.guard.imported.desk import FLAG, TEXT, TOOLS, WHOLE, tool

pytest.importorskip("cedarpy", reason="cedarpy is not installed, which reads Cedar")
ALL = "permit(principal, action, resource);\n"
FREE = Facts.none()


def decided(found: ImportedPolicy, name: str, facts: Facts = FREE, **arguments: Any) -> str:
    return found.policy.check(name, arguments, facts, now="2026-03-20T10:00:00", mend=False).kind


def test_the_language_is_found_by_the_text() -> None:
    assert language_of("package a\nallow if true") == "rego"
    assert language_of("permit(principal, action, resource) when temporal { tp(t) };") == "dogwood"
    assert language_of('// package\n@id("x")\nforbid (principal, action, resource);') == "cedar"
    with pytest.raises(InputError, match="no policy in Cedar, Dogwood or Rego"):
        language_of("policy: refunds")


def test_a_forbid_that_is_not_carried_asks_where_its_other_conditions_are_true() -> None:
    found = import_policy(
        ALL + 'forbid(principal, action == Action::"refund", resource)\n'
        "when { context.input.amount > 100 && ip(context.input.order).isLoopback() };",
        TOOLS,
    )
    (own,) = found.omissions
    assert (own.line, own.forbids) == (2, True) and "isLoopback" in own.reason
    assert decided(found, "refund", order="A-1", amount=101) == "ask"
    assert decided(found, "refund", order="A-1", amount=100) == "allow"


def test_a_permit_that_is_not_carried_permits_nothing() -> None:
    found = import_policy('permit(principal, action, resource) when { ip("::1").isIpv4() };', TOOLS)
    assert decided(found, "get_order", order="A-1") == "block" and not found.omissions[0].forbids


def test_unknown_tools_are_blocked() -> None:
    assert decided(import_policy(ALL, TOOLS), "format_disk") == "block"


def test_lines_are_those_of_policies_behind_comments_and_signs_in_texts() -> None:
    found = import_policy(
        '// a; comment {\n@id("odd; } // name")\npermit(principal, action, resource); // more;\n\n'
        "// and\nforbid(principal, action, resource)\nwhen { 1 / 2 == 3 };",
        TOOLS,
    )
    assert [(own.line, own.id) for own in found.omissions] == [(6, "policy1")]
    with pytest.raises(InputError, match="line 2: a policy without ;"):
        import_policy(f"{ALL}forbid(principal, action, resource)", TOOLS)


def test_ids_and_sentences_come_from_annotations() -> None:
    two = '@id("big") @reason("Too much.")\nforbid(principal, action == Action::"refund", resource);\n'
    found = import_policy(ALL + two + two, TOOLS)
    assert [(rule.id, rule.say) for rule in found.policy.rules] == [("big", "Too much."), ("big-2", "Too much.")]


SCHEMA = """
entity User; entity Desk;
action "writes"; action "all";
action "money" in ["writes"];
action "refund", "approve" in ["money"] appliesTo { principal: [User], resource: [Desk], context: {} };
"""


def test_a_schema_tells_the_groups_of_actions() -> None:
    text = 'permit(principal, action in Action::"writes", resource);'
    found = import_policy(text, TOOLS, schema=SCHEMA)
    assert decided(found, "refund", order="A-1", amount=1) == "allow"
    assert decided(found, "get_order", order="A-1") == "block"
    with pytest.raises(InputError, match="the schema of Cedar cannot be read"):
        import_policy(text, TOOLS, schema="entity")


def test_decimals_and_moments() -> None:
    pay = tool("pay", {"sum": {"type": "number"}})
    text = (
        'permit(principal, action, resource) when { context.input.sum.lessThan(decimal("10.5"))'
        ' && context.system.now < datetime("2026-04-01") };'
    )
    policy = import_policy(text, [pay]).policy
    kinds = [
        policy.check("pay", {"sum": sum}, FREE, now=now, mend=False).kind
        for sum, now in ((10.4, "2026-03-31T23:59:59Z"), (10.5, "2026-03-31T10:00:00Z"), (1, "2026-04-01T00:00:00Z"))
    ]
    assert kinds == ["allow", "block", "block"]


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("principal.age < 18", 17),
        ("principal.minor", True),
        ('principal.groups.contains("kids")', ("kids",)),
        ('["kids"].containsAny(principal.groups)', ("kids",)),
        ('principal.age like "1*"', "17"),
        ("principal.age + 1 == 18", 17),
    ],
)
def test_types_of_stated_facts_follow_from_their_use(condition: str, value: Any) -> None:
    found = import_policy(f"permit(principal, action, resource) when {{ {condition} }};", TOOLS)
    name = condition.partition("principal.")[2].partition(" ")[0].partition(".")[0].partition(")")[0]
    facts = FREE.with_record("principal", (), Seen({name: value}, "the app"))
    assert not found.omissions
    assert decided(found, "get_order", facts, order="A-1") == "allow"
    assert decided(found, "get_order", order="A-1") == "ask"


def test_a_field_that_an_open_schema_may_have_is_not_taken_for_absent() -> None:
    text = ALL + 'forbid(principal, action, resource) when { context.input has secret && context.input.secret == "x" };'
    closed, free = (tool("run", {"code": TEXT}, dry=FLAG, times=WHOLE) for _ in range(2))
    assert not import_policy(text, [closed]).policy.rules
    free["parameters"]["additionalProperties"] = True
    found = import_policy(text, [free])
    assert "does not say whether there is secret" in found.omissions[0].reason
    assert decided(found, "run", code="1") == "ask"
