"""The schema allows the answers that the reader reads, and the hint has no values."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from holdtrue.world.answer import Assignment, Unparsed
from holdtrue.world.answer_shape import answer_hint, answer_schema, render_answer
from holdtrue.world.instance import Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.reader import read_answer
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

SEATS = SEATING.instance(["Cy", "Ann", "Bob"])
EVENTS = SCHEDULING.instance(["Talk", "Lunch"], {"num_slots": 8, "max_duration": 2})
GRID = LOGIC_GRID.instance(["Ann", "Bob"], {"categories": {"pet": ("Cat", "Dog")}})
ALL = [SEATS, EVENTS, GRID]


def test_one_attribute_is_the_value_itself() -> None:
    seat = {"type": "integer", "minimum": 1, "maximum": 3}
    assert answer_schema(SEATS) == {
        "type": "object",
        "properties": {
            "solution": {
                "type": "object",
                "properties": {"Cy": seat, "Ann": seat, "Bob": seat},
                "required": ["Cy", "Ann", "Bob"],
                "additionalProperties": False,
            }
        },
        "required": ["solution"],
        "additionalProperties": False,
    }
    assert list(answer_schema(SEATS)["properties"]["solution"]["properties"]) == ["Cy", "Ann", "Bob"]


def test_optional_attributes_are_asked_for() -> None:
    assert answer_schema(EVENTS)["properties"]["solution"]["properties"]["Talk"] == {
        "type": "object",
        "properties": {
            "start": {"type": "integer", "minimum": 1, "maximum": 8},
            "duration": {"type": "integer", "minimum": 1, "maximum": 2},
        },
        "required": ["start", "duration"],
        "additionalProperties": False,
    }


def admits(schema: dict[str, Any], value: Any) -> bool:
    """The part of JSON schema that `answer_schema` uses."""
    if schema["type"] == "object":
        inner = schema["properties"]
        return set(value) == set(inner) and all(admits(inner[key], value[key]) for key in inner)
    if schema["type"] == "integer":
        return type(value) is int and schema["minimum"] <= value <= schema["maximum"]
    return value in schema["enum"]


@pytest.mark.parametrize("instance", ALL, ids=lambda instance: instance.domain.name)
def test_the_schema_admits_the_lowest_and_the_highest_answer_and_nothing_beyond(instance: Instance) -> None:
    schema = answer_schema(instance)
    for edge in ("low", "high"):
        values = {name: getattr(variable.sort, edge) for name, variable in instance.variables.items()}
        answer = {"solution": render_answer(instance, values)}
        assert admits(schema, answer)
        assert read_answer(instance, json.dumps(answer)) == Assignment(values)
        beyond = {name: value + (1 if edge == "high" else -1) for name, value in values.items()}
        assert not admits(schema, {"solution": render_answer(instance, beyond)})


def test_hints_show_the_shape() -> None:
    assert answer_hint(SEATS) == '{"solution": {"Cy": <seat>, "Ann": <seat>, ...}}'
    assert answer_hint(EVENTS) == (
        '{"solution": {"Talk": {"start": <start>, "duration": <duration>}, '
        '"Lunch": {"start": <start>, "duration": <duration>}}}'
    )
    assert answer_hint(GRID) == '{"solution": {"Ann": "<pet>", "Bob": "<pet>"}}'


@pytest.mark.parametrize("instance", ALL, ids=lambda instance: instance.domain.name)
def test_hints_hold_no_values(instance: Instance) -> None:
    hint = answer_hint(instance)
    assert "\n" not in hint
    assert not re.search(r"\d", hint)
    read = read_answer(instance, hint)
    assert isinstance(read, Unparsed) or not read.values


def test_a_hint_quotes_names_as_json_does() -> None:
    quoted = SEATING.instance(['Ann "Bo" Cy', "Dee"])
    hint = answer_hint(quoted).replace("<seat>", "1")
    assert json.loads(hint) == {"solution": {'Ann "Bo" Cy': 1, "Dee": 1}}
