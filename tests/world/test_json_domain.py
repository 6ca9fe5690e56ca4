"""Domains declared in JSON mean what their twins in Python mean, and every mistake is named with its place."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.evaluate import evaluate
from holdtrue.world.domain import Domain, Example
from holdtrue.world.instance import Instance
from holdtrue.world.json_domain import declare, read_domain
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING

EVENTS: dict[str, Any] = {
    "name": "scheduling",
    "context": {"num_slots": 8, "max_duration": 3},
    "attributes": [
        {"name": "start", "low": 1, "high": "#num_slots"},
        {"name": "duration", "low": 1, "high": "#max_duration", "optional": True},
    ],
    "constraint_types": [
        {
            "name": "before",
            "args": ["entity", "entity"],
            "sentence": "{0} must happen before {1}",
            "formula": ["<=", ["+", "$0.start", "$0.duration"], "$1.start"],
            "definition": "A has ended when B starts",
            "examples": [{"sentence": "Bake comes ahead of Eat", "args": ["Bake", "Eat"]}],
        },
        {
            "name": "at_time",
            "args": ["entity", {"integer": [1, "#num_slots"]}],
            "sentence": "{0} must start at time slot {1}",
            "formula": ["==", "$0.start", "$1"],
        },
        {
            "name": "gap",
            "args": ["entity", "entity", {"integer": [0, "#num_slots"]}],
            "sentence": "There must be at least {2} slots between {0} and {1}",
            "symmetric": True,
            "formula": [
                "or",
                ["<=", ["+", "$0.start", "$0.duration", "$2"], "$1.start"],
                ["<=", ["+", "$1.start", "$1.duration", "$2"], "$0.start"],
            ],
        },
    ],
    "axioms": [
        {
            "for": "entity",
            "sentence": "{e} must end by slot {num_slots}",
            "formula": ["<=", ["+", "$e.start", "$e.duration"], ["+", "#num_slots", 1]],
        }
    ],
    "setup": ["Time slots: 1 to {num_slots}", "{entities} events, {{braces}}"],
    "conventions": ["Events may overlap."],
}

GRID: dict[str, Any] = {
    "name": "logic_grid",
    "attributes": [
        {"name": "color", "values": ["Red", "Blue", "Green", "Yellow"], "distinct": True},
        {"name": "pet", "values": ["Cat", "Dog", "Bird", "Fish"], "distinct": True, "label": "animal"},
    ],
    "constraint_types": [
        {
            "name": "assign",
            "args": ["entity", "attribute", {"value_of": 1}],
            "sentence": "{0} is assigned {2} in category {1}",
            "formula": ["==", "$0.$1", "$2"],
        },
        {
            "name": "ordered",
            "args": ["entity", "entity", "attribute"],
            "sentence": "{0}'s {2} value comes before {1}'s {2} value",
            "formula": ["<", "$0.$2", "$1.$2"],
        },
    ],
}


def agree(declared: Instance, built_in: Instance, type: str, args: list[Any]) -> None:
    """The twins make the same constraint, in the same words, with the same meaning."""
    ours, theirs = declared.constraint(type, args), built_in.constraint(type, args)
    assert ours == theirs
    assert declared.sentence(ours) == built_in.sentence(theirs)
    assert declared.canonical(ours) == built_in.canonical(theirs)
    rng = random.Random(repr(args))
    for _ in range(30):
        values = {name: rng.choice(v.sort.values) for name, v in built_in.variables.items()}
        assert evaluate(declared.formula(ours), values) == evaluate(built_in.formula(theirs), values)


@pytest.mark.parametrize(
    ("type", "args"),
    [
        ("before", ["Talk", "Walk"]),
        ("at_time", ["Walk", 9]),
        ("gap", ["Walk", "Talk", 2]),
        ("gap", ["Talk", "Lunch", 0]),
    ],
)
def test_scheduling_has_a_declared_twin(type: str, args: list[Any]) -> None:
    names, setting = ["Talk", "Lunch", "Walk"], {"num_slots": 9}
    agree(declare(EVENTS).instance(names, setting), SCHEDULING.instance(names, setting), type, args)


@pytest.mark.parametrize(
    ("type", "args"),
    [("assign", ["Ann", "pet", "bird"]), ("assign", ["Bob", "COLOR", "Red"]), ("ordered", ["Ann", "Bob", "pet"])],
)
def test_a_logic_grid_has_a_declared_twin(type: str, args: list[Any]) -> None:
    names = ["Ann", "Bob", "Cy"]
    categories = {"color": ("Red", "Blue", "Green", "Yellow"), "pet": ("Cat", "Dog", "Bird", "Fish")}
    agree(declare(GRID).instance(names), LOGIC_GRID.instance(names, {"categories": categories}), type, args)


def test_attributes_and_laws_are_those_of_the_twin() -> None:
    declared = declare(EVENTS).instance(["Talk", "Lunch"], {"num_slots": 9})
    built_in = SCHEDULING.instance(["Talk", "Lunch"], {"num_slots": 9})
    assert declared.variables == built_in.variables
    assert declared.required == built_in.required
    assert [axiom.sentence for axiom in declared.axioms] == [axiom.sentence for axiom in built_in.axioms]
    assert [axiom.id for axiom in declared.axioms] == ["axiom_1_Talk", "axiom_1_Lunch"]
    for start in range(1, 10):
        values = {"Talk.start": start, "Talk.duration": 3, "Lunch.start": 1, "Lunch.duration": 1}
        assert [evaluate(law, values) for law in declared.background] == [
            evaluate(law, values) for law in built_in.background
        ]


def test_words() -> None:
    instance = declare(EVENTS).instance(["Talk", "Lunch"])
    assert instance.setup_lines()[2:] == ("Time slots: 1 to 8", "2 events, {braces}")
    assert instance.convention_lines() == ("Events may overlap.",)
    before = instance.types["before"]
    assert before.definition == "A has ended when B starts"
    assert before.examples == (Example("Bake comes ahead of Eat", ("Bake", "Eat")),)
    assert declare(GRID).instance(["Ann"]).setup_lines()[2] == (
        "Every entity has a color: one of Red, Blue, Green, Yellow, no two the same"
    )
    assert declare(GRID).instance(["Ann"]).attributes["pet"].label == "animal"


def shifts(**changes: Any) -> Domain:
    data: dict[str, Any] = {
        "name": "shifts",
        "attributes": [
            {"name": "day", "low": 1, "high": "#entities"},
            {"name": "shift", "values": ["Early", "Late: night"]},
        ],
        "constraint_types": [],
    }
    return declare({**data, **changes})


def test_pairs_labels_and_the_number_of_entities() -> None:
    law = {
        "for": "pair",
        "sentence": "{e} and {f} ({entities} people) do not both work late",
        "formula": ["not", ["and", *(["==", f"${name}.shift", "shift:late: NIGHT"] for name in "ef")]],
    }
    instance = shifts(axioms=[law]).instance(["Ann", "Bob", "Cy"])
    assert instance.variables["Ann.day"].sort.high == 3
    assert [(axiom.id, axiom.sentence) for axiom in instance.axioms] == [
        ("axiom_1_Ann_Bob", "Ann and Bob (3 people) do not both work late"),
        ("axiom_1_Ann_Cy", "Ann and Cy (3 people) do not both work late"),
        ("axiom_1_Bob_Cy", "Bob and Cy (3 people) do not both work late"),
    ]
    assert str(instance.background[0]) == "(not ((Ann.shift == 1) and (Bob.shift == 1)))"
    joined = shifts(axioms=[law]).instance(["A_B", "C", "A", "B_C"])
    assert len({axiom.id for axiom in joined.axioms}) == 6, "A_B with C is another pair than A with B_C"


def test_bounds_of_arguments_follow_the_setting() -> None:
    instance = declare(EVENTS).instance(["Talk"], {"num_slots": 4})
    with pytest.raises(ConstraintError, match=re.escape("5 is not in 1..4")):
        instance.constraint("at_time", ["Talk", 5])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"slots": 3}, "scheduling: unknown setting 'slots'; known settings: num_slots, max_duration"),
        ({"num_slots": "3"}, "scheduling: the setting 'num_slots' must be an integer, not '3'"),
        ({"num_slots": True}, "scheduling: the setting 'num_slots' must be an integer, not True"),
        ({"entities": 3}, "scheduling: unknown setting 'entities'"),
        ({"num_slots": 0}, "domain: attribute 'start': an integer sort needs low <= high, got 1..0"),
    ],
)
def test_a_problem_with_an_impossible_setting_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=re.escape(message)):
        declare(EVENTS).instance(["Talk"], given)


Change = Callable[[dict[str, Any]], object]


def put(path: str, value: Any) -> Change:
    """A change of the member at a path such as `attributes.0.name`."""

    def change(data: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        here: Any = data
        for part in parents:
            here = here[int(part)] if isinstance(here, list) else here[part]
        here[int(last) if isinstance(here, list) else last] = value

    return change


TYPE = "constraint_types.1"
WHERE = "d.json: constraint type 'at_time': "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("title", "x"), "d.json: unknown key 'title'; known keys: name, attributes"),
        (lambda data: data.pop("attributes"), "d.json: the key 'attributes' is missing"),
        (put("name", 3), "d.json: 'name' must be a text, not 3"),
        (put("name", " "), "d.json: 'name' must be a text, not ' '"),
        (put("context", []), "d.json: context: must be an object of settings and their defaults, not []"),
        (put("context", {"a b": 1}), "d.json: context: 'a b' cannot be the name of a setting"),
        (put("context", {"entities": 1}), "d.json: context: 'entities' cannot be the name of a setting"),
        (put("context", {"e": 1}), "d.json: context: 'e' cannot be the name of a setting"),
        (put("context.num_slots", 1.5), "d.json: context: the default of 'num_slots' must be an integer or a text"),
        (
            put("context.num_slots", "8"),
            "d.json: attribute 'start': '#num_slots' is no setting with an integer default",
        ),
        (put("attributes", {}), "d.json: 'attributes' must be a list, not {}"),
        (put("attributes", []), "d.json: a domain needs at least one attribute"),
        (put("attributes.1", "duration"), "d.json: attribute 2: must be an object, not 'duration'"),
        (put("attributes.1", {"low": 1}), "d.json: attribute 2: the key 'name' is missing"),
        (put("attributes.1.max", 3), "d.json: attribute 2: unknown key 'max'; known keys: name, low"),
        (put("attributes.1.name", "start"), "d.json: attribute 'start': is declared twice"),
        (put("attributes.1.name", "a.b"), "d.json: attribute 'a.b': a name may not contain any of"),
        (put("attributes.1.optional", 1), "d.json: attribute 'duration': 'optional' must be true or false, not 1"),
        (put("attributes.1.high", "max"), "d.json: attribute 'duration': a bound must be an integer or a setting"),
        (put("attributes.1.high", True), "d.json: attribute 'duration': a bound must be an integer or a setting"),
        (put("attributes.1.high", 0), "d.json: attribute 'duration': an integer sort needs low <= high, got 1..0"),
        (put("attributes.1.values", ["a"]), "d.json: attribute 'duration': attribute 'duration' needs low or"),
        (
            put("attributes.1.values", ["a", 3]),
            "d.json: attribute 'duration': item 2 of 'values' must be a text, not 3",
        ),
        (put(TYPE, None), "d.json: constraint type 2: must be an object, not None"),
        (put(TYPE, {"name": "x"}), "d.json: constraint type 2: the key 'args' is missing"),
        (put(f"{TYPE}.symetric", True), "d.json: constraint type 2: unknown key 'symetric'"),
        (put(f"{TYPE}.name", "gap"), "d.json: constraint type 'gap' is declared twice"),
        (put(f"{TYPE}.symmetric", True), WHERE + "a symmetric type begins with two entities"),
        (put(f"{TYPE}.args", "entity"), WHERE + "'args' must be a list, not 'entity'"),
        (
            put(f"{TYPE}.args.1", "number"),
            WHERE + 'argument {1}: must be "entity", "attribute", {"integer": [low, high]}',
        ),
        (put(f"{TYPE}.args.1", {"integer": [1]}), WHERE + "argument {1}: must be"),
        (put(f"{TYPE}.args.1", {"integer": [1, 2], "x": 1}), WHERE + "argument {1}: must be"),
        (put(f"{TYPE}.args.1", {"integer": [1, "#x"]}), WHERE + "argument {1}: '#x' is no setting"),
        (
            put(f"{TYPE}.args.1", {"value_of": 0}),
            WHERE + 'argument {1}: "value_of" must give the name of an attribute, or the number of an earlier',
        ),
        (
            put(f"{TYPE}.args.1", {"value_of": "hat"}),
            WHERE + 'argument {1}: "value_of" must give the name of an attribute: ',
        ),
        (put(f"{TYPE}.args.1", {"value_of": 1}), WHERE + 'argument {1}: "value_of" must give'),
        (put(f"{TYPE}.args.1", {"value_of": True}), WHERE + "argument {1}: must be"),
        (put(f"{TYPE}.sentence", "{0} at {2}"), WHERE + "'{0} at {2}' may not contain {2}; known fields: {0}, {1}"),
        (put(f"{TYPE}.sentence", "{0.x} {1}"), WHERE + "'{0.x} {1}' may not contain {0.x}"),
        (put(f"{TYPE}.sentence", "{0} {1:3}"), WHERE + "'{0} {1:3}' may not contain {1}"),
        (put(f"{TYPE}.sentence", "{0} {"), WHERE + "'{0} {' is no format string"),
        (put(f"{TYPE}.sentence", "{0}"), WHERE + "the sentence '{0}' does not say argument {1}"),
        (put(f"{TYPE}.formula", ["=", "$0.start", 1]), WHERE + "formula: unknown operator '='"),
        (put(f"{TYPE}.formula", ["==", "$0.start"]), WHERE + "formula: '==' takes 2 operand(s), got 1"),
        (put(f"{TYPE}.formula", "$0.start"), WHERE + "formula: a formula is true, false or a list"),
        (put(f"{TYPE}.formula", ["==", "$0.end", 1]), WHERE + "formula: '$0.end': there is no attribute 'end'"),
        (put(f"{TYPE}.formula", ["==", "$2.start", 1]), WHERE + "formula: '$2.start': there is no $2, only $0, $1"),
        (put(f"{TYPE}.formula", ["==", "$0", 1]), WHERE + "formula: '$0' is an entity, not a number"),
        (put(f"{TYPE}.formula", ["==", "$1.start", 1]), WHERE + "formula: '$1.start': $1 is no entity"),
        (put(f"{TYPE}.formula", ["==", "$0.$1", 1]), WHERE + "formula: '$0.$1': $1 does not name an attribute"),
        (put(f"{TYPE}.formula", ["==", "$1", "#x"]), WHERE + "formula: '#x' is no setting with an integer value"),
        (put(f"{TYPE}.formula", ["==", "$1", "start"]), WHERE + "formula: 'start' is no reference such as"),
        (put(f"{TYPE}.formula", ["==", "$1", "start:x"]), WHERE + "formula: 'start:x' is no reference such as"),
        (put(f"{TYPE}.definition", 3), WHERE + "'definition' must be a text, not 3"),
        (put(f"{TYPE}.examples", [{"sentence": "x"}]), WHERE + "example 1: the key 'args' is missing"),
        (put(f"{TYPE}.examples", [{"sentence": "x", "args": ["A"]}]), WHERE + "example 1: 'args' must hold 2 names"),
        (put(f"{TYPE}.examples", [{"sentence": "x", "args": ["A", True]}]), WHERE + "example 1: 'args' must hold 2"),
        (put("axioms.0.for", "any"), 'd.json: axiom 1: \'for\' must be "entity", "pair" or "all", not \'any\''),
        (put("axioms.0.id", "x"), "d.json: axiom 1: unknown key 'id'"),
        (put("axioms.0.sentence", "{f}"), "d.json: axiom 1: '{f}' may not contain {f}; known fields: {e}, {num_slots}"),
        (
            put("axioms.0.formula", ["==", "$f.start", 1]),
            "d.json: axiom 1: formula: '$f.start': there is no $f, only $e",
        ),
        (put("setup", ["{slots}"]), "d.json: setup: '{slots}' may not contain {slots}; known fields: {num_slots}"),
        (put("conventions", "x"), "d.json: 'conventions' must be a list, not 'x'"),
    ],
)
def test_mistakes_are_named_with_their_place(change: Change, message: str) -> None:
    data = copy.deepcopy(EVENTS)
    change(data)
    with pytest.raises(DomainError) as caught:
        declare(data, "d.json")
    assert str(caught.value)[: len(message)] == message


def test_references_to_attribute_names_and_unknown_labels() -> None:
    kind = {"name": "k", "args": ["entity", "attribute"], "sentence": "{0} {1}"}
    with pytest.raises(DomainError, match=re.escape("'$1' is the name of an attribute, not a number")):
        shifts(constraint_types=[{**kind, "formula": ["==", "$0.$1", "$1"]}])
    with pytest.raises(DomainError, match="'shift:Noon': shift has no value 'Noon', only Early, Late: night"):
        shifts(constraint_types=[{**kind, "formula": ["==", "$0.$1", "shift:Noon"]}])


@pytest.mark.parametrize("data", [None, [], "x", 3])
def test_a_declaration_is_an_object(data: object) -> None:
    with pytest.raises(DomainError, match=r"^here: must be an object"):
        declare(data, "here")


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "events.json"
    file.write_text(json.dumps(EVENTS), encoding="utf-8")
    assert read_domain(file).name == "scheduling"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"name": ', "is not JSON: Expecting value"),
        (b'{"name": "a", "name": "b"}', "is not JSON: the key 'name' is given twice"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "must be an object, not []"),
    ],
)
def test_a_file_that_declares_nothing_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "events.json"
    file.write_bytes(content)
    with pytest.raises(DomainError) as caught:
        read_domain(file)
    assert str(caught.value).startswith(f"{file}: {message}")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"nothing\.json: cannot be read: .*No such file"):
        read_domain(tmp_path / "nothing.json")
