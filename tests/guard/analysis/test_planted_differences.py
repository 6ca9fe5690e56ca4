"""Each thing that decides, changed by itself in a rich policy, is found; what cannot matter is no difference."""

from __future__ import annotations

import copy
import dataclasses
import random
from functools import cache
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard.analysis.deciding_parts import NEVER_DECIDES
from holdtrue.guard.analysis.difference import compare_policies
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from tests.slow import first_of

PAY: dict[str, Any] = {
    "type": "object",
    "title": "Pay",
    "required": ["id", "amount", "to"],
    "properties": {
        "id": {"type": "string", "description": "Which order.", "pattern": "^A", "maxLength": 9},
        "amount": {"type": "integer", "minimum": 0, "maximum": 90, "multipleOf": 5},
        "to": {"$ref": "#/$defs/Target"},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "maxItems": 3, "uniqueItems": True},
        "fast": {"type": "boolean", "default": False},
        "day": {"type": "string", "format": "date"},
        "code": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
        "odd": {"type": "integer", "not": {"const": 3}, "exclusiveMaximum": 8},
    },
    "$defs": {
        "Target": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "zip": {"type": "string"}},
        }
    },
}
ID = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
BASE: dict[str, Any] = {
    "policy": "desk",
    "about": "A desk.",
    "now": "2026-03-20T10:00:00",
    "zone": "Europe/Berlin",
    "unfounded": "tell",
    "tools": {
        "definitions": [
            {"name": "pay", "description": "Pays.", "parameters": PAY},
            {"name": "close", "parameters": ID},
            {"name": "get_order", "parameters": ID},
        ],
        "reads": ["get_order"],
        "consent": ["pay"],
        "errors": ["Error", "Oops"],
        "types": {"*": {"id": "id of order"}, "pay": {"amount": "EUR(0)"}},
        "change": {"pay": ["amount", "fast"]},
        "groups": {"desk": ["pay", "close"]},
    },
    "answers": {"report": {"id": "id of order", "score": "whole 0..9"}},
    "facts": {
        "order": {
            "key": {"id": "id of order"},
            "record": {"total": "EUR(0)", "open": "bool", "owner?": "id of user"},
            "from": [
                {"tool": "get_order", "key": {"id": "call.id"}},
                {"tool": "close", "key": {"id": "call.id"}, "fields": {"open": "result.open"}, "partial": True},
            ],
            "fresh": "24h",
        }
    },
    "said": {"agreed": {"type": "bool", "ask": "Do you agree?"}, "lost": {"type": "bool", "claim": True}},
    "tables": {"most": {"x": 10, "y": 20}},
    "let": {"total": "facts.order(call.id).total"},
    "effects": [
        {"on": "pay", "fact": "order", "key": {"id": "call.id"}, "set": {"open": "false"}, "forget": ["total"]}
    ],
    "rules": [
        {"id": "R1", "on": "pay", "hold": "call.amount <= total", "say": "No more than the total."},
        {
            "id": "R2",
            "on": ["pay", "close"],
            "hold": "facts.order(call.id).open",
            "say": "It is open.",
            "severity": "ask",
        },
        {"id": "R3", "on": "pay", "when": "call.fast", "hold": "said.agreed", "say": "Agreed.", "needs": "words"},
        {"id": "R4", "on": "pay", "hold": "!has(call.tags) || call.tags.all(t, tables.most[t] < 30)", "say": "Tags."},
        {"id": "R5", "on": "close", "hold": "size(done.close) < 5", "say": "Few.", "severity": "warn"},
        {"id": "R6", "on": "close", "hold": "total > amount(3, 'EUR')", "say": "Seen.", "needs": "facts"},
        {"id": "R7", "on": "report", "hold": "answer.score > 1", "say": "Good."},
    ],
    "limits": [{"id": "L1", "on": "pay", "most": 2, "per": "id"}],
    "obligations": [{"id": "O1", "when": "size(done.pay) > 0", "hold": "size(done.close) > 0", "say": "Closed."}],
    "not_checked": [{"id": "N1", "say": "Be kind.", "reason": "Words."}],
}
P = "tools.definitions.0.parameters"
A = f"{P}.properties"
GONE = object()
"""What takes a part away."""
PLANTED: dict[str, list[Any]] = {
    f"{P}.additionalProperties": [False, True, {}, {"type": "string"}],
    f"{P}.$defs.Target.additionalProperties": [True, GONE],
    f"{P}.$defs.Target.required": [["name", "zip"], GONE],
    f"{P}.$defs.Target.properties.zip": [GONE, {"type": "string", "pattern": "^[0-9]+$"}],
    f"{P}.$defs.Target.properties.more": [{"type": "integer"}],
    f"{P}.required": [["id", "amount"], ["id", "amount", "to", "day"]],
    f"{P}.not": [{"required": ["day", "fast"]}],
    f"{P}.dependentRequired": [{"fast": ["day"]}],
    f"{P}.minProperties": [4],
    f"{P}.patternProperties": [{"^z": {"type": "integer"}}],
    f"{A}.id.pattern": ["^B", GONE],
    f"{A}.id.maxLength": [8, GONE],
    f"{A}.id.minLength": [2],
    f"{A}.id.enum": [["A1", "A2"]],
    f"{A}.amount.minimum": [1, GONE],
    f"{A}.amount.maximum": [95, GONE],
    f"{A}.amount.exclusiveMinimum": [0],
    f"{A}.amount.multipleOf": [1, GONE],
    f"{A}.amount.default": [5],
    f"{A}.amount.type": ["number"],
    f"{A}.to": [{"type": "string"}],
    f"{A}.tags.items.enum": [["x"], ["y"]],
    f"{A}.tags.maxItems": [2, GONE],
    f"{A}.tags.minItems": [1],
    f"{A}.tags.uniqueItems": [False, GONE],
    f"{A}.tags.contains": [{"const": "x"}],
    f"{A}.fast.default": [True, GONE],
    f"{A}.fast.const": [True],
    f"{A}.day.format": ["date-time", GONE],
    f"{A}.code.anyOf.0.minLength": [3, GONE],
    f"{A}.code.anyOf": [[{"type": "string", "minLength": 2}]],
    f"{A}.odd.not.const": [4],
    f"{A}.odd.not": [GONE],
    f"{A}.odd.exclusiveMaximum": [7],
    f"{A}.odd.oneOf": [[{"minimum": 2}, {"maximum": 1}]],
    f"{A}.extra": [{"type": "string"}],
    "tools.definitions.1.parameters.required": [GONE],
    "tools.definitions.3": [{"name": "more", "parameters": ID}],
    "tools.reads": [[], ["get_order", "close"]],
    "tools.consent": [[], ["pay", "close"], ["close"]],
    "tools.errors": [["Error"], ["Error", "Oops", "Bad"]],
    "tools.types.*.id": ["text"],
    "tools.types.pay.odd": ["whole 0..5"],
    "tools.change.pay": [["amount"], GONE],
    "tools.groups.desk": [["pay"], ["pay", "close", "get_order"]],
    "answers.report.score": ["whole 0..8", "whole"],
    "answers.report.note?": ["text"],
    "facts.order.key": [{"id": "text"}],
    "facts.order.record.total": ["EUR(2)"],
    "facts.order.record.owner?": [GONE, "text"],
    "facts.order.from.1": [GONE],
    "facts.order.from.1.partial": [False],
    "facts.order.from.1.fields": [{"open": "!result.open"}],
    "facts.order.fresh": ["12h", GONE],
    "said.agreed.claim": [True],
    "said.lost": [GONE],
    "tables.most.x": [40],
    "let.total": ["facts.order(call.id).total + amount(1, 'EUR')"],
    "effects": [[]],
    "effects.0.set.open": ["true"],
    "effects.0.forget": [GONE, "all"],
    "effects.0.when": ["call.amount > amount(3, 'EUR')"],
    "effects.0.on": [["pay", "close"]],
    "rules.0": [GONE],
    "rules.0.hold": ["call.amount < total", "true", "call.amount == total"],
    "rules.0.severity": ["ask", "warn"],
    "rules.0.needs": ["facts", "words"],
    "rules.0.when": ["!call.fast"],
    "rules.1.severity": ["block", "warn"],
    "rules.1.on": ["pay", "close"],
    "rules.2.needs": [GONE, "facts"],
    "rules.2.hold": ["said.agreed || call.amount == amount(0, 'EUR')"],
    "rules.4.severity": ["block"],
    "rules.4.hold": ["size(done.close) < 4"],
    "rules.5.needs": [GONE],
    "rules.6.hold": ["answer.score > 2"],
    "limits.0.most": [1, 3],
    "limits.0.per": [GONE],
    "limits.0.severity": ["ask"],
    "obligations": [[]],
    "obligations.0.hold": ["size(done.close) > 1", "size(done.pay) < 3"],
    "obligations.0.severity": ["ask"],
    "unsaid": ["unknown"],
    "unknown_tools": ["block", "allow"],
    "unfounded": ["ask"],
    "now": ["2026-03-21T10:00:00", GONE],
    "zone": ["Europe/Paris"],
}
ALIKE: dict[str, list[Any]] = {
    "policy": ["counter"],
    "about": ["Another sentence."],
    "not_checked": [[]],
    f"{P}.title": ["Payment", GONE],
    f"{P}.description": ["All of it."],
    f"{P}.minProperties": [0],
    f"{P}.required": [["to", "id", "amount"]],
    f"{P}.x-order": [3],
    f"{P}.examples": [[{"id": "A1"}]],
    f"{P}.$schema": ["https://json-schema.org/draft/2020-12/schema"],
    f"{A}.id.description": ["Another.", GONE],
    f"{A}.id.type": [["string"]],
    f"{A}.id.minLength": [0],
    f"{A}.amount.minimum": [0.0],
    f"{A}.tags.items.enum": [["y", "x"]],
    f"{A}.tags.minItems": [0],
    f"{A}.code.anyOf": [[{"type": "null"}, {"type": "string", "minLength": 2}]],
    f"{A}.odd.not": [{"enum": [3]}],
    f"{A}.to": [PAY["$defs"]["Target"], {"$ref": "#/$defs/Target", "description": "Whom."}],
    f"{A}.fast.title": ["Fast"],
    f"{P}.$defs.Target.title": ["Whom"],
    f"{P}.$defs.Unused": [{"type": "string"}],
    "tools.definitions.0.description": ["Pays somebody."],
    "tools.writes": [["pay"], ["close", "pay"]],
    "tools.errors": [["Oops", "Error"]],
    "tools.change.pay": [["fast", "amount"]],
    "tools.groups.desk": [["close", "pay"]],
    "said.agreed.ask": ["Is it agreed?", GONE],
    "tables.unused": [{"a": 1}],
    "let.unused": ["3"],
    "rules.0.id": ["Z1"],
    "rules.0.say": ["Another sentence."],
    "rules.0.hold": ["total >= call.amount", "!(call.amount > total)", "!(total < call.amount) && true"],
    "rules.0.when": ["true", "call.amount > total || call.amount <= total"],
    "rules.1.hold": ["facts.order(call.id).open == true", "!(!facts.order(call.id).open)"],
    "rules.2.when": ["call.fast == true"],
    "rules.2.hold": ["said.agreed || !call.fast"],
    "rules.3.hold": ["has(call.tags) ? !call.tags.exists(t, tables.most[t] >= 30) : true"],
    "rules.4.hold": ["5 > size(done.close)", "size(done.close) <= 4"],
    "rules.5.hold": ["!(total <= amount(3, 'EUR'))"],
    "rules.6.hold": ["answer.score >= 2"],
    "obligations.0.hold": ["size(done.close) >= 1", "!(size(done.close) == 0)"],
    "obligations.0.when": ["size(done.pay) >= 1"],
    "obligations.0.say": ["It has to be closed."],
    "effects.0.on": [["pay"]],
    "facts.order.from": [BASE["facts"]["order"]["from"][::-1]],
    "facts.order.fresh": ["1440m"],
    "unsaid": ["false"],
    "unknown_tools": ["ask"],
}
AMPLE = Budget(timeout_s=600.0)


@cache
def base() -> Policy:
    return make_policy(**BASE)


def changed(path: str, value: Any) -> Policy:
    """Return the policy with one part changed; a list or mapping that is not there yet is made."""
    whole = copy.deepcopy(BASE)
    *steps, last = path.split(".")
    part: Any = whole
    for step in steps:
        part = part[int(step)] if isinstance(part, list) else part.setdefault(step, {})
    place: Any = int(last) if isinstance(part, list) else last
    if value is GONE:
        del part[place]
    elif isinstance(part, list) and place == len(part):
        part.append(value)
    else:
        part[place] = copy.deepcopy(value)
    return make_policy(**whole)


def each(changes: dict[str, list[Any]]) -> list[Any]:
    """Return the changes for a parameter of a test; the normal run takes the first value of each part."""
    return [
        pytest.param(path, value, id=f"{path.replace(P, 'pay')}-{place}", marks=[pytest.mark.slow] * (place > 0))
        for path, values in changes.items()
        for place, value in enumerate(values)
    ]


@pytest.mark.parametrize(("path", "value"), each(PLANTED))
def test_one_planted_difference_is_found(path: str, value: Any) -> None:
    comparison = compare_policies(base(), changed(path, value), AMPLE)
    assert comparison.same is False


@pytest.mark.parametrize(("path", "value"), each(ALIKE))
def test_what_cannot_matter_is_no_difference(path: str, value: Any) -> None:
    comparison = compare_policies(base(), changed(path, value), AMPLE)
    assert comparison.same is True, comparison.to_json()


def shuffled(value: Any, rng: random.Random, path: str = "") -> Any:
    """Return a policy with its mappings, tools and rules in another order."""
    if isinstance(value, dict):
        names = rng.sample(list(value), len(value))
        return {name: shuffled(value[name], rng, name) for name in names}
    if isinstance(value, list):
        found = [shuffled(own, rng) for own in value]
        lists = ("definitions", "rules", "required", "enum", "errors", "on", "reads", "anyOf")
        return rng.sample(found, len(found)) if path in lists else found
    return value


@pytest.mark.parametrize("seed", first_of(range(10), 3))
def test_another_order_is_no_difference(seed: int) -> None:
    twin = shuffled(copy.deepcopy(BASE), random.Random(seed))
    assert compare_policies(base(), make_policy(**twin), Budget(0.0)).same is True


def test_an_undeclared_argument_shows_a_closed_schema() -> None:
    comparison = compare_policies(base(), changed(f"{P}.additionalProperties", False), AMPLE)
    (found,) = (own for own in comparison.tools if own.same is not True)
    assert found.told == ("call.additionalProperties is false, which stands in the second policy only",)
    for own in found.differences:
        assert own.example.call.keys() - PAY["properties"].keys() and own.second.kind == "block"


def test_fields_that_never_decide_are_fields() -> None:
    """A field that gets another name would be compared again, and a new one is."""
    for own, names in NEVER_DECIDES.items():
        assert names - {field.name for field in dataclasses.fields(own)} <= {"validator"}
