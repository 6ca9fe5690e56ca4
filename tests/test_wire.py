"""Records on their way to JSON and back."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from pydantic import TypeAdapter, ValidationError

from holdtrue.wire import first_fault, plain_fields


@dataclass(frozen=True, slots=True)
class Inner:
    number: int


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    parts: tuple[Inner, ...]


def test_a_record_is_written_with_all_its_fields() -> None:
    text = json.dumps(Outer("a", (Inner(1), Inner(2))), default=plain_fields)
    assert json.loads(text) == {"name": "a", "parts": [{"number": 1}, {"number": 2}]}
    assert TypeAdapter(Outer).validate_json(text) == Outer("a", (Inner(1), Inner(2)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"name": "a", "parts": [{"number": 1}, {"number": "x"}]}, "parts.1.number: Input should be a valid integer"),
        ({"parts": []}, "name: Field required"),
        (3, "Input should be a dictionary"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(given: object, words: str) -> None:
    with pytest.raises(ValidationError) as error:
        TypeAdapter(Outer).validate_python(given)
    assert first_fault(error.value).startswith(words)
