"""Ordering: formulas are compared with lists."""

from __future__ import annotations

from itertools import permutations
from random import Random

from holdtrue.world.instance import Instance
from holdtrue_lab.suites.cross_query.families.temporal import ORDERING
from holdtrue_lab.suites.cross_query.subdomain import Words
from tests.lab.suites.cross_query.judged import Judge, World, disagreements

ROW = ORDERING.declaration.instance(["Backup", "Build", "Export", "Import", "Release"], {"kind": "tasks"})


def listed(world: World) -> list[str]:
    return sorted(ROW.entities, key=lambda name: world[f"{name}.position"])


def _between(instance: Instance, world: World, middle: str, one: str, other: str) -> bool:
    row = listed(world)
    low, high = sorted((row.index(one), row.index(other)))
    return middle in row[low + 1 : high]


JUDGES: dict[str, Judge] = {
    "before": lambda w, world, a, b: b in listed(world)[listed(world).index(a) + 1 :],
    "just_before": lambda w, world, a, b: (a, b) in zip(listed(world), listed(world)[1:], strict=False),
    "adjacent": lambda w, world, a, b: bool(
        {(a, b), (b, a)} & set(zip(listed(world), listed(world)[1:], strict=False))
    ),
    "not_adjacent": lambda w, world, a, b: not JUDGES["adjacent"](w, world, a, b),
    "between": _between,
    "first": lambda w, world, a: listed(world)[0] == a,
    "last": lambda w, world, a: listed(world)[-1] == a,
    "at_position": lambda w, world, a, place: listed(world)[place - 1] == a,
    "not_at_position": lambda w, world, a, place: listed(world)[place - 1] != a,
    "among_first": lambda w, world, a, count: a in listed(world)[:count],
}


def test_formulas_say_what_lists_say() -> None:
    rows = [{f"{name}.position": place for place, name in enumerate(row, 1)} for row in permutations(ROW.entities)]
    assert set(JUDGES) == set(ROW.types)
    wrong, seen = disagreements(Random(1), ROW, JUDGES, rows)
    assert wrong == []
    assert seen == {(kind, truth) for kind in JUDGES for truth in (True, False)}


def test_positions_are_all_different() -> None:
    shared = dict.fromkeys(ROW.variables, 2)
    assert not all(law.holds(shared) for law in ROW.background)


def test_every_kind_of_row_has_words_of_its_own() -> None:
    openings = set()
    kinds = Words("ordering").names
    for kind, names in kinds.items():
        row = ORDERING.declaration.instance(names[:5], {"kind": kind})
        openings.add(ORDERING.setting(Random(0), row)[0].split(":")[0])
    assert len(openings) == len(kinds)
