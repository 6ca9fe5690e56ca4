"""The law of tools with odd schemas: no call and no mend is judged differently than by the schema itself."""

from __future__ import annotations

from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard.decision import SCHEMA
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy_file import PolicyError, make_policy
from holdtrue.rules.types import Number
from tests.guard.shop import AMPLE

TOOL, NAMES, DEFINED = (
    "srv.tööl/1",
    ["a", "b", "x-y", "größe", "$ref", "type", "items", "properties"],
    ["F", "a/b", "t~x"],
)
UNREAD_FORMATS: Any = {form: lambda text: True for form in ("uri", "int64", "email")}
LEAVES: list[Any] = [
    *({"type": "number", key: own} for key in ("minimum", "exclusiveMaximum", "multipleOf") for own in (2, 0.5)),
    *({"type": "integer", "minimum": 0, "maximum": 4, "default": 2}, {"type": "integer", "not": {"const": 2}}),
    *({"type": "string", **own} for own in ({"pattern": "^a+$"}, {"minLength": 2}, {"format": "uri"}, {"title": "T"})),
    *({"enum": ["a", None, 1, 2.5]}, {"enum": ["b"], "type": ["string", "null"]}, {"const": {"k": 1}}, {"const": 1}),
    *({"type": ["integer", "array"]}, {"type": ["string", "number", "null"]}, {}, True, {"type": "object"}),
    *({"$ref": f"#/$defs/{name}"} for name in ("F", "a~1b", "t~0x", "F")),
    {"$ref": "#/$defs/F", "description": "again", "default": 1},
]


def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    more = st.sampled_from([{}, {"required": ["a"]}, {"additionalProperties": False}, {"unevaluatedProperties": False}])
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    conditional = st.sampled_from([{"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"minProperties": 1}])
    return st.one_of(
        st.builds(lambda own, more: {"type": "object", "properties": own, **more}, named, more | conditional),
        st.builds(
            lambda own, most: {"type": "array", "items": own, **most}, inner, st.sampled_from([{}, {"maxItems": 1}])
        ),
        st.builds(
            lambda key, own: {key: own}, st.sampled_from(["anyOf", "oneOf"]), st.lists(inner, min_size=1, max_size=3)
        ),
        inner.map(lambda own: {"allOf": [own, {"required": ["a"]}]}),
        inner.map(lambda own: {"type": "object", "additionalProperties": own}),
        inner.map(lambda own: {"type": "object", "patternProperties": {"^a": own}}),
        inner.map(lambda own: {"type": "array", "prefixItems": [own]}),
    )


SCHEMAS = st.recursive(st.sampled_from(LEAVES), around, max_leaves=5)


def some_value(rng: Random, schema: Any, root: Any, depth: int = 0) -> Any:
    """Return a value that a schema often allows."""
    if rng.random() < 0.05 or depth > 7 or not isinstance(schema, dict) or not schema:
        return rng.choice([None, "a", 1, True, [], {}, 2.5])
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
        return some_value(rng, root["$defs"][name], root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf", "enum"):
        if key in schema:
            found = rng.choice(schema[key]) if key != "allOf" else schema[key][0]
            return found if key == "enum" else some_value(rng, found, root, depth + 1)
    if "const" in schema:
        return schema["const"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    match rng.choice(kinds):
        case "object":
            named = {
                **schema.get("properties", {}),
                **({"k": own} if (own := schema.get("additionalProperties")) else {}),
            }
            named |= {f"{key[1:]}z": own for key, own in schema.get("patternProperties", {}).items()}
            return {name: some_value(rng, own, root, depth + 1) for name, own in named.items() if rng.random() < 0.8}
        case "array":
            inner = [*schema.get("prefixItems", ()), schema.get("items", True), schema.get("items", True)]
            return [some_value(rng, own, root, depth + 1) for own in inner[: rng.randint(0, 2)]]
        case "string":
            return rng.choice(["a", "aa", "b"])
    return rng.choice([None, 0, 1, 2, 3, 2.5, -1])


@given(
    st.dictionaries(st.sampled_from(NAMES), SCHEMAS, min_size=1, max_size=3), st.tuples(*[SCHEMAS] * 3), st.integers()
)
@settings(max_examples=300)
def test_a_tool_decides_as_its_schema_does(properties: Any, defined: Any, seed: int) -> None:
    root = {"type": "object", "properties": properties, "$defs": dict(zip(DEFINED, defined, strict=True))}
    validator = jsonschema_rs.Draft202012Validator(root, validate_formats=True, formats=UNREAD_FORMATS)
    tools = {"definitions": [{"name": TOOL, "parameters": root}]}
    fields = make_policy("p", tools=tools).tools[TOOL].arguments.fields
    numbers = [name for name, own in fields.items() if isinstance(own.type, Number)]
    hold = " && ".join(["true", *(f"(!has(call.`{own}`) || call.`{own}` >= 2)" for own in numbers)])
    policy, rng = make_policy("p", tools=tools, rules=[{"id": "r", "on": TOOL, "hold": hold, "say": "s"}]), Random(seed)
    for _ in range(4):
        call = some_value(rng, root, root)
        found = policy.check(TOOL, call, Facts.none(), now="2026-01-01T00:00:00", budget=AMPLE)
        is_valid = isinstance(call, dict) and validator.is_valid(call)
        assert (SCHEMA in found.rules) is not is_valid, (root, call, found.for_log)
        assert found.mend is None or validator.is_valid(found.mend.arguments), (root, call, found.mend)


@given(
    SCHEMAS, st.sampled_from([5, "x", {"type": "strnig"}, {"$ref": "#/$defs/gone"}, {"enum": []}, {"properties": 5}])
)
@settings(max_examples=60)
def test_a_faulty_schema_is_refused_with_the_tool_and_all_its_paths(schema: Any, faulty: Any) -> None:
    root = {"type": "object", "properties": {"bad": faulty, "x": schema, "worse": faulty}, "$defs": {}}
    root["$defs"] = {name: {"type": "string"} for name in DEFINED}
    with pytest.raises(PolicyError) as caught:
        make_policy("p", tools={"definitions": [{"name": TOOL, "parameters": root}]})
    assert all(any(f"{TOOL}.{own}" in fault for _, fault in caught.value.faults) for own in ("bad", "worse"))
