"""Answers printed in every accepted shape read back as they were; mutilated ones are read without a fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.sorts import EnumSort
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue.world.answer_shape import render_answer
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.instance import Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.reader import read_answer, read_assignment
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING

Given = Mapping[str, Mapping[str, int | str]]

SEATS = SEATING.instance(["Ann", "Bob", "Cy"])
EVENTS = SCHEDULING.instance(["Talk", "Lunch"], {"num_slots": 8})
GRID = LOGIC_GRID.instance(["Ann", "Bob"])


def domain(*attributes: Attribute) -> Domain:
    return Domain(name="any", attributes=attributes, constraint_types=())


@st.composite
def given_answers(draw: st.DrawFn) -> tuple[Instance, Given]:
    """An instance of any domain, and shown values for some of its entities and attributes."""
    attributes = [
        Attribute(name, values=["Red", "Dark blue", "7"]) if draw(st.booleans()) else Attribute(name, low=-2, high=30)
        for name in draw(st.lists(st.sampled_from(["start", "hair colour", "k"]), min_size=1, max_size=3, unique=True))
    ]
    names = st.text(st.characters(categories=["L", "N"]) | st.sampled_from("' -"), min_size=1, max_size=6)
    taken = {"start", "hair colour", "k", "solution"}
    entities = draw(
        st.lists(
            names.filter(lambda name: name.strip() and name.strip().casefold() not in taken),
            min_size=1,
            max_size=4,
            unique_by=lambda name: name.strip().casefold(),
        )
    )
    instance = domain(*attributes).instance(entities)
    shown: dict[str, dict[str, int | str]] = {}
    for entity in draw(st.lists(st.sampled_from(entities), min_size=1, unique=True)):
        chosen = draw(st.lists(st.sampled_from(attributes), min_size=1, unique_by=lambda attribute: attribute.name))
        shown[entity] = {
            attribute.name: draw(st.sampled_from(attribute.sort.labels))
            if isinstance(attribute.sort, EnumSort)
            else draw(st.integers(-2, 30))
            for attribute in chosen
        }
    return instance, shown


def by_entity(shown: Given) -> Any:
    return shown


def by_attribute(shown: Given) -> Any:
    out: dict[str, dict[str, int | str]] = {}
    for entity, own in shown.items():
        for attribute, value in own.items():
            out.setdefault(attribute, {})[entity] = value
    return out


def as_rows(shown: Given) -> Any:
    return [{"entity": entity, **own} for entity, own in shown.items()]


def as_named_rows(shown: Given) -> Any:
    return [{**own, "Name": f" {entity} "} for entity, own in shown.items()]


SHAPES = [by_entity, by_attribute, as_rows, as_named_rows]


def expected(instance: Instance, shown: Given) -> dict[str, int]:
    out: dict[str, int] = {}
    for entity, own in shown.items():
        for name, value in own.items():
            sort = instance.attributes[name].sort
            number = sort.labels.index(str(value)) if isinstance(sort, EnumSort) else int(value)
            out[f"{entity}.{name}"] = number
    return out


@settings(max_examples=120, deadline=None)
@given(
    answer=given_answers(),
    shape=st.sampled_from(SHAPES),
    wrapped=st.booleans(),
    dressed=st.sampled_from(
        [
            lambda text: text,
            lambda text: f"<think>maybe {{1}}</think>It's done:\n```json\n{text}\n```\nThat is all.",
            lambda text: text.replace("}", ",}").replace("{,}", "{}"),
            lambda text: f"an earlier {{'try': 1}} and the set {{A, B\n\n- {text}",
        ]
    ),
)
def test_every_shape_reads_back(
    answer: tuple[Instance, Given],
    shape: Callable[[Given], Any],
    wrapped: bool,
    dressed: Callable[[str], str],
) -> None:
    instance, shown = answer
    value = {"solution": shape(shown)} if wrapped else shape(shown)
    read = read_answer(instance, dressed(json.dumps(value, ensure_ascii=False)))
    assert read == Assignment(expected(instance, shown))
    assert read_assignment(instance, value) == read


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_rendered_answer_reads_back(data: st.DataObject) -> None:
    instance = data.draw(st.sampled_from([SEATS, EVENTS, GRID]))
    values = {
        name: data.draw(st.integers(variable.sort.low, variable.sort.high))
        for name, variable in instance.variables.items()
    }
    text = json.dumps({"solution": render_answer(instance, values)})
    assert read_answer(instance, text) == Assignment(values)


def values(instance: Instance, text: str) -> Mapping[str, int]:
    read = read_answer(instance, text)
    assert isinstance(read, Assignment), read
    assert not read.foreign
    assert not read.repeated
    return read.values


@pytest.mark.parametrize(
    ("instance", "text", "want"),
    [
        pytest.param(SEATS, '{" ANN ": 1, "bob": "2", "Cy": 3.0}', {"Ann": 1, "Bob": 2, "Cy": 3}, id="spellings"),
        pytest.param(SEATS, '{"Ann": {"Seat ": 1}}', {"Ann": 1}, id="attribute named although there is one"),
        pytest.param(SEATS, '{"Seat": {"ann": 1}}', {"Ann": 1}, id="transposed although there is one"),
        pytest.param(SEATS, '{"Ann": -3, "Bob": 99}', {"Ann": -3, "Bob": 99}, id="out of range"),
        pytest.param(SEATS, '{"Ann": null, "Bob": "", "Cy": 2}', {"Cy": 2}, id="no value"),
        pytest.param(SEATS, '{"Ann": 1, "Zed": 2, "note": "x"}', {"Ann": 1}, id="strangers"),
        pytest.param(SEATS, '{"Ann": 1, "ann": 1}', {"Ann": 1}, id="same value twice"),
        pytest.param(SEATS, '{"Ann": [1], "Bob": {"x": 1}, "Cy": 2}', {"Cy": 2}, id="containers are no values"),
        pytest.param(SEATS, '{"reason": "...", "Solution": {"Ann": 1}}', {"Ann": 1}, id="beside the solution"),
        pytest.param(SEATS, '{"solution": {}, "Ann": 1}', {"Ann": 1}, id="an empty solution"),
        pytest.param(SEATS, '{"Ann": 1} {"Ann": 2} {"Zed": 3}', {"Ann": 2}, id="the last answer"),
        pytest.param(SEATS, '{"Ann": 1} {"Ann": 2, "Bob": ', {"Ann": 1}, id="the last complete answer"),
        pytest.param(SEATS, '{"solution": {"Ann": 1}, ', {"Ann": 1}, id="complete inside an unclosed one"),
        pytest.param(SEATS, '<think>{"Ann": 1}</think>{"Ann": 2}<think>{"Ann": 3}', {"Ann": 2}, id="thinking"),
    ],
)
def test_one_attribute(instance: Instance, text: str, want: Mapping[str, int]) -> None:
    assert values(instance, text) == {f"{entity}.seat": seat for entity, seat in want.items()}


@pytest.mark.parametrize(
    ("instance", "text", "want"),
    [
        pytest.param(EVENTS, '{"Talk": 2, "Lunch": "3"}', {"Talk.start": 2, "Lunch.start": 3}, id="first attribute"),
        pytest.param(
            EVENTS,
            '[{"name": "talk", "START": 2, "duration": 1}, {"Entity": "Lunch", "start": 4}, {"start": 7}, 5]',
            {"Talk.start": 2, "Talk.duration": 1, "Lunch.start": 4},
            id="rows",
        ),
        pytest.param(GRID, '{"Ann": {"color": "RED ", "pet": "dog"}}', {"Ann.color": 0, "Ann.pet": 1}, id="labels"),
        pytest.param(GRID, '{"pet": {"Ann": "Dog"}, "zzz": {"Ann": "x"}}', {"Ann.pet": 1}, id="transposed"),
    ],
)
def test_several_attributes(instance: Instance, text: str, want: Mapping[str, int]) -> None:
    assert values(instance, text) == want


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"Ann": true}', "true"),
        ('{"Ann": NaN}', "nan"),
        ('{"Ann": 1e999}', "inf"),
        ('{"Ann": 2.5}', "2.5"),
        ('{"Ann": ²}', "²"),
        ('{"Ann": "٣"}', "٣"),
        ('{"Ann": "seat 3"}', "seat 3"),
        ('{"Ann": "' + "1" * 101 + '"}', "1" * 77 + "..."),
        ('{"Ann": 1e15}', "1000000000000000.0"),
        ('{"Ann": "' + "x" * 500 + '"}', "x" * 77 + "..."),
    ],
)
def test_what_is_no_integer_is_foreign(text: str, shown: str) -> None:
    assert read_answer(SEATS, text) == Assignment({}, {"Ann.seat": shown})


def test_a_huge_integer_that_is_already_read_is_foreign() -> None:
    assert read_assignment(SEATS, {"Ann": 10**5000, "Bob": -(10**5000)}) == Assignment(
        {}, {"Ann.seat": "inf", "Bob.seat": "-inf"}
    )


def test_labels_may_look_like_other_json() -> None:
    instance = domain(Attribute("open", values=["True", "False", "2", "None"])).instance(["a", "b", "c", "d"])
    read = read_answer(instance, '{"a": false, "b": 2.0, "c": "none", "d": null}')
    assert read == Assignment({"a.open": 1, "b.open": 2, "c.open": 3})


def test_what_is_no_label_is_foreign() -> None:
    assert read_answer(GRID, '{"Ann": {"color": "Purple", "pet": 1}}') == Assignment(
        {}, {"Ann.color": "Purple", "Ann.pet": "1"}
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"Ann": 1, "Ann": 2, "Bob": 3}',
        '{"Ann": 1, "ANN": 2, "Bob": 3}',
        '{"Ann": 1, "Ann": "x", "Bob": 3}',
        '{"solution": {"Ann": 1, "Bob": 3}, "solution": {"Ann": 2}}',
        '[{"name": "Ann", "seat": 1}, {"name": "Bob", "seat": 3}, {"name": "Ann", "seat": 2}]',
        '{"Ann": {"seat": 1, "Seat": 2}, "Bob": 3}',
        '{"Ann": 1, "seat": {"Ann": 2, "Bob": 3}}',
    ],
)
def test_two_values_for_one_variable_count_as_missing(text: str) -> None:
    read = read_answer(SEATS, text)
    assert read == Assignment({"Bob.seat": 3}, {}, ("Ann.seat",))
    assert isinstance(read, Assignment)
    assert read.missing(SEATS.variables, SEATS.required) == ("Ann.seat", "Cy.seat")


def test_labels_of_attributes_are_names_too_but_names_win() -> None:
    instance = domain(
        Attribute("a", 1, 9, label="b"), Attribute("b", 1, 9), Attribute("c", 1, 9, label="hour")
    ).instance(["E"])
    assert read_answer(instance, '{"E": {"b": 2, "Hour": 3}}') == Assignment({"E.b": 2, "E.c": 3})


def test_an_attribute_may_be_called_name() -> None:
    instance = domain(Attribute("name", values=["Ann", "Bob"]), Attribute("k", 1, 3)).instance(["Ann", "Cat"])
    rows = '[{"entity": "Cat", "name": "Ann", "k": 2}, {"name": "Ann", "k": 3}]'
    assert read_answer(instance, rows) == Assignment({"Cat.name": 0, "Cat.k": 2})


@pytest.mark.parametrize("value", [None, 3, "Ann: 3", [], {}, {3: 4}, {"solution": "x"}, object()])
def test_an_object_that_gives_no_entity_a_value_is_no_answer(value: object) -> None:
    assert read_assignment(SEATS, value) == Unparsed("the answer gives no entity a value")


@settings(max_examples=150, deadline=None)
@given(
    instance=st.sampled_from([SEATS, EVENTS, GRID]),
    text=st.lists(
        st.sampled_from(
            ['{"solution":', '"Ann"', "'Bob'", "Talk", "start", "color", "name", "<think>", "</think>", "\\u", "1e999"]
        )
        | st.sampled_from("{}[]:,\"'1²-\n ")
        | st.text(max_size=3),
        max_size=40,
    ).map("".join),
)
def test_it_never_raises(instance: Instance, text: str) -> None:
    assert isinstance(read_answer(instance, text), Assignment | Unparsed)


TWO_EVENTS = SCHEDULING.instance(["Talk", "Lunch", "Walk"], {"num_slots": 8})


def test_missing_are_required_variables_without_a_value_in_order() -> None:
    assert Assignment({}).missing(TWO_EVENTS.variables, TWO_EVENTS.required) == (
        "Talk.start",
        "Lunch.start",
        "Walk.start",
    )
    answer = Assignment({"Walk.start": 1, "Talk.duration": 2}, {"Talk.start": "noon"}, ("Lunch.start",))
    assert answer.missing(TWO_EVENTS.variables, TWO_EVENTS.required) == ("Lunch.start",)


def test_values_are_shown_as_labels_where_there_are_labels() -> None:
    answer = Assignment({"Ann.color": 2, "Ann.pet": 9}, {"Bob.pet": "Cow"})
    assert answer.shown(GRID.variables) == {"Ann.color": "Green", "Ann.pet": "9", "Bob.pet": "Cow"}
    assert Assignment({"Talk.start": 99}).shown(TWO_EVENTS.variables) == {"Talk.start": 99}


def test_rendering_leaves_out_what_has_no_value() -> None:
    assert render_answer(TWO_EVENTS, {"Walk.start": 2, "Talk.start": 1, "Talk.duration": 3}) == {
        "Talk": {"start": 1, "duration": 3},
        "Walk": {"start": 2},
    }
    assert render_answer(GRID, {"Bob.pet": 0}) == {"Bob": {"pet": "Cat"}}
    assert render_answer(SEATING.instance(["Ann", "Bob"]), {"Bob.seat": 2}) == {"Bob": 2}
    assert render_answer(GRID, {}) == {}
