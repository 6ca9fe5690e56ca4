from __future__ import annotations

from random import Random

import pytest

from holdtrue.lab.suites.belief.horn_world import is_rule
from holdtrue.lab.suites.belief.world import ATOMS, LONG_BODY, draw_world
from tests.lab.suites.belief.truths import models

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
