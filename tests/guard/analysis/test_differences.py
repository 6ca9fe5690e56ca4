"""Tests of comparing two policies: calls that they decide differently, or proofs that there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.analysis_results import Compared
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.report_lines import comparison_lines
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy, read_policy
from tests.guard.analysis.shops import CREDIT, FACTS, GET_ORDER, REFUND, shop

AIRLINE = Path(__file__).parents[3] / "examples" / "airline" / "policy.yaml"


def on_refund(first: Policy, second: Policy) -> Compared:
    return next(own for own in compare_policies(first, second).tools if own.tool == "refund")


@pytest.mark.parametrize(
    ("one", "other", "sides"),
    [
        ("call.amount <= 50", "call.amount <= 40", ["first"]),
        ("call.amount <= 50", "call.method == 'card'", ["first", "second"]),
        ("call.amount <= facts.order(call.order).total", "call.amount < facts.order(call.order).total", ["first"]),
        ("!has(call.lines) || size(call.lines) <= 5", "!has(call.lines) || size(call.lines) <= 7", ["second"]),
        ("said.agreed", "true", ["second"]),
        ("true", "!said.broken_item", ["first"]),
    ],
)
def test_a_call_that_one_allows(one: str, other: str, sides: list[str]) -> None:
    policies = shop({"hold": one}), shop({"hold": other})
    found = on_refund(*policies)
    assert [own.allowed_by for own in found.differences] == sides and found.same is False
    for own in found.differences:
        kinds = [own.example.decide(policy, mend=False).kind for policy in policies]
        assert kinds == [own.first.kind, own.second.kind]
        assert kinds[0 if own.allowed_by == "first" else 1] == "allow"
        assert kinds[1 if own.allowed_by == "first" else 0] in ("block", "ask")


def test_the_same_words_need_no_proof() -> None:
    hold = "call.amount / facts.order(call.order).total > 3"
    comparison = compare_policies(shop({"hold": hold}), shop({"hold": hold}), Budget(0.0))
    assert comparison.same is True


def test_what_no_formula_says_is_not_decided() -> None:
    found = on_refund(
        shop({"hold": "call.amount / facts.order(call.order).total > 3"}),
        shop({"hold": "call.amount / facts.order(call.order).total > 3 && call.amount >= 0"}),
    )
    assert found.same is None and "a division by what was not seen" in found.undecided[0]
    assert on_refund(shop({"hold": "call.amount > 3"}), shop({"hold": "call.amount >= 4"})).same is True
    assert on_refund(shop({"hold": "call.amount > 3"}), shop({"hold": "4 <= call.amount"})).assumptions == ()


def test_other_tables_are_other_words() -> None:
    rule = {"hold": "call.amount <= tables.most[call.method]"}
    one, other = (shop(rule, tables={"most": {"card": 100, "gift": most}}) for most in (20, 30))
    assert [own.allowed_by for own in on_refund(one, other).differences] == ["second"]
    assert on_refund(one, one).same is True


def test_tools_that_only_one_policy_has_and_words_that_differ() -> None:
    tools = {"definitions": [REFUND, GET_ORDER], "reads": ["get_order"], "types": {"*": {"order": "id of order"}}}
    second = shop(facts={"order": FACTS["order"]}, tools=tools, unknown_tools="block", unsaid="unknown")
    comparison = compare_policies(shop(), second)
    assert (comparison.only_first, comparison.only_second) == (("credit", "rate"), ())
    named = ["facts.rating", "facts.customer", "unknown_tools", "unsaid"]
    assert sorted(own.split(" ")[0] for own in comparison.told) == sorted(named)
    assert comparison.same is False


def _tools(**changes: Any) -> dict[str, Any]:
    parameters: Any = REFUND["parameters"]
    refund = {**REFUND, "parameters": {**parameters, "properties": {**parameters["properties"], **changes}}}
    return {"definitions": [refund, CREDIT, GET_ORDER, {**GET_ORDER, "name": "rate"}], "reads": ["get_order"]}


@pytest.mark.parametrize(
    ("name", "schema", "told"),
    [
        (
            "amount",
            {"type": "integer", "minimum": 0, "maximum": 400},
            "call.amount.maximum is 500 in the first policy and 400 in the second",
        ),
        (
            "method",
            {"type": "string", "enum": ["gift", "cash"]},
            "call.method.enum[0] is card in the first policy and cash in the second",
        ),
        (
            "lines",
            {"type": "array", "maxItems": 3, "items": {"type": "integer"}},
            "call.lines.maxItems is 3, which stands in the second policy only",
        ),
        (
            "note",
            {"type": ["string", "null"]},
            'call.note is string in the first policy and ["null", "string"] in the second',
        ),
        ("tip", {"type": "integer"}, "call.tip stands in the second policy only"),
    ],
)
def test_schemas_that_differ_are_told(name: str, schema: dict[str, Any], told: str) -> None:
    found = on_refund(*(shop(tools=own, facts={}, said={}) for own in (_tools(), _tools(**{name: schema}))))
    assert found.told == (told,) and found.same is False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": {"$dynamicRef": "#n"}}, {"$defs": {"N": {"$dynamicAnchor": "n", "maximum": 3}}}),
        ({"a": {"$dynamicRef": "#n"}}, {"$defs": {"N": {"$anchor": "n", "maximum": 3}}}),
        ({"a": {"$ref": "#/allOf/0"}}, {"allOf": [{"maximum": 3}]}),
        ({"a": {"$ref": "#/$defs/N%20N"}}, {"$defs": {"N N": {"maximum": 3}}}),
        ({"a": {"properties": {"a": {"$recursiveRef": "#"}}}}, {"maximum": 3, "$schema": "2019-09"}),
        ({"a": {"prefixItems": [{"maximum": 3}]}}, {"$schema": "http://json-schema.org/draft-07/schema#"}),
        ({"a": {"unevaluatedProperties": False, "allOf": [{"properties": {"b": {"maximum": 3}}}]}}, {}),
    ],
)
def test_what_a_schema_says_by_another_draft_or_place_is_told(one: Any, other: Any) -> None:
    def port(properties: Any, more: Any) -> Policy:
        berth = {"name": "berth", "parameters": {"type": "object", "properties": properties, **more}}
        return make_policy("port", tools={"definitions": [berth], "writes": ["berth"]})

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: 9 if name == "maximum" else changed(own) for name, own in value.items()}
        return [changed(own) for own in value] if isinstance(value, list) else value

    first = port(one, other)
    assert compare_policies(first, port(one, other)).same
    assert compare_policies(first, port(changed(one), changed(other))).same is False
    assert "$schema" not in other or compare_policies(first, port(one, {**other, "$schema": "2020-12"})).same is False


def test_types_that_have_nothing_in_common_are_told() -> None:
    tools = _tools(), _tools(amount={"type": "string"})
    found = on_refund(*(shop(tools=own, facts={}) for own in tools))
    assert "call.amount is integer in the first policy and string in the second" in found.told


def test_types_of_facts_are_told() -> None:
    order: Any = FACTS["order"]
    second = {**FACTS, "order": {**order, "record": {**order["record"], "status": ["open", "paid"]}}}
    rule = {"hold": "facts.order(call.order).status == 'paid'"}
    comparison = compare_policies(shop(rule), shop(rule, facts=second))
    assert comparison.same is False and "facts.order.status.values is " in comparison.told[0]
    assert on_refund(shop({"hold": "call.amount > 3"}), shop({"hold": "call.amount > 3"}, facts=second)).same is True


def test_consent_is_told() -> None:
    tools = {"definitions": [REFUND, CREDIT, GET_ORDER, {**GET_ORDER, "name": "rate"}], "reads": ["get_order"]}
    types = {"types": {"*": {"order": "id of order"}}}
    found = on_refund(shop(tools={**tools, **types}), shop(tools={**tools, **types, "consent": "refund"}))
    assert found.told == ("consent.listing stands in the second policy only",)


@pytest.mark.slow
def test_the_airlines_policy_and_a_stricter_one() -> None:
    text = AIRLINE.read_text(encoding="utf-8")
    policy = read_policy(text, folder=AIRLINE.parent)
    stricter = read_policy(
        text.replace("size(call.passengers) <= 5", "size(call.passengers) <= 4"), folder=AIRLINE.parent
    )
    assert compare_policies(policy, policy).same is True
    comparison = compare_policies(policy, stricter)
    (found,) = (own for own in comparison.tools if own.same is not True)
    (difference,) = found.differences
    assert (found.tool, difference.allowed_by, difference.second.rules) == ("book_reservation", "first", ("B3",))
    assert len(difference.example.call["passengers"]) == 5


def test_a_call_that_one_blocks_and_the_other_asks_about() -> None:
    """A claim leaves a rule undecided, so the first policy asks and the second blocks."""
    policies = shop({"hold": "said.broken_item || call.amount < 10"}), shop({"hold": "call.amount < 10"})
    (difference,) = on_refund(*policies).differences
    assert (difference.allowed_by, difference.first.kind, difference.second.kind) == (None, "ask", "block")
    lines = list(comparison_lines(compare_policies(*policies), ("a", "b")))
    assert lines[1] == "refund: the first policy asks about this call, and the second blocks it"
    asking = shop({"hold": "call.amount < 10", "severity": "ask"})
    (difference,) = on_refund(policies[1], asking).differences
    assert (difference.allowed_by, difference.first.kind, difference.second.kind) == (None, "block", "ask")


PAY: dict[str, Any] = {
    "name": "pay",
    "inputSchema": {
        "type": "object",
        "properties": {
            "order": {"type": "string", "pattern": "^SO-[0-9]{6}$"},
            "amount": {"type": "number", "exclusiveMinimum": 0},
            "lines": {"type": "array", "items": {"type": "integer"}, "maxItems": 20},
            "meta": {"type": "object"},
            "note": {"type": "string"},
        },
        "required": ["order", "amount", "lines"],
    },
}
RECORD = {"paid": "number 0..", "state": ["new", "done"], "at?": "date"}
ORDER = {"key": {"order": "text"}, "record": RECORD}
EFFECT = {"on": "pay", "fact": "order", "key": {"order": "call.order"}}


def desk(*holds: str, pay: Any = PAY, consent: Any = (), **parts: Any) -> Policy:
    rules = [{"id": f"r{place}", "on": "pay", "hold": own, "say": "So."} for place, own in enumerate(holds)]
    tools = {"definitions": [pay], "writes": ["pay"], "consent": [*consent]}
    return make_policy("desk", tools=tools, facts={"order": ORDER}, rules=rules, **parts)


def closed(pay: Any) -> Any:
    return {**pay, "inputSchema": {**pay["inputSchema"], "additionalProperties": False}}


def both(more: Any) -> Any:
    """A tool whose arguments two schemas describe together."""
    order, amount = ({"properties": {name: {"type": "string"}}, **more} for name in ("order", "amount"))
    return {**PAY, "inputSchema": {"type": "object", "allOf": [order, amount]}}


def test_equal_policies_that_are_written_differently_are_equal() -> None:
    half = {"paid": "call.amount + facts.order(call.order).paid", "state": "'done'"}
    turned = {**half, "paid": "facts.order(call.order).paid + call.amount"}
    split = [{**EFFECT, "set": {name: own}} for name, own in turned.items()]
    any_meta = {**PAY["inputSchema"]["properties"], "meta": {"type": "object", "additionalProperties": True}}
    opened = {**PAY, "inputSchema": {**PAY["inputSchema"], "properties": any_meta}}
    answer, words = {"on": "pay", "how": "answer", "when": "has(call.note)"}, {"on": "pay", "how": "words"}
    pairs = [
        (desk("call.lines.all(a, a > 1)"), desk("call.lines.all(b, b > 1)")),
        (desk(effects=[{**EFFECT, "set": half}]), desk(effects=split)),
        (desk(), desk(pay=closed(PAY))),
        (desk(), desk(pay=opened)),
        (desk(consent=[answer, words]), desk(consent=[answer, {**words, "when": "!has(call.note)"}])),
    ]
    for one, other in pairs:
        assert compare_policies(one, other).same is True and compare_policies(other, one).same is True
    others = [
        (desk("call.lines.all(a, a > 1)"), desk("call.lines.all(b, b > 2)")),
        (desk(effects=[{**EFFECT, "set": half}]), desk(effects=split[:1])),
        (desk(pay=both({})), desk(pay=both({"additionalProperties": False}))),
        (desk(undeclared="tell"), desk(pay=closed(PAY), undeclared="tell")),
        (desk(consent=[answer, words]), desk(consent=[{**answer, "how": "words"}, words])),
    ]
    assert all(compare_policies(one, other).same is False for one, other in others)


def test_examples_fit_patterns_open_bounds_and_long_lists() -> None:
    one, other = desk("call.lines.all(i, i <= 9)"), desk("call.lines.all(i, i <= 8)")
    (call,) = on_tool(one, other)
    assert (call["order"], call["amount"] > 0, max(call["lines"])) == ("SO-000000", True, 9)
    (call,) = on_tool(desk("has(call.note) && size(call.note) > 30"), desk("has(call.note) && size(call.note) > 31"))
    assert len(call["note"]) == 31
    assert on_tool(desk("!call.lines.exists(i, i == 3)"), desk("call.lines.all(i, i != 3)")) == []


def on_tool(first: Policy, second: Policy) -> list[Any]:
    (found,) = compare_policies(first, second).tools
    assert not found.undecided and not found.told
    return [own.example.call for own in found.differences]
