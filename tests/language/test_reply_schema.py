"""The grammar of replies: all that was said fits, nothing that was not mentioned does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.reply_schema import (
    Schema,
    free_items,
    grounded_items,
    reply_schema,
    restated_schema,
    restatements,
)
from holdtrue.world.domain import Attribute, AttributeName, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.registry import BUILTIN
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from holdtrue_lab.suites.drift.files import CONTEXT_FIELDS
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


def test_windows_take_two_numbers_in_order() -> None:
    assert single(WEEK, "Audit from 5 back to 3") == {"within": [("Audit", 3, 5)]}
    assert ("Audit", 1, 4) in single(WEEK, "Audit by slot 4")["within"]
    assert single(WEEK, "Audit 3") == {
        "at_time": [("Audit", 3)],
        "duration": [("Audit", 3)],
    }


def test_values_go_with_their_own_attribute() -> None:
    assert single(GRID, "Robin and the dog") == {
        "assign": [("Robin", "pet", "Dog")],
        "not_assign": [("Robin", "pet", "Dog")],
    }
    by_color = single(GRID, "Robin, Reese: color")
    assert by_color["ordered"] == [("Robin", "Reese", "color"), ("Reese", "Robin", "color")]
    assert len(single(GRID, "Robin unlike Reese")["different"]) == 3  # no attribute named: any of them


def test_words_may_stand_for_a_number() -> None:
    assert single(WEEK, "Audit and Demo must not overlap")["gap"] == [("Audit", "Demo", 0)]
    assert "gap" not in single(WEEK, "Audit and Demo must not meet")


def test_more_names_than_one_constraint_takes_mean_several() -> None:
    assert candidates(TABLE, "Nora is by Omar, Priya is by Omar").several
    assert candidates(TABLE, "Nora takes 3 and Omar takes 2").several
    assert not candidates(TABLE, "Nora and Omar want to be close").several


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


def test_sides_are_offered_only_where_one_is_named_and_alone_where_its_owner_is() -> None:
    assert "left_of" not in single(TABLE, "Nora right next to Omar")
    assert set(single(TABLE, "Nora, Omar, left, right")) == {"adjacent", "not_adjacent", "left_of"}
    assert single(TABLE, "On Omar's left is Nora") == {"left_of": [("Omar", "Nora"), ("Nora", "Omar")]}


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


def _instance(name: str) -> Instance:
    record = json.loads((OWN / "problems" / f"{name}.json").read_text(encoding="utf-8"))
    fields = {key: record[key] for key in CONTEXT_FIELDS[record["domain"]] if key in record}
    return BUILTIN[record["domain"]].instance(record["entities"], fields)


def test_grounding_rarely_shuts_out_what_was_said() -> None:
    """On the project's own paraphrases; 'the two sides' and 'one has to be over' are beyond it."""
    shut_out = []
    for record in read_jsonl(OWN / "sentences.jsonl"):
        instance = _instance(record["problem_id"])
        made = instance.constraint(record["type"], record["args"])
        if not candidates(instance, record["sentence"]).hold(instance, made):
            shut_out.append(record["sentence"])
    assert len(shut_out) <= 1


@pytest.mark.parametrize("domain", list(BUILTIN))
def test_own_paraphrases_cover_every_type(domain: str) -> None:
    read = {record["type"] for record in read_jsonl(OWN / "sentences.jsonl") if record["domain"] == domain}
    assert read == {kind.name for kind in BUILTIN[domain].constraint_types}


def test_attributes_of_another_kind_are_no_candidates() -> None:
    rooms = AttributeName(lambda w: ("attic", "cellar"))
    house = Domain(
        "house",
        [Attribute("clerk", 0, 1), Attribute("attic", 0, 1), Attribute("cellar", 0, 1)],
        [ConstraintType("enters", (Entity(), rooms), "{0} enters {1}", lambda w, a, room: a[room].eq(1))],
    ).instance(["Nora", "Omar"])
    assert candidates(house, "Nora, the clerk, goes to the attic").part == {"enters": [("Nora", "attic")]}
    assert candidates(house, "Nora is a clerk").part == {}
    assert admits(free_items(house), {"type": "enters", "args": ["Nora", "cellar"]})
    assert not admits(free_items(house), {"type": "enters", "args": ["Nora", "clerk"]})
