"""Tests of calls and mends under the tool's schema, of undeclared arguments at every depth, and of lazy mends."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest

from holdtrue.guard import mending
from holdtrue.guard.deciding import HowDecided
from holdtrue.guard.deciding import check as decide
from holdtrue.guard.decision import SCHEMA, UNDECLARED, Decision
from holdtrue.guard.facts import Facts
from holdtrue.guard.listening import Listening
from holdtrue.guard.mending import mended
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import PolicyError, make_policy
from tests.guard.shop import AMPLE

NOW = "2026-01-01T00:00:00"


def policy(properties: Any, *holds: str, more: Any = None, **parts: Any) -> Policy:
    schema = {"type": "object", "properties": properties, **(more or {})}
    tools = {"definitions": [{"name": "act", "parameters": schema}], "writes": ["act"], **parts.pop("tools", {})}
    rules = [{"id": f"R{place}", "on": "act", "hold": hold, "say": "So it is."} for place, hold in enumerate(holds)]
    return make_policy("made", tools=tools, rules=rules, **parts)


def decision(own: Policy, call: Any, facts: Facts | None = None) -> Decision:
    return own.check("act", call, facts or Facts.none(), now=NOW, budget=AMPLE)


# The schema itself


def some_schema(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    kinds = ["number", "integer", "text", "listed", "flag", "one of", "not", *(["object", "list"] if depth < 2 else [])]
    match rng.choice(kinds):
        case "number":
            bound = rng.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
            return {"type": "number", bound: rng.choice([1, 2, 0.5])}
        case "integer":
            return {"type": "integer", "minimum": rng.randint(-2, 1), "maximum": rng.randint(2, 5)}
        case "text":
            return {"type": "string", **rng.choice([{"minLength": 2}, {"maxLength": 1}, {"pattern": "^a+$"}, {}])}
        case "listed":
            return (
                {"enum": rng.sample([1, 2, 5, 9], 2)} if rng.random() < 0.5 else {"type": "string", "enum": ["a", "b"]}
            )
        case "one of":
            return {"oneOf": [{"type": "integer", "maximum": 2}, {"type": "integer", "minimum": rng.choice([2, 4])}]}
        case "not":
            return {"type": "integer", "not": {"const": rng.randint(0, 3)}}
        case "object":
            own = {name: some_schema(rng, depth + 1) for name in rng.sample("xyz", rng.randint(1, 2))}
            closed = {"additionalProperties": False} if rng.random() < 0.5 else {}
            return {"type": "object", "properties": own, "required": [*own][: rng.randint(0, 1)], **closed}
        case "list":
            return {"type": "array", "items": some_schema(rng, depth + 1), "uniqueItems": rng.random() < 0.5}
    return {"type": "boolean"}


def some_value(rng: random.Random, schema: dict[str, Any]) -> Any:
    """Return a value that is often of the right kind, and as often not within the schema."""
    if rng.random() < 0.08:
        return rng.choice([None, "q", 7, True, [], {}])
    match schema.get("type"):
        case "object":
            own = {name: some_value(rng, each) for name, each in schema["properties"].items() if rng.random() < 0.9}
            return {**own, **({"other": 1} if rng.random() < 0.1 else {})}
        case "array":
            return [some_value(rng, schema["items"]) for _ in range(rng.randint(0, 2))]
        case "string":
            return rng.choice(["a", "b", "aa", ""])
        case "boolean":
            return rng.random() < 0.5
    return rng.choice([0, 1, 2, 3, 5, 0.5, 2.5, 19.99])


def undeclared(schema: dict[str, Any], value: Any) -> bool:
    """Return whether a value has a field that a schema of `some_schema` does not declare."""
    if isinstance(value, dict) and "properties" in schema:
        own = schema["properties"]
        return any(name not in own or undeclared(own[name], each) for name, each in value.items())
    return isinstance(value, list) and "items" in schema and any(undeclared(schema["items"], own) for own in value)


def test_a_call_is_blocked_where_its_schema_refuses_it_or_does_not_declare_it_and_nowhere_else() -> None:
    rng, kinds = random.Random(45), dict.fromkeys(("allow", SCHEMA, UNDECLARED), 0)
    for _ in range(600):
        schema = {"type": "object", "properties": {name: some_schema(rng) for name in ("p", "q")}, "required": ["p"]}
        call = some_value(rng, schema)
        found = decision(policy(schema["properties"], more={"required": ["p"]}), call)
        if not jsonschema_rs.is_valid(schema, call):
            expected = SCHEMA
        else:
            expected = UNDECLARED if undeclared(schema, call) else "allow"
        assert (found.rules or ("allow",)) == (expected,), (schema, call, found.for_log)
        kinds[expected] += 1
    assert min(kinds.values()) > 15, kinds


def test_mends_stay_within_the_schema() -> None:
    rng, count = random.Random(46), 0
    for _ in range(150):
        own = some_schema(rng, 2)
        call = {"p": some_value(rng, own)}
        schema = {"type": "object", "properties": {"p": own}}
        if isinstance(call["p"], bool | str | None) or not jsonschema_rs.is_valid(schema, call):
            continue
        made = policy({"p": own}, f"call.p >= {rng.choice([2, 3, 5])} || call.p < -1")
        found = decision(made, call)
        if found.mend is not None:
            count += 1
            assert jsonschema_rs.is_valid(schema, found.mend.arguments), (own, found.mend)
            assert decision(made, found.mend.arguments).kind == "allow"
    assert count > 15, count


@pytest.mark.parametrize(
    ("schema", "hold", "given", "right"),
    [
        ({"type": "integer", "enum": [1, 40, 90]}, "call.n > 1", 1, 40),
        ({"type": "number", "exclusiveMaximum": 3}, "call.n >= 3 || call.n < 1", 2, 0.999999),
        ({"type": "integer", "not": {"minimum": 6, "maximum": 90}}, "call.n >= 5", 1, 5),
        ({"type": "integer", "not": {"enum": [5, 6, 7]}}, "call.n >= 5", 1, 8),
        ({"type": "integer", "not": {"multipleOf": 5}}, "call.n >= 5", 1, 6),
        ({"anyOf": [{"type": "integer", "maximum": 2}, {"type": "integer", "minimum": 700}]}, "call.n > 2", 2, 700),
        ({"type": "integer", "enum": [1, 2]}, "call.n > 2", 1, None),
    ],
)
def test_a_mend_is_the_nearest_within_the_schema(schema: Any, hold: str, given: Any, right: Any) -> None:
    found = decision(policy({"n": schema}, hold), {"n": given})
    assert (found.kind, None if found.mend is None else found.mend.arguments["n"]) == ("block", right), found.no_mend
    assert bool(found.no_mend) is (right is None)


def test_a_pattern_cannot_hold_up_a_decision() -> None:
    for pattern in (r"^(a+)+$", r"^(?=.*b)(a+)+$", r"^(a|aa)+$"):
        assert (
            decision(policy({"s": {"type": "string", "pattern": pattern}}), {"s": "a" * 40_000 + "!"}).kind == "block"
        )
    odd = policy({"s": {"type": "string", "pattern": "(?P<x"}})
    assert any("is not checked, since no engine takes it" in note for note in odd.notes)


def test_what_other_drafts_and_openapi_write_is_checked_as_they_mean_it() -> None:
    for schema, good, bad in (
        ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, 2, 1),
        ({"type": "string", "nullable": True, "enum": ["a"]}, None, "b"),
        ({"type": "array", "items": [{"type": "integer"}], "additionalItems": False}, [1], [1, 2]),
        ({"type": "number", "multipleOf": 0.01}, 19.99, 19.999),
    ):
        assert decision(policy({"p": schema}), {"p": good}).kind == "allow", schema
        assert decision(policy({"p": schema}), {"p": bad}).rules == (SCHEMA,), schema
    old = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert decision(policy({"p": {"type": "integer", "not": {"const": 2}}}, more=old), {"p": 2}).rules == (SCHEMA,)
    for broken in ({"not": {"type": "dict"}}, {"not": {"$ref": "https://example.org/x"}}):
        with pytest.raises(PolicyError, match="act: it is no JSON Schema"):
            policy({"p": {"type": "integer", **broken}})


@pytest.mark.parametrize(
    ("schema", "good", "bad", "why"),
    [
        ({"type": "string", "format": "duration"}, "P1Y2M", "soon", "it has to be a duration such as PT2H"),
        ({"type": "string", "format": "time"}, "10:00:00.5Z", "noon", "'noon' is no date, time or moment"),
        ({"type": "string", "format": "time"}, "10:00:00.5Z", "10:00 ", 'is not a "time"'),
        (
            {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^e"}]},
            "east",
            "west",
            "is not valid under any",
        ),
        (
            {"additionalProperties": {"type": "null"}, "patternProperties": {"^x": {}}},
            {"x": 1},
            {"y": 1},
            "not of type",
        ),
    ],
)
def test_what_no_type_reads_is_judged_by_the_schema(schema: Any, good: Any, bad: Any, why: str) -> None:
    for around, inside in ((schema, lambda own: own), ({"type": "array", "items": schema}, lambda own: [own])):
        own = policy({"p": around})
        found = decision(own, {"p": inside(good)})
        assert (found.kind, found.coverage.unread) == ("allow", ("the argument p, which no type reads",))
        found = decision(own, {"p": inside(bad)})
        assert found.rules == (SCHEMA,) and why in str(found.why)
    if isinstance(good, str):
        assert decision(policy({"p": schema}, "call.p == call.p"), {"p": good}).kind == "ask"
        types = {"types": {"act": {"p": "USD(2)"}}} if "anyOf" in schema else {}
        assert decision(policy({"p": schema}, tools=types), {"p": good}).kind == ("block" if types else "allow")


def test_a_moment_needs_no_zone_only_where_the_policy_has_local_ones() -> None:
    moment = {"type": "string", "format": "date-time"}
    for schema in (moment, {"oneOf": [{"type": "boolean"}, moment]}):
        for types, right in (({}, "block"), ({"p": "moment"}, "allow"), ({"q": "moment"}, "block")):
            own = policy({"p": schema, "q": moment}, tools={"types": {"act": types}})
            right = "allow" if types and "oneOf" in schema else right
            assert decision(own, {"p": "2026-03-01T10:00:00"}).kind == right, (schema, types)


# Undeclared arguments

NESTED = {
    "to": {"type": "object", "properties": {"name": {"type": "string"}, "any": {}}},
    "items": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    "free": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
}
ODD = {"to": {"name": "A", "any": [1, {"b": 2}], "reroute": "x"}, "items": [{"sku": "a", "count": 9}], "free": {"z": 1}}


def test_an_undeclared_field_blocks_at_every_depth_or_is_told_whole() -> None:
    found = decision(policy(NESTED), ODD)
    assert found.rules == (UNDECLARED,) and "No argument to.reroute, items[0].count is declared." in found.for_model
    tells = policy(NESTED, undeclared="tell", tools={"consent": ["act"]})
    found = decision(tells, ODD)
    more = ('to.any: [1, {"b": 2}]', 'to.reroute: "x"', "items[0].count: 9", "free.z: 1")
    assert found.kind == "confirm" and found.listing[-4:] == more
    paths = [own.removeprefix("the argument ").partition(",")[0] for own in found.coverage.unread]
    assert paths == ["to.any", "to.reroute", "items[0].count", "free.z"]
    assert tells.replay(found.to_json()).to_json() == found.to_json()


def of(**own: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "integer"} for name in ("a", "b")}, **own}


ONE_OF = {
    "oneOf": [
        of(properties={"kind": {"const": kind}, "of": own}, required=["kind"])
        for kind, own in (("any", {}), ("a", of()))
    ]
}
TAGGED = {
    "oneOf": [
        of(properties={"t": {"const": tag}, name: {"type": "integer"}}, required=["t"]) for tag, name in ("px", "qy")
    ]
}
OF_X, AT_MOST_5 = (of(properties={"x": {"type": "integer", **own}}) for own in ({}, {"maximum": 5}))
NODE = {"$ref": "#/$defs/node"}
KEYWORDS: list[tuple[Any, Any, Any]] = [
    (of(patternProperties={"^x": {}}, additionalProperties=False), {"x1": 1}, None),
    (of(patternProperties={"^x": {"type": "integer"}}), {"x1": 1}, {"y1": 1}),
    (of(unevaluatedProperties=of()), {"c": {"a": 1}}, {"c": {"c": 1}}),
    (of(additionalProperties=of()), {"a": 1, "c": {"a": 1}}, {"a": 1, "c": {"c": 1}}),
    (of(**{"if": {"required": ["a"]}, "then": {"properties": {"c": {}}}}), {"a": 1, "c": 1}, {"a": 1, "d": 1}),
    (of(**{"if": {"required": ["a"]}, "else": {"properties": {"c": {}}}}), {"c": 1}, {"d": 1}),
    (of(dependentSchemas={"a": {"properties": {"c": {}}}}), {"a": 1, "c": 1}, {"a": 1, "d": 1}),
    (of(anyOf=[{"required": ["a"]}, {"required": ["b"]}]), {"a": 1}, {"a": 1, "c": 1}),
    (of(required=["c"]), {"c": 1}, {"c": 1, "d": 1}),
    (of(allOf=[{"required": ["c"]}]), {"c": 1}, {"c": 1, "d": 1}),
    (of(**{"if": {"required": ["a"]}, "then": {"required": ["c"]}}), {"a": 1, "c": 1}, {"a": 1, "c": 1, "d": 1}),
    ({"type": "object", "required": ["c"]}, {"c": 1}, {"c": 1, "d": 1}),
    (of(properties={"in": {"$recursiveRef": "#"}}), {"in": {"p": {}}}, {"in": {"d": 1}}),
    (of(patternProperties={"^x": {}}, dependentRequired={"a": ["b"]}), {"a": 1, "x": 1}, {"a": 1, "d": 1}),
    ({"allOf": [of(), {"properties": {"c": of()}}]}, {"a": 1, "c": {"b": 1}}, {"c": {"c": 1}}),
    ({"allOf": [{"anyOf": [AT_MOST_5, of(required=["b"])]}, OF_X]}, {"b": 1, "x": 9}, {"b": 1, "c": 9}),
    ({"allOf": [AT_MOST_5, OF_X]}, {"x": 5}, {"x": 5, "b": 1}),
    ({"anyOf": [of(), {"type": "string"}]}, {"a": 1}, {"c": 1}),
    ({"anyOf": [of(), {"type": "object"}]}, {"c": 1}, None),
    (TAGGED, {"t": "q", "y": 1}, {"t": "q", "x": 1}),
    ({"type": "array", "items": TAGGED}, [{"t": "q", "y": 1}], [{"t": "q", "x": 1}]),
    (ONE_OF, {"kind": "any", "of": {"c": 1}}, {"kind": "a", "of": {"c": 1}}),
    (of(type=["object", "string"]), {"a": 1}, {"c": 1}),
    ({"type": "array", "prefixItems": [of()]}, [{"a": 1}, {"c": 1}], [{"c": 1}]),
    ({"type": "array", "items": [{}], "additionalItems": of()}, [{"c": 1}, {"a": 1}], [{}, {"c": 1}]),
    ({"type": "array", "contains": of()}, [{"a": 1}], [{"a": 1, "c": 1}]),
    ({"$ref": "#/$defs/node"}, {"of": {"of": {"a": 1}}}, {"of": {"of": {"c": 1}}}),
    ({"type": "object"}, {"c": {"d": 1}}, None),
    ({}, {"c": {"d": 1}}, None),
    (True, [{"c": 1}], None),
]


def test_no_other_value_mends_a_text_that_the_schema_refuses() -> None:
    own = policy({"day": {"type": "string", "format": "date"}, "n": {"type": "integer"}}, more={"required": ["n"]})
    kinds = [own.check("act", {"day": day}, Facts.none(), partial=True).kind for day in ("2026-03-06", "soon")]
    assert kinds == ["allow", "block"]


@pytest.mark.parametrize("older", ["properties", "required", "oneOf", "dependentSchemas", "unevaluatedProperties"])
def test_what_a_draft_does_not_read_declares_nothing(older: str) -> None:
    beside = {"properties": {"y": {}}, "required": ["y"], "oneOf": [{"properties": {"y": {}}}, {"required": ["b"]}]}
    said = {**beside, "dependentSchemas": {"y": {"properties": {"y": {}}}}, "unevaluatedProperties": {}}[older]
    one = {**({"$ref": "#/definitions/one"} if older in beside else of()), older: said}
    more = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"one": of()}}
    own = policy({"p": one}, more=more)
    assert decision(own, {"p": {"a": 1}}).kind == "allow"
    assert decision(own, {"p": {"a": 1, "y": "text"}}).rules == (UNDECLARED,)


@pytest.mark.parametrize(("schema", "good", "bad"), KEYWORDS)
def test_a_name_is_declared_by_any_keyword_at_every_depth(schema: Any, good: Any, bad: Any) -> None:
    drafts = {"additionalItems": "draft-07", "dependentRequired": "draft-07", "$recursiveRef": "draft/2019-09"}
    named = [f"http://json-schema.org/{draft}/schema" for own, draft in drafts.items() if own in str(schema)]
    older = {"$schema": named[0]} if named else {}
    own = policy({"p": schema}, more={"$defs": {"node": of(properties={"a": {}, "of": NODE})}, **older})
    for partial in (False, True):
        found = own.check("act", {"p": good}, Facts.none(), partial=partial)
        assert UNDECLARED not in found.rules and found.kind == "allow", found.for_log
        if bad is not None:
            found = own.check("act", {"p": bad}, Facts.none(), partial=partial)
            assert found.rules == (UNDECLARED,) and found.kind == "block", found.for_log


def shaped(rng: random.Random, depth: int, *, closed: bool, twin: bool) -> dict[str, Any]:
    """Return an object schema of one or several shapes.

    The `twin` forbids every name that no applying shape declares.
    """
    own: dict[str, Any] = {name: {"type": "integer"} for name in rng.sample("abc", rng.randint(0, 2))}
    if depth and rng.random() < 0.6:
        within = shaped(rng, depth - 1, closed=True, twin=twin)
        own[f"in{rng.randint(0, 10**6)}"] = {"type": "array", "items": within} if rng.random() < 0.5 else within
    found: dict[str, Any] = {"type": "object", "properties": own}
    if depth and rng.random() < 0.7:
        branches = [shaped(rng, depth - 1, closed=False, twin=twin) for _ in "12"]
        key = rng.choice(["oneOf", "anyOf", "allOf"])
        for tag, branch in enumerate(branches[2 if key == "allOf" else rng.randint(0, 1) :], 1):
            branch.setdefault("properties", {})["t"], branch["required"] = {"enum": [tag, 9]}, ["t"]
        found[key] = branches
        found = {key: each for key, each in found.items() if key != "properties" or rng.random() < 0.7}
    return {**found, **({"unevaluatedProperties": False} if closed and twin else {})}


def filled(rng: random.Random, schema: dict[str, Any]) -> Any:
    """Return a value that has names of all shapes."""
    if schema["type"] == "array":
        return [filled(rng, schema["items"]) for _ in range(rng.randint(0, 2))]
    shapes = [schema, *(each for key in ("oneOf", "anyOf", "allOf") for each in schema.get(key, ()))]
    found: dict[str, Any] = {"t": rng.choice([1, 2, 9])} if len(shapes) > 1 else {}
    for name, own in [each for shape in shapes for each in shape.get("properties", {}).items()]:
        if name != "t" and rng.random() < 0.5:
            found[name] = filled(rng, own) if own["type"] != "integer" else 1
    return found


def test_a_name_is_declared_by_the_shapes_that_apply_and_by_no_other() -> None:
    kinds = dict.fromkeys(("allow", SCHEMA, UNDECLARED), 0)
    for seed in range(120):
        raw, twin = (shaped(random.Random(seed), 3, closed=True, twin=own) for own in (False, True))
        made = make_policy("made", tools={"definitions": [{"name": "act", "parameters": raw}]})
        for call in [filled(random.Random(seed + own), raw) for own in range(5)]:
            found = decision(made, call)
            fits = jsonschema_rs.is_valid(raw, call)
            right = SCHEMA if not fits else "allow" if jsonschema_rs.is_valid(twin, call) else UNDECLARED
            assert (found.rules or ("allow",)) == (right,), (raw, call, found.for_log)
            kinds[right] += 1
    assert min(kinds.values()) > 25, kinds


@pytest.mark.parametrize("types", [{}, {"bed": "whole 0..3"}, {"who": {"a": "whole"}}])
def test_the_types_of_a_policy_declare_nothing(types: Any) -> None:
    free = {"additionalProperties": True}
    own = policy({"bed": {"type": "integer"}, "who": of(**free)}, more=free, tools={"types": {"act": types}})
    assert decision(own, {"c": 1}).kind == "allow" and decision(own, {"who": {"a": 1, "c": 1}}).kind == "allow"
    own = policy({"who": of(type=["object", "string"])}, tools={"types": {"act": {"who": {"z": "text"}}}})
    assert decision(own, {"who": {"z": "Z"}}).rules == (UNDECLARED,)


def test_arguments_that_may_be_null_or_have_names_by_patterns_are_read() -> None:
    by_pattern = {"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": {"type": "string"}}
    for more in ({"type": ["object", "null"]}, by_pattern):
        own = make_policy("made", tools={"definitions": [{"name": "act", "parameters": {"properties": {}, **more}}]})
        assert decision(own, {"x": 1} if more is by_pattern else {}).kind == "allow"


def test_what_nobody_can_read_is_let_through_by_nobody() -> None:
    own = make_policy("made", unknown_tools="allow", tools={"definitions": [{"name": "act"}]})
    for text in ('{"a": 1, "a": 2}', "{", "[1]", {"a": float("nan")}):
        for tool in ("act", "other"):
            heard = Listening(override="somebody")
            assert decide(own, tool, text, Facts.none(), heard, HowDecided(NOW)).kind in ("ask", "block"), (tool, text)
    let = Listening(override="somebody")
    assert decide(own, "act", {"a": 1}, Facts.none(), let, HowDecided(NOW)).kind == "allow"


# Records, and mends that are made when they are looked at

BOOKED: dict[str, Any] = {
    "tools": {
        "definitions": [
            {"name": "get", "parameters": {"type": "object", "properties": {"id": {"type": "string"}}}},
            {
                "name": "act",
                "parameters": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "sum": {"type": "integer"}},
                },
            },
        ],
        "reads": ["get"],
        "change": {"act": ["id"]},
    },
    "facts": {
        "booking": {
            "key": {"id": "text"},
            "record": {"price": "whole", "open": "bool"},
            "from": [{"tool": "get", "key": {"id": "call.id"}}],
        }
    },
}
OPEN = {"id": "open", "on": "act", "hold": "facts.booking(call.id).open", "say": "Only open ones."}
LESS = {"id": "less", "on": "act", "hold": "call.sum <= facts.booking(call.id).price", "say": "Not more."}


def booked(**parts: Any) -> Policy:
    return make_policy("booked", rules=[OPEN, LESS], **{**BOOKED, **parts})


def seen(own: Policy, *records: tuple[str, int, bool]) -> Facts:
    facts = Facts.none()
    for id, price, is_open in records:
        facts = own.saw(facts, "get", {"id": id}, {"price": price, "open": is_open})
    return facts


def test_a_key_is_mended_among_the_records_that_were_seen() -> None:
    own = booked()
    facts = seen(own, ("A", 5, True), ("B", 50, False), ("C", 70, True))
    found = decision(own, {"id": "B", "sum": 60}, facts)
    assert found.mend is not None and found.mend.arguments == {"id": "C", "sum": 60}
    assert own.replay(found.to_json()).to_json() == found.to_json()
    none = decision(own, {"id": "B", "sum": 80}, facts)
    assert none.no_mend == "no change of what may change keeps less, among the records that were seen"
    fixed = decision(booked(tools={**BOOKED["tools"], "change": {}}), {"id": "B", "sum": 60}, facts)
    assert fixed.mend is None and fixed.no_mend == "no change of what may change keeps open"


def test_a_mend_is_looked_for_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []

    def look(*own: Any) -> Any:
        looked.append(own)
        return mended(*own)

    monkeypatch.setattr(mending, "mended", look)
    own = booked()
    found = decision(own, {"id": "B", "sum": 60}, seen(own, ("B", 50, False), ("C", 70, True)))
    before = found.to_json(mend=False)
    assert not looked and before["mend"] is None and "would keep" not in before["for_model"]
    assert own.replay(before).to_json(mend=False) == before
    assert found.mend is not None and found.mend == replace(found).mend and len(looked) == 1
    # The search for a mend adds the records that it read.
    given = found.given
    assert found.to_json(mend=False) == {**before, "given": given} and len(given["facts"]) > len(
        before["given"]["facts"]
    )
    assert pickle.loads(pickle.dumps(found.proposal)) == found.proposal


# Rules on many tools, and patterns


def test_an_argument_that_only_some_tools_have_is_asked_for() -> None:
    tools = [
        {"name": "a", "parameters": {"type": "object", "properties": {"owner": {"type": "string"}}}},
        {"name": "b", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}},
    ]

    def on_all(hold: str, **parts: Any) -> Policy:
        return make_policy("p", tools={"definitions": tools}, rules=[{"id": "r", "on": "*", "hold": hold, "say": "s"}])

    own = on_all("!has(call.owner) || call.owner == 'acme'")
    calls: list[tuple[str, dict[str, str]]] = [
        ("a", {"owner": "acme"}),
        ("a", {"owner": "z"}),
        ("a", {}),
        ("b", {"x": "1"}),
    ]
    assert [own.check(tool, call, Facts.none(), now=NOW).kind for tool, call in calls] == [
        "allow",
        "block",
        "allow",
        "allow",
    ]
    assert on_all("has(call.owner) ? call.owner == 'acme' : true").check("b", {}, Facts.none(), now=NOW).kind == "allow"
    assert on_all("has(call.owner) && call.owner != ''").check("b", {}, Facts.none(), now=NOW).kind == "block"
    for hold, why in (("call.owner == 'acme'", "b has no 'owner'"), ("!has(call.ower)", "a has no 'ower'")):
        with pytest.raises(PolicyError, match=why):
            on_all(hold)


def test_patterns_are_those_of_re2_and_a_text_that_was_not_seen_is_open() -> None:
    own = policy({"s": {"type": "string"}}, "!call.s.matches('rm +-rf')")
    assert [decision(own, {"s": text}).kind for text in ("rm   -rf /", "rm -r", "a" * 50_000)] == [
        "block",
        "allow",
        "allow",
    ]
    for pattern, why in (("'('", "missing"), ("'^(?=a)'", "invalid perl operator"), ("call.s", "is written as a text")):
        with pytest.raises(PolicyError, match=why):
            policy({"s": {"type": "string"}}, f"call.s.matches({pattern})")
    person = {"person": {"key": {"id": "text"}, "record": {"name": "text"}}}
    name = "facts.person(call.s).name"
    for hold, kind in ((f"{name}.matches('^x')", "ask"), (f"{name}.matches('^x') || !{name}.matches('^x')", "allow")):
        assert (
            decision(policy({"s": {"type": "string"}}, hold, facts=person, more={"required": ["s"]}), {"s": "1"}).kind
            == kind
        )


def test_all_faults_of_a_list_of_tools_are_told_at_once_and_lists_within_lists_are_read() -> None:
    bad = [{"name": f"t{own}", "parameters": {"type": "dict"}} for own in range(3)]
    with pytest.raises(PolicyError) as caught:
        make_policy("p", tools={"definitions": [*bad, {"name": "q", "args": {"n": {"type": "integer"}}}, {"name": ""}]})
    assert all(own in str(caught.value) for own in ("t0", "t1", "t2", "'args' is not read", "a tool has a name"))
    inner = {"type": "object", "properties": {"n": {"type": "integer"}}}
    lists: list[Any] = [
        {"result": {"tools": [{"name": "a", "inputSchema": inner}]}},
        {"toolSpec": {"name": "b", "inputSchema": {"json": inner}}},
        {"functionDeclarations": [{"name": "c", "parameters": inner}]},
    ]
    own = make_policy("p", tools={"definitions": lists})
    assert {name: [*tool.arguments.fields] for name, tool in own.tools.items()} == {"a": ["n"], "b": ["n"], "c": ["n"]}


def test_a_rule_on_an_argument_without_a_type_is_told_with_tool_path_and_reason() -> None:
    loop = {"type": "object", "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/F"}}}}
    more, properties = {"$defs": {"F": loop}}, {"a": {"$ref": "#/$defs/F"}, "b": {}, "n": {"type": "integer"}}
    for hold, told in (
        (
            "call.a.parts[0].parts[0].parts == []",
            r"call\.a\.parts\[0\]\.parts\[0\]\.parts of act is not read, since of its",
        ),
        ("call.b == 1", "call.b of act is not read, since the schema does not say what it is"),
    ):
        with pytest.raises(PolicyError, match=told):
            policy(properties, hold, more=more)
    own = policy(properties, "!has(call.n) || call.n < 5", "size(call.a.parts) < 2", more=more)
    assert decision(own, {"n": 9, "a": {"parts": []}}).rules == ("R0",)
    deep: dict[str, Any] = {"parts": [{"parts": [{"parts": [{"parts": []}]}]}]}
    assert decision(own, {"a": deep}).coverage.unread == (
        "the argument a.parts[0].parts[0].parts, which no type reads",
    )
    with pytest.raises(PolicyError, match=r"act has no 'n'; it has nothing \(act: the schema allows anything"):
        make_policy(
            "p",
            tools={"definitions": [{"name": "act", "parameters": True}]},
            rules=[{"id": "r", "on": "act", "hold": "call.n < 5", "say": "s"}],
        )


def test_faults_of_a_type_and_of_a_keyword_are_told_together() -> None:
    bad = [{"type": "dict"}, {"type": "string", "minLength": "x"}, {"type": "integer", "minimum": "x"}]
    with pytest.raises(PolicyError) as caught:
        make_policy(
            "p",
            tools={
                "definitions": [
                    {"name": f"t{at}", "parameters": {"properties": {"a": own}}} for at, own in enumerate(bad)
                ]
            },
        )
    assert all(f"t{at}" in str(caught.value) for at in range(3))


@pytest.mark.parametrize("free", [{"additionalProperties": True}, {"patternProperties": {"^f": {"type": "integer"}}}])
@pytest.mark.parametrize("inside", [lambda own: own, lambda own: [own], lambda own: {"k": own}])
def test_a_shape_that_does_not_apply_types_nothing_and_no_rule_knows_the_value(free: Any, inside: Any) -> None:
    shapes: list[Any] = [
        {"type": "object", "properties": {"mode": {"const": own}}, "required": ["mode"]} for own in ("o", "l")
    ]
    oil, led = shapes
    oil["properties"]["file"] = {"type": "boolean"}
    union: Any = {"oneOf": [oil, {**led, **free}]}
    kind: dict[type, Any] = {
        list: {"type": "array", "items": union},
        dict: {"type": "object", "additionalProperties": union},
    }
    schema = union if inside(0) == 0 else kind[type(inside(0))]
    given = [{"v": inside({"mode": mode, "file": 1})} for mode in "lo"]
    assert [decision(policy({"v": schema}), own).kind for own in given] == ["allow", "block"]
    if schema is union:
        assert decision(policy({"v": schema}, "!has(call.v.file) || call.v.file == false"), given[0]).kind == "ask"
        closed = decision(policy({"v": {"oneOf": [oil, led]}}), given[0])
        assert [own.rule for own in closed.findings] == [UNDECLARED]
