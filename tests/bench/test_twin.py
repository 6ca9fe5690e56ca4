"""The naive twin of the benchmark enumerates all assignments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from bench.solver.twin import Twin
from bench.solver.workload import holds, naive_answer
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.suites.drift.generate import draw_constraint
from tests.solving.brute import assignments

SETTINGS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "seating": (("Ann", "Bob", "Cy", "Dee"), {"table_shape": "rectangular"}),
    "scheduling": (("Talk", "Walk"), {"num_slots": 5, "max_duration": 3}),
    "logic_grid": (("Ida", "Jon", "Lea"), {"categories": {"pet": ["Cat", "Dog", "Owl"], "hue": ["Red", "Tan", "Jet"]}}),
}
SEEDS = range(3)


class Brute:
    """The same answers as the twin's, from a table of the assignments that satisfy each constraint."""

    def __init__(self, instance: Instance, constraints: Sequence[Constraint], query: Constraint) -> None:
        self.all = [
            values
            for values in assignments(tuple(instance.variables.values()))
            if all(law.holds(values) for law in instance.background)
        ]
        self.kept = [[holds(instance, constraint, values) for constraint in constraints] for values in self.all]
        self.query = [holds(instance, query, values) for values in self.all]

    def possible(self, places: Iterable[int]) -> bool:
        places = tuple(places)
        return any(all(row[place] for place in places) for row in self.kept)

    def classify(self, count: int) -> str:
        values = {query for row, query in zip(self.kept, self.query, strict=True) if all(row[:count])}
        return "independent" if len(values) == 2 else "entailed" if True in values else "refuted"

    def mcs(self, count: int) -> tuple[int, ...]:
        kept: list[int] = []
        for place in range(count):
            if self.possible([*kept, place]):
                kept.append(place)
        return tuple(place for place in range(count) if place not in kept)


def theory(domain: str, seed: int) -> tuple[Instance, list[Constraint], Constraint]:
    """A small instance, and constraints whose last one makes them unsatisfiable."""
    entities, context = SETTINGS[domain]
    instance, rng = BUILTIN[domain].instance(entities, context), Random(f"{domain}/{seed}")
    constraints, query = [draw_constraint(rng, instance)], draw_constraint(rng, instance)
    while Brute(instance, constraints, query).possible(range(len(constraints))):
        constraints.append(draw_constraint(rng, instance))
    return instance, constraints, query


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("domain", SETTINGS)
def test_verdicts_on_constraints(domain: str, seed: int) -> None:
    instance, constraints, query = theory(domain, seed)
    twin, brute, most = Twin(instance), Brute(instance, constraints, query), len(constraints)
    assert not twin.satisfiable(constraints)
    for count in range(most):
        assert twin.satisfiable(constraints[:count]) == brute.possible(range(count)), count
        if brute.possible(range(count)):
            assert twin.classify(constraints[:count], query) == brute.classify(count), count
    for found in (twin.mus(constraints), twin.refined_mus(constraints)):
        assert not brute.possible(found)
        assert all(brute.possible(rest) for rest in combinations(found, len(found) - 1))
    for places in combinations(range(most), min(2, most)):
        smaller = combinations(places, len(places) - 1)
        minimal = not brute.possible(places) and all(brute.possible(rest) for rest in smaller)
        assert twin.is_mus(constraints, places) == minimal
    assert twin.mcs(constraints) == brute.mcs(most)
    assert twin.minimum_mcs(constraints) == most - max(sum(row) for row in brute.kept)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("domain", SETTINGS)
def test_verdicts_on_answers(domain: str, seed: int) -> None:
    instance, constraints, query = theory(domain, seed)
    constraints.pop()
    twin, brute = Twin(instance), Brute(instance, constraints, query)
    right = [values for values, row in zip(brute.all, brute.kept, strict=True) if all(row)]
    answer = naive_answer(instance)
    assert answer in brute.all
    broken = tuple(place for place, made in enumerate(constraints) if not holds(instance, made, answer))
    assert twin.violated(constraints, answer) == broken
    costs = [sum(values[name] != value for name, value in answer.items()) for values in right]
    assert twin.nearest(constraints, answer) == min(costs)
    for name, value in answer.items():
        extendable = any(values[name] == value for values in right)
        assert twin.satisfiable(constraints, {name: value}) == extendable
