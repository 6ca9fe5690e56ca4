"""Every phrasing, read by an independent reader, has in every world the truth of its formula."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Instance
from holdtrue_lab.suites.cross_query.drafts import draw_constraint
from holdtrue_lab.suites.cross_query.families import RELATIONAL
from tests.lab.suites.cross_query.relational.meaning import World
from tests.lab.suites.cross_query.relational.readings import read

PEOPLE = ["Alice", "Bob", "Charlie", "Diana", "Eve", "Frank"]
ROOMS = ["kitchen", "hall", "guest room", "attic"]
CASES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("seating_circular", PEOPLE[:4], {}),
    ("seating_circular", PEOPLE[:5], {}),
    ("seating_circular", PEOPLE, {}),
    ("seating_linear", PEOPLE[:4], {}),
    ("seating_linear", PEOPLE[:5], {}),
    ("office_assignment", PEOPLE[:3], {"offices": 8}),
    ("office_assignment", PEOPLE[:4], {"offices": 6}),
    ("team_assignment", PEOPLE[:4], {"teams": ["Lynx", "Heron", "sales"], "most": 4}),
    ("colour_assignment", ROOMS, {"colours": ["red", "blue", "white"], "most": 4}),
    ("shift_assignment", PEOPLE[:4], {"shifts": ["dawn", "noon", "night"], "most": 4}),
]
BY_NAME = {subdomain.name: subdomain for subdomain in RELATIONAL}
DRAWN = 4  # constraints of each type


def every_world(instance: Instance) -> list[dict[str, int]]:
    (attribute,) = instance.attributes.values()
    values = attribute.sort.values
    count = len(instance.entities)
    dealt = permutations(values, count) if attribute.distinct else product(values, repeat=count)
    return [dict(zip(instance.variables, each, strict=True)) for each in dealt]


@pytest.mark.parametrize(("name", "entities", "context"), CASES)
def test_every_phrasing_says_what_its_formula_says(name: str, entities: list[str], context: dict[str, Any]) -> None:
    subdomain, rng = BY_NAME[name], Random(name)
    instance = subdomain.declaration.instance(entities, context)
    (attribute,) = instance.attributes.values()
    labels = attribute.sort.labels if isinstance(attribute.sort, EnumSort) else ()
    any_name, any_value = "|".join(entities), "|".join(labels)
    slots = {letter: any_name for letter in "ABC"} | {letter: r"\d" for letter in "KL"}
    slots |= {letter: any_value for letter in "VW"}
    # The reader compares labels, but for shifts their order.
    places = {label: place if name == "shift_assignment" else label for place, label in enumerate(labels)}
    worlds = every_world(instance)
    for kind, phrasings in subdomain.phrasings.items():
        if kind not in instance.types:
            continue
        for made in [draw_constraint(rng, instance, kind) for _ in range(DRAWN)]:
            expected = [instance.formula(made).holds(world) for world in worlds]
            for phrasing in phrasings:
                meaning, args = read(name, phrasing.format(*made.args), slots)
                named = {letter: int(arg) if letter in "KL" else places.get(arg, arg) for letter, arg in args.items()}
                truths = [meaning(_shown(instance, world, list(places.values())), **named) for world in worlds]
                assert truths == expected, phrasing


def _shown(instance: Instance, world: dict[str, int], places: list[Any]) -> World:
    return {instance.slot(name).entity: places[value] if places else value for name, value in world.items()}
