"""Compare formulas with an independent judge: a plain function of a world for each constraint type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.drafts import draw_constraint

World = Mapping[str, int]
Judge = Callable[..., bool]


def draw_values(rng: Random, instance: Instance) -> dict[str, int]:
    """Return random values inside the ranges; they may break laws."""
    return {name: rng.choice(own.sort.values) for name, own in instance.variables.items()}


def disagreements(
    rng: Random, instance: Instance, judges: Mapping[str, Judge], worlds: Iterable[World]
) -> tuple[list[Constraint], set[tuple[str, bool]]]:
    """Return constraints whose formula and judge differ in a world, and the types that were found true and false."""
    wrong: list[Constraint] = []
    seen: set[tuple[str, bool]] = set()
    for world in worlds:
        for kind, judge in judges.items():
            made = draw_constraint(rng, instance, kind)
            truth = instance.formula(made).holds(world)
            seen.add((kind, truth))
            if truth != judge(instance, world, *made.args):
                wrong.append(made)
    return wrong, seen
