"""Tests that JSON is read strictly, and that recorded arguments equal the ones that were decided on."""

from __future__ import annotations

import json
from collections import UserDict
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import InputError
from holdtrue.guard.json_values import DEEPEST, MOST_TEXT, UNREADABLE, arguments_of, json_text, parsed, plain, recorded


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1.10}', {"a": Decimal("1.10")}),
        (b'{"a": "\xc3\xa9"}', {"a": "é"}),
        ("5", 5),
        ('"x"', "x"),
        ("[1e400]", [Decimal("1e400")]),
    ],
)
def test_numbers_of_a_text_are_exact(text: str, value: Any) -> None:
    assert parsed(text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON: Expecting value"),
        ("{'a': 1}", "no JSON"),
        ('{"a": NaN}', "no JSON: NaN is no number"),
        ("[-Infinity]", "no JSON: -Infinity is no number"),
        ('{"amount": 5, "amount": 500}', "no JSON: the key 'amount' stands twice"),
        ('{"a": {"b": 1, "b": 1}}', "no JSON: the key 'b' stands twice"),
        ("[" * 100_000, "nested too deep"),
        ('{"a": ' * 100_000, "nested too deep"),
        (b"\xff\xfe", "no text in UTF-8"),
        ("9" * 5_000, "no JSON"),
        ('{"a": 1} {"b": 2}', "no JSON: Extra data"),
        (" " * (MOST_TEXT + 1), "10,000,001 characters, over 10,000,000"),
    ],
)
def test_what_is_no_json_is_told(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        parsed(text)
    assert message in str(error.value)


def nested(depth: int) -> Any:
    found: Any = 1
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("arguments", "record"),
    [
        ({"a": (1, None, True)}, {"a": [1, None, True]}),
        (MappingProxyType({"a": UserDict({"b": 1})}), {"a": {"b": 1}}),
        ('{"a": 1.10}', {"a": 1.1}),
        ({"a": Decimal("1.10"), "b": Fraction(1, 8)}, {"a": 1.1, "b": 0.125}),
        ({"a": date(2026, 3, 2), "b": time(12, 30)}, {"a": "2026-03-02", "b": "12:30:00"}),
        ({"a": datetime(2026, 3, 2, 12, tzinfo=UTC)}, {"a": "2026-03-02T12:00:00+00:00"}),
        ({"a": timedelta(hours=1)}, {"a": "3600s"}),
        # No float says these numbers, so that the text stays as it is, or is made.
        ('{"a": 12345678901234567.89}', '{"a": 12345678901234567.89}'),
        ({"a": [Decimal("12345678901234567.89")]}, '{"a": [12345678901234567.89]}'),
        ('{"a": 1e400}', '{"a": 1e400}'),
        ({"a": Fraction(1, 3)}, {UNREADABLE: "no JSON says the number 1/3"}),
        # Malformed JSON stays a text, or becomes the reason.
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ("refund it", "refund it"),
        ('"{}"', '"{}"'),
        (b'"{}"', '"{}"'),
        (b"\xff", {UNREADABLE: "no JSON: the bytes are no text in UTF-8"}),
        ({"a": float("nan")}, {UNREADABLE: "no JSON: nan is no number"}),
        ({"a": Decimal("-Infinity")}, {UNREADABLE: "no JSON: -Infinity is no number"}),
        ({1: 2}, {UNREADABLE: "no JSON: a key has to be a text, not 1"}),
        ({"a": {2}}, {UNREADABLE: "no JSON says a set"}),
        (object(), {UNREADABLE: "no JSON says a object"}),
        ({"a": 10**5_000}, {UNREADABLE: "a number has more digits than can be read"}),
        (nested(DEEPEST + 1), {UNREADABLE: f"no JSON that can be read: it is nested deeper than {DEEPEST}"}),
        (nested(100_000), {UNREADABLE: f"no JSON that can be read: it is nested deeper than {DEEPEST}"}),
        ([0] * 600_000, {UNREADABLE: "it has over 500,000 values"}),
        (" " * (MOST_TEXT + 1), {UNREADABLE: "10,000,001 characters, over 10,000,000"}),
    ],
)
def test_arguments_are_recorded_as_json(arguments: Any, record: Any) -> None:
    found = recorded(arguments)
    assert found == record
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_what_holds_itself_is_not_followed_for_ever() -> None:
    own: list[Any] = []
    own.append(own)
    assert UNREADABLE in recorded(own)


NUMBERS = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(max_size=4), own, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_recording_what_was_recorded_changes_nothing(arguments: dict[str, Any]) -> None:
    record = json.loads(json.dumps(recorded(arguments)))
    assert recorded(record) == record
    assert exact(arguments_of(record)) == exact(plain(arguments))


def exact(value: Any) -> Any:
    """Return a value with each float as the number that it is written as."""
    match value:
        case float():
            return Decimal(repr(value))
        case list():
            return [exact(own) for own in value]
        case dict():
            return {name: exact(own) for name, own in value.items()}
    return value


def test_what_could_not_be_recorded_is_no_arguments() -> None:
    with pytest.raises(InputError, match="no JSON says a object"):
        arguments_of(recorded(object()))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, "x", None, True]}, '{"a": [1, "x", null, true]}'),
        (Decimal("1.10"), "1.10"),
        ("é", '"é"'),
        ("\ud800", '"\\ud800"'),
        (list(range(10**6)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, ..."),
        ("x" * 10**6, '"xxxxxxxxxxxxxxxxxxxxxxxxxxx...'),
        ({"x" * 10**6: 1}, '{"xxxxxxxxxxxxxxxxxxxxxxxxxx...'),
        (object(), "a object"),
    ],
)
def test_a_value_is_shown_on_one_line(value: Any, text: str) -> None:
    assert json_text(value, 31) == text
