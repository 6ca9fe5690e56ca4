from __future__ import annotations

from random import Random

import pytest

from holdtrue.lab.suites.belief.horn_world import is_rule
from holdtrue.lab.suites.belief.schedule import SCHEDULES, ask_at_random, ask_under_stress
from holdtrue.lab.suites.belief.world import World, draw_world
from holdtrue.world.instance import Constraint

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
