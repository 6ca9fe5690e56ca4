"""Expressions mean what CEL's own conformance tests say, as far as rules speak of the same things.

`cel_conformance.json` holds the examples, and names all that are left out with the reason.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from holdtrue.logic.value_sorts import WHOLE, Calendar
from holdtrue.rules.cel import read_cel, write_cel
from holdtrue.rules.checker import Scope, check
from holdtrue.rules.closure import compile_rule
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.types import DURATION, FLAG, NULL, TEXT, ListOf, MapOf, Number, Type
from holdtrue.rules.values import Fault, read_duration, read_moment

UTC = Calendar("moment", "Z")
TYPES: dict[str, Type] = {
    "bool": FLAG,
    "int": Number(WHOLE),
    "string": TEXT,
    "null": NULL,
    "duration": DURATION,
    "timestamp": UTC,
}


@cache
def suite() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "cel_conformance.json").read_text("utf-8"))
    return found


def type_of(name: str) -> Type:
    """The type that a name of CEL's says: `list(int)`, `map(string, string)`."""
    if name.startswith("list("):
        return ListOf(type_of(name[5:-1]))
    if name.startswith("map(string, "):
        return MapOf(type_of(name[12:-1]))
    return TYPES[name]


def value_of(data: Any) -> Any:
    """The value that the file writes as JSON."""
    match data:
        case list():
            return tuple(map(value_of, data))
        case {"map": entries}:
            return {key: value_of(own) for key, own in entries.items()}
        case {"duration": text}:
            return read_duration(text)
        case {"timestamp": text}:
            return read_moment(text, UTC)
    return data


def alike(left: Any, right: Any) -> bool:
    """Whether two values are the same, where a flag is no number."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(alike(left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


@pytest.mark.parametrize("section", suite()["covered"])
def test_examples_of_cel_have_their_values(section: str) -> None:
    for example in suite()["covered"][section]:
        assert kept(example), example["name"]


def kept(example: dict[str, Any]) -> bool:
    """Whether an expression has the value, or the error, that CEL says."""
    given = example.get("given", {})
    scope = Scope.of({name: type_of(type) for name, (type, _) in given.items()})
    expression = read_cel(example["expr"])
    assert read_cel(write_cel(expression)) == expression
    try:
        rule = compile_rule(check(expression, scope))
    except RuleError:
        return example.get("refused", False) is True
    try:
        found = rule({name: value_of(value) for name, (_, value) in given.items()})
    except Fault:
        return "error" in example and "refused" not in example
    return "error" not in example and alike(found, value_of(example["value"]))


def test_every_test_of_cel_is_covered_or_left_out_with_a_reason() -> None:
    counts = suite()["counts"]
    covered = sum(map(len, suite()["covered"].values()))
    left_out = 0
    for reason, own in suite()["left_out"].items():
        named = sum(len(names.split()) for section, names in own.items() if section != "count")
        assert named == own["count"], reason
        left_out += named
    assert (covered, left_out, covered + left_out) == (counts["covered"], counts["left_out"], counts["tests"])


def test_the_list_says_where_it_is_from() -> None:
    assert suite()["licence"] == "Apache-2.0"
    assert "@bufbuild/cel-spec 0.6.1" in suite()["source"]
