"""The grammar of replies allows the constraints of the sentence and no others, and lessons teach it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.prompts import define, lessons, wordings, written
from holdtrue.language.replies import (
    Schema,
    free_items,
    grounded_items,
    reply_schema,
    restated_schema,
    restatements,
)
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer, ValueOf
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.registry import BUILTIN
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.data import read_jsonl

OWN = Path(__file__).parent / "paraphrases"
TABLE = SEATING.instance(["Nora", "Omar", "Priya", "Quentin"])
SIDES = SEATING.instance(["Nora", "Omar", "Priya", "Quentin"], {"table_shape": "rectangular"})
WEEK = SCHEDULING.instance(["Budget", "Audit", "Demo"])
GRID = LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"])


def admits(schema: Schema, value: Any) -> bool:
    """Whether a value obeys a schema, for the few keywords that are used here."""
    if "anyOf" in schema:
        return any(admits(option, value) for option in schema["anyOf"])
    if "const" in schema:
        return type(value) is type(schema["const"]) and value == schema["const"]
    if "enum" in schema:
        return any(type(value) is type(option) and value == option for option in schema["enum"])
    match schema["type"]:
        case "object":
            return (
                isinstance(value, dict)
                and list(value) == schema["required"]
                and all(admits(schema["properties"][key], item) for key, item in value.items())
            )
        case "array":
            slots = schema.get("prefixItems") or [schema["items"]] * len(value)
            return (
                isinstance(value, list)
                and schema["minItems"] <= len(value) <= schema["maxItems"]
                and all(admits(slot, item) for slot, item in zip(slots, value, strict=True))
            )
        case "integer":
            return isinstance(value, int) and schema["minimum"] <= value <= schema["maximum"]
        case "string":
            return isinstance(value, str) and len(value) <= schema["maxLength"]
    raise AssertionError(schema)


def single(instance: Instance, sentence: str) -> dict[str, list[tuple[str | int, ...]]]:
    return {name: list(lists) for name, lists in candidates(instance, sentence).single.items()}


def test_only_what_is_mentioned_and_fits_the_setting_is_offered() -> None:
    assert single(TABLE, "Nora by Omar") == {
        "adjacent": [("Nora", "Omar")],
        "not_adjacent": [("Nora", "Omar")],
    }
    assert "same_side" in single(SIDES, "Nora by Omar")
    assert single(TABLE, "Omar at 3") == {"at_position": [("Omar", 3)]}
    assert single(TABLE, "Omar at 9") == {}
    assert single(TABLE, "Omar and Nora, 2 apart") == {"separated_by": [("Omar", "Nora", 2)]}


@given(
    st.sampled_from([TABLE, SIDES, WEEK, GRID]),
    st.data(),
)
@settings(deadline=None, max_examples=80)
def test_every_constraint_is_offered_for_its_own_sentence(instance: Instance, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(instance.types.values())))
    made = data.draw(_constraints(instance, kind.name))
    found = candidates(instance, instance.sentence(made))
    assert found.hold(instance, made)
    written = {"constraints": [{"type": made.type, "args": list(made.args)}]}
    assert admits(reply_schema(free_items(instance), most=1), written)
    wanted = instance.canonical(made)
    assert any(instance.canonical(Constraint(made.type, args)) == wanted for args in found.single.get(made.type, ()))


def _constraints(instance: Instance, name: str) -> st.SearchStrategy[Constraint]:
    kind = instance.types[name]
    if name in ("assign", "not_assign"):
        attributes = instance.context["categories"]
        return st.sampled_from(list(attributes)).flatmap(
            lambda attribute: st.builds(
                lambda entity, value: Constraint(name, (entity, attribute, value)),
                st.sampled_from(instance.entities),
                st.sampled_from(attributes[attribute]),
            )
        )
    entities = st.permutations(instance.entities)
    numbers = [
        st.integers(instance.bound(a.low), instance.bound(a.high)) for a in kind.arguments if isinstance(a, Integer)
    ]
    attribute = st.sampled_from(list(instance.attributes))

    def make(names: list[str], chosen: tuple[int, ...], category: str) -> Constraint:
        given_names, given_numbers = iter(names), iter(chosen)
        args = [
            next(given_names) if isinstance(a, Entity) else next(given_numbers) if isinstance(a, Integer) else category
            for a in kind.arguments
        ]
        return Constraint(name, tuple(args))

    return st.builds(make, entities, st.tuples(*numbers), attribute)


def test_schemas_admit_the_candidates_and_nothing_else() -> None:
    schema = reply_schema(grounded_items(candidates(TABLE, "Nora left, Omar right").single), most=1)
    assert admits(schema, {"constraints": []})
    assert admits(schema, {"constraints": [{"type": "left_of", "args": ["Omar", "Nora"]}]})
    for type, args in [("left_of", ["Omar", "Omar"]), ("left_of", ["Omar", "Priya"]), ("at_position", ["Omar", 1])]:
        assert not admits(schema, {"constraints": [{"type": type, "args": args}]})
    json.dumps(schema)


def test_many_argument_lists_are_given_by_column() -> None:
    found = candidates(WEEK, "Budget, Audit, Demo: 1 2 3 4 5").part
    schema = reply_schema(grounded_items(found), most=3)
    assert admits(schema, {"constraints": [{"type": "gap", "args": ["Audit", "Demo", 4]}]})
    assert len(json.dumps(schema)) < 20_000


def test_a_sentence_that_names_too_much_is_not_read() -> None:
    crowd = SEATING.instance([f"guest{number}" for number in range(400)])
    assert single(crowd, "guest1 by guest2")
    assert not single(crowd, " and ".join(crowd.entities))


def test_restatements_keep_the_order_of_names() -> None:
    said = restatements(TABLE, candidates(TABLE, "Nora left, Omar right"), "Nora")
    assert all(words.startswith("Nora") for words in said if words != "nothing")
    assert said["Nora is right of Omar"] == Constraint("left_of", ("Omar", "Nora"))
    assert said["Nora has Omar on the left"] == Constraint("left_of", ("Omar", "Nora"))
    assert said["nothing"] is None
    assert admits(restated_schema(said), {"meaning": "Nora is left of Omar"})
    assert not admits(restated_schema(said), {"meaning": "Omar is left of Nora"})


@pytest.mark.parametrize("domain", list(BUILTIN))
def test_own_paraphrases_cover_every_type(domain: str) -> None:
    read = {record["type"] for record in read_jsonl(OWN / "sentences.jsonl") if record["domain"] == domain}
    assert read == {kind.name for kind in BUILTIN[domain].constraint_types}


SHIFTS = Domain(
    name="shifts",
    attributes=[Attribute("day", low=1, high=5), Attribute("place", values=["bar", "door"])],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        ConstraintType("before", (Entity(), Entity()), "{0} works before {1}", lambda w, a, b: a.day < b.day),
        ConstraintType(
            "has", (Entity(), AttributeName(), ValueOf(1)), "{0} has {1} {2}", lambda w, a, c, v: a[c].eq(v)
        ),
    ],
)
BUILT_IN = [
    SEATING.instance(["Nora", "Omar", "Priya", "Quentin"], {"table_shape": "rectangular"}),
    SCHEDULING.instance(["Budget", "Audit", "Demo"]),
    LOGIC_GRID.instance(["Robin", "Morgan", "Skyler", "Reese"]),
]


@pytest.mark.parametrize("instance", BUILT_IN, ids=lambda instance: instance.domain.name)
def test_every_built_in_type_is_defined_and_has_examples_that_fit_it(instance: Instance) -> None:
    for kind in instance.types.values():
        assert kind.definition
        assert kind.wordings
        assert len(kind.examples) >= 2
        for example in kind.examples:
            names = [arg for arg, slot in zip(example.args, kind.arguments, strict=True) if isinstance(slot, Entity)]
            assert all(str(name) in example.sentence for name in names)
            kind.sentence.format(*example.args)


def test_a_domain_without_examples_is_taught_by_its_sentences() -> None:
    week = SHIFTS.instance(["Ida", "Bo"])
    taught = lessons(week, 2)
    stated = [(sentence, [(kind.name, args) for kind, args in facts]) for sentence, facts in taught]
    assert ("Jonas works on day 2", [("on", ("Jonas", 2))]) in stated  # 'Ida' is taken by the problem itself
    assert any(len(facts) == 2 for _, facts in stated)
    assert sum(not facts for _, facts in stated) == 2
    assert define(week).splitlines()[0] == "- on(A, number): A works on day number."
    assert not any("Bo " in sentence or "Ida" in sentence for sentence, _ in stated)


def test_wordings_begin_with_the_entity_that_was_named_first() -> None:
    before = BUILT_IN[1].types["before"]
    assert wordings(before, ("Demo", "Audit"), "Audit") == ["Audit is after Demo"]
    assert wordings(before, ("Demo", "Audit"), None) == ["Demo is before Audit", "Audit is after Demo"]
    on = SHIFTS.constraint_types[0]
    assert wordings(on, ("Bo", 2), "Bo") == ["Bo works on day 2"]


def test_replies_of_lessons_say_it_in_words_and_then_write_it() -> None:
    before = BUILT_IN[1].types["before"]
    stated = [(before, ("Demo", "Audit"))]
    assert written("Audit waits for Demo", stated) == (
        '{"meaning":"Audit is after Demo","constraints":[{"type":"before","args":["Demo","Audit"]}]}'
    )
    assert json.loads(written("Thanks", [])) == {"meaning": "nothing", "constraints": []}
