"""Schedules of any size that can be met, because an answer to them was there first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from bench.solver.workload import holds
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.scheduling import SCHEDULING
from holdtrue_lab.suites.drift.generate import LONGEST_EVENT, draw_constraint

SLOTS = 100
ENTITY_EVERY = 10
"""Constraints for each entity."""
A_TURN = 2
"""Constraints in a turn."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """`agreed` are as many constraints as were asked for, `turns` what is said after them, `queries` one for each."""

    entities: tuple[str, ...]
    agreed: tuple[Constraint, ...]
    turns: tuple[tuple[Constraint, ...], ...]
    queries: tuple[Constraint, ...]

    def make_instance(self) -> Instance:
        return SCHEDULING.instance(self.entities, {"num_slots": SLOTS, "max_duration": LONGEST_EVENT})


def make_schedule(size: int, turns: int) -> Schedule:
    """A schedule with `size` constraints and `turns` more turns; the same every time."""
    rng = Random(f"schedule/{size}")
    entities = tuple(f"Event{number}" for number in range(1, size // ENTITY_EVERY + 1))
    empty = Schedule(entities, (), (), ())
    instance = empty.make_instance()
    drawn = constraints(rng, instance, plant(rng, instance))
    agreed = tuple(next(drawn) for _ in range(size))
    said = tuple(tuple(next(drawn) for _ in range(A_TURN)) for _ in range(turns))
    return Schedule(entities, agreed, said, tuple(draw_constraint(rng, instance) for _ in range(turns)))


def plant(rng: Random, instance: Instance) -> dict[str, int]:
    """An answer that keeps the setting's laws."""
    values = {}
    for entity in instance.entities:
        values[f"{entity}.duration"] = duration = rng.randint(1, LONGEST_EVENT)
        values[f"{entity}.start"] = rng.randint(1, SLOTS + 1 - duration)
    return values


def constraints(rng: Random, instance: Instance, planted: Mapping[str, int]) -> Iterator[Constraint]:
    """Constraints that hold under the planted answer, each once, without end."""
    return (made for made in draw_each_once(rng, instance) if holds(instance, made, planted))


def draw_each_once(rng: Random, instance: Instance) -> Iterator[Constraint]:
    """Random constraints, never the same again, without end: endless search where there are no more."""
    drawn: set[Constraint] = set()
    while True:
        made = instance.canonical(draw_constraint(rng, instance))
        if made not in drawn:
            drawn.add(made)
            yield made
