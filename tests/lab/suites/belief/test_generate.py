from __future__ import annotations

from random import Random

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue.world.instance import Constraint
from holdtrue_lab.suites.belief.generate import (
    ATOMS,
    LONG_BODY,
    SCHEDULES,
    World,
    ask_at_random,
    ask_under_stress,
    draw_world,
    generate_dialogues,
)
from holdtrue_lab.suites.belief.horn_world import is_rule
from tests.lab.suites.belief.truths import models, says

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_world_is_possible_and_has_what_is_promised(seed: int) -> None:
    world = draw_world(Random(seed))
    atoms = world.instance.entities
    assert ATOMS[0] <= len(atoms) <= ATOMS[1]
    assert models(world)
    assert {str(atom) for made in world.premises for atom in made.args} == set(atoms)
    assert any(is_rule(made.type) and len(made.args) > LONG_BODY for made in world.premises)
    assert any(made.type == "equivalent" for made in world.premises)
    assert any(made.type == "holds" for made in world.premises)
    canonical = list(map(world.instance.canonical, world.premises))
    assert len(set(canonical)) == len(canonical)


def test_worlds_differ_and_use_every_type() -> None:
    worlds = [draw_world(Random(seed)) for seed in SEEDS]
    assert {made.type for world in worlds for made in world.premises} == set(worlds[0].instance.types)
    assert len({world.premises for world in worlds}) == len(worlds)
    assert {len(world.instance.entities) for world in worlds} == set(range(ATOMS[0], ATOMS[1] + 1))


WORLDS = [draw_world(Random(seed)) for seed in range(40)]


def literal(world: World, atom: object, positive: bool) -> Constraint:
    return world.instance.constraint("holds" if positive else "holds_not", [atom])


@pytest.mark.parametrize("name", sorted(SCHEDULES))
@pytest.mark.parametrize("turns", [1, 2, 4, 10, 40])
def test_as_many_questions_as_turns_each_on_one_atom(name: str, turns: int) -> None:
    for world in WORLDS[:10]:
        asked = SCHEDULES[name](Random(1), world, turns)
        assert len(asked) == turns
        assert all(made.type in ("holds", "holds_not") and len(made.args) == 1 for made in asked)
        assert asked == SCHEDULES[name](Random(1), world, turns)


@pytest.mark.parametrize("world", WORLDS)
def test_stress_asks_about_a_head_and_its_denial_and_conditions_and_equivalents(world: World) -> None:
    asked = ask_under_stress(Random(2), world, 10)
    head = asked[0].args[0]
    assert asked[:2] == (literal(world, head, True), literal(world, head, False))
    rules = [
        made
        for made in world.premises
        if is_rule(made.type)
        and made.args[-1] == head
        and {literal(world, atom, True) for atom in made.args[:-1]} == set(asked[2 : len(made.args) + 1])
    ]
    assert rules
    starts = {len(rule.args) + 1 for rule in rules}
    assert any(
        {asked[start].args[0], asked[start + 1].args[0]} == set(made.args)
        and (asked[start].type, asked[start + 1].type) == ("holds", "holds_not")
        for start in starts
        for made in world.premises
        if made.type == "equivalent"
    )
    assert asked[-1] in asked[:-1]


def test_random_questions_come_in_both_forms_and_about_every_atom() -> None:
    world = WORLDS[0]
    asked = ask_at_random(Random(3), world, 400)
    assert {made.args[0] for made in asked} == set(world.instance.entities)
    denials = sum(made.type == "holds_not" for made in asked)
    assert 150 < denials < 250


def world_of(case: Case) -> World:
    assert case.instance is not None
    return World(case.instance, tuple(p.constraint for p in case.premises if p.constraint is not None))


@pytest.mark.parametrize("schedule", ["random", "stress"])
def test_labels_are_those_of_brute_force(schedule: str) -> None:
    for case in generate_dialogues(3, 25, schedule=schedule):
        world = world_of(case)
        allowed = models(world)
        for query in case.queries:
            assert query.constraint is not None
            found = {says(query.constraint, truth) for truth in allowed}
            settled = Label.ENTAILED if True in found else Label.CONTRADICTED
            expected = Label.UNKNOWN if len(found) == 2 else settled
            assert query.label is expected


def test_dialogues_do_not_depend_on_how_many_are_made() -> None:
    many = generate_dialogues(7, 8)
    assert generate_dialogues(7, 3) == many[:3]
    assert many == generate_dialogues(7, 8)
    assert many != generate_dialogues(8, 8)
    assert [case.id for case in many] == [f"belief_stress_{index:04d}" for index in range(8)]


def test_both_schedules_ask_about_the_same_worlds() -> None:
    stress, random = (generate_dialogues(7, 4, schedule=schedule) for schedule in ("stress", "random"))
    assert [case.premises for case in stress] == [case.premises for case in random]
    assert all(one.queries != other.queries for one, other in zip(stress, random, strict=True))


@pytest.mark.parametrize("schedule", ["random", "stress"])
def test_no_label_is_rare(schedule: str) -> None:
    labels = [query.label for case in generate_dialogues(42, 120, schedule=schedule) for query in case.queries]
    assert len(labels) == 1200
    for label in Label:
        assert labels.count(label) > 0.2 * len(labels)


def test_a_dialogue_is_a_whole_case() -> None:
    (case,) = generate_dialogues(5, 1, turns=12)
    assert (case.suite, case.domain, case.subdomain) == ("belief", "stress", "horn_world")
    assert case.instance is not None
    assert case.entities == case.instance.entities
    assert {variable.name for variable in case.variables} == {f"{atom}.holds" for atom in case.entities}
    assert [query.id for query in case.queries] == [f"q{place}" for place in range(12)]
    assert len(case.theory) == len(case.premises)
    for premise in case.premises:
        assert premise.constraint is not None
        assert premise.formula == case.instance.formula(premise.constraint)
    for place, query in enumerate(case.queries):
        assert query.constraint is not None
        assert query.formula == case.instance.formula(query.constraint)
        earlier = [before for before in case.queries[:place] if before.constraint is not None]
        same = [
            number
            for number, before in enumerate(earlier)
            if before.constraint is not None and before.constraint.args == query.constraint.args
        ]
        assert query.depends_on == tuple(same)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [({"count": 0}, "at least 1"), ({"turns": 0}, "at least 1"), ({"schedule": "x"}, "random, stress")],
)
def test_settings_that_cannot_be_met(settings: dict[str, object], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        generate_dialogues(1, **settings)  # type: ignore[arg-type]
