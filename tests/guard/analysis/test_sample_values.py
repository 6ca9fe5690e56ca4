"""Tests of sample values: what a schema names, and texts for its patterns."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.guard.analysis.call_shapes import Shapes
from holdtrue.guard.analysis.sample_values import SampleValues, matching
from holdtrue.guard.policy_file import make_policy
from holdtrue.rules.types import TEXT, Number

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[A-Z]-\\d{2}$"},
        "city": {"$ref": "#/$defs/city"},
        "code": {"type": "string", "minLength": 3, "maxLength": 3},
        "mail": {"type": "string", "format": "email"},
        "count": {"type": "integer", "default": 3, "maximum": 9},
        "price": {"type": "number", "minimum": 250},
        "kind": {"anyOf": [{"type": "string", "const": "x"}, {"type": "null"}]},
        "rows": {"type": "array", "items": {"properties": {"sku": {"type": "string", "examples": ["S-1", 7]}}}},
    },
    "$defs": {"city": {"type": "string", "examples": ["Rome", "Oslo"]}},
}


def samples() -> SampleValues:
    tools = {"definitions": [{"name": "send", "parameters": SCHEMA}], "types": {"send": {"price": "EUR(2)"}}}
    policy = make_policy("p", tools=tools)
    return SampleValues(Shapes.of(policy, policy.tools["send"]), SCHEMA)


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("call.id", "A-11"),
        ("call.city", "Rome"),
        ("call.code", "aaa"),
        ("call.mail", "ann@example.com"),
        ("call.kind", "x"),
        ("call.rows[2].sku", "S-1"),
        ("call.nothing", None),
        ("said.city", None),
    ],
)
def test_a_schema_names_values(path: str, first: str | None) -> None:
    assert next(iter(samples()(path, TEXT)), None) == first


def test_numbers_are_of_their_type() -> None:
    assert samples()("call.count", Number()) == (3,)
    found = {name: samples().number(f"call.{name}") for name in ("count", "price", "id")}
    assert found == {"count": 3, "price": 25_000, "id": None}


ATOMS = st.sampled_from(["a", "-", "\\.", ".", "\\d", "\\w", "[A-Z]", "[a-f0-9]", "[x\\-z]", "[^b]", "(?:ab|c)", "(d)"])
TIMES = st.sampled_from(["", "{3}", "{2,4}", "+", "*", "?"])


@given(st.lists(st.tuples(ATOMS, TIMES).map("".join), min_size=1, max_size=5), st.integers(0, 11), st.booleans())
def test_texts_match_simple_patterns(parts: list[str], turn: int, whole: bool) -> None:
    pattern = f"^{''.join(parts)}$" if whole else "".join(parts)
    assert re.search(pattern, matching(pattern, turn))


def test_other_turns_give_other_texts() -> None:
    assert len({matching("^#W\\d{7}$", turn) for turn in range(8)}) == 8
