"""Tables of a policy: their values, and the type that they have together."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.policy_draft import table
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import ListOf, MapOf, Number


def read(data: Any) -> tuple[object, Any]:
    return table(data, ("tables", "t"), lambda data, path: read_type(data, {}, ".".join(map(str, path))))


@pytest.mark.parametrize(
    ("data", "values", "type"),
    [
        (5, 5, "whole"),
        (Decimal("0.25"), Fraction(1, 4), "number"),
        (0.5, Fraction(1, 2), "number"),
        (Decimal("3.0"), 3, "whole"),
        ("x", "x", "text"),
        (True, True, "bool"),
        (None, None, "null"),
        ([], (), "list of null"),
        ({}, {}, "map of null"),
        ([1, Decimal("0.5")], (1, Fraction(1, 2)), "list of number"),
        ([1, None], (1, None), "list of whole or null"),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, "map of whole"),
        ({1: "x"}, {"1": "x"}, "map of text"),
        ({"a": {"x": 1}, "b": {"y": 2}}, {"a": {"x": 1}, "b": {"y": 2}}, "map of map of whole"),
        ({"a": ["x"], "b": []}, {"a": ("x",), "b": ()}, "map of list of text or null"),
    ],
)
def test_a_table_has_the_type_of_what_stands_in_it(data: Any, values: object, type: str) -> None:
    found, own = read(data)
    assert found == values
    assert str(own) == type


def test_numbers_without_a_unit_take_that_of_what_they_meet() -> None:
    _, type = read({"a": 1})
    assert isinstance(type, MapOf) and isinstance(type.value, Number) and type.value.bare


def test_a_type_can_be_said() -> None:
    values, type = read({"type": "map of USD(2)", "entries": {"a": Decimal("1.5"), "b": 2}})
    assert values == {"a": Fraction(3, 2), "b": 2}
    assert isinstance(type, MapOf) and str(type.value) == "USD(2)"
    values, type = read({"type": "list of date", "entries": ["2026-03-02"]})
    assert values == (739677,) and isinstance(type, ListOf)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": 1, "b": "x"}, "tables.t: the entries of a table have to be of one type, and are whole and text"),
        ({"a": {"x": [1, True]}}, "tables.t.a.x: the entries of a table have to be of one type"),
        ([1, [2]], "tables.t: the entries"),
        (float("nan"), "tables.t: nan is no number"),
        (Decimal("Infinity"), "tables.t: Infinity is no number"),
        (b"x", "tables.t: a table has numbers, texts"),
        ({"type": "map of USD(2)", "entries": {"a": "x"}}, "tables.t['a']: it has to be a number (USD(2)), not 'x'"),
        ({"type": "map of wat", "entries": {}}, "tables.t.type{}: there is no type 'wat'"),
    ],
)
def test_what_is_no_table_is_told_with_its_path(data: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(data)
    assert str(error.value).startswith(message)
