"""Three ways to judge an answer - compiled closures, the SAT engine, z3 - never differ on the built-in domains."""

from __future__ import annotations

import random
from typing import Any

import pytest

from holdtrue.logic.evaluate import compile_formula
from holdtrue.logic.sorts import EnumSort
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue.world.domain import Argument, AttributeName, Domain, Entity, Integer
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.logic_grid import LOGIC_GRID
from holdtrue.world.scheduling import SCHEDULING
from holdtrue.world.seating import SEATING
from tests.solving.brute import AMPLE

NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
SETTINGS: dict[str, tuple[Domain, list[str], dict[str, Any]]] = {
    "round, with a free seat": (SEATING, NAMES, {"num_entities": 7}),
    "rectangular": (SEATING, NAMES, {"table_shape": "rectangular"}),
    "scheduling": (SCHEDULING, NAMES[:5], {"num_slots": 8}),
    "logic grid": (LOGIC_GRID, NAMES[:4], {}),
}
ASSIGNMENTS = 750
"""For each setting, so 3,000 in all."""


def _argument(rng: random.Random, instance: Instance, argument: Argument, before: list[Arg]) -> Arg:
    match argument:
        case Entity():
            return rng.choice([name for name in instance.entities if name not in before])
        case Integer():
            return rng.randint(instance.bound(argument.low), instance.bound(argument.high))
        case AttributeName():
            return rng.choice(list(instance.attributes))
    sort = instance.attributes[argument.attribute_in(before)].sort
    return rng.choice(sort.labels) if isinstance(sort, EnumSort) else rng.choice(sort.values)


def _constraints(rng: random.Random, instance: Instance) -> dict[str, list[Constraint]]:
    """Some constraints of every type that the setting has."""
    chosen: dict[str, list[Constraint]] = {}
    for name, kind in instance.types.items():
        for _ in range(8):
            args: list[Arg] = []
            for argument in kind.arguments:
                args.append(_argument(rng, instance, argument, args))
            chosen.setdefault(name, []).append(instance.constraint(name, args))
    return chosen


def _assignment(rng: random.Random, instance: Instance) -> dict[str, int]:
    """Values at random; for distinct attributes mostly all different, as otherwise hardly any answer is lawful."""
    values = {name: rng.choice(v.sort.values) for name, v in instance.variables.items()}
    for name, attribute in instance.attributes.items():
        if attribute.distinct and rng.random() < 0.9:
            dealt = rng.sample(attribute.sort.values, len(instance.entities))
            values.update({f"{entity}.{name}": value for entity, value in zip(instance.entities, dealt, strict=True)})
    if instance.domain is SCHEDULING and rng.random() < 0.9:
        for entity in instance.entities:
            room = instance.context["num_slots"] - values[f"{entity}.start"] + 1
            values[f"{entity}.duration"] = min(values[f"{entity}.duration"], room)
    return values


@pytest.mark.parametrize("setting", SETTINGS)
def test_closures_sat_and_z3_agree_on_random_answers(setting: str) -> None:
    domain, entities, context = SETTINGS[setting]
    rng = random.Random(f"agreement {setting}")
    instance = domain.instance(entities, context)
    variables = tuple(instance.variables.values())
    sat, z3 = SatEngine(variables, instance.background), Z3Engine(variables, instance.background)
    laws = [compile_formula(formula) for formula in instance.background]
    constraints = _constraints(rng, instance)
    checks = {c: compile_formula(instance.formula(c)) for group in constraints.values() for c in group}
    held = dict.fromkeys(constraints, 0)
    for number in range(ASSIGNMENTS):
        kind = list(constraints)[number % len(constraints)]
        constraint = rng.choice(constraints[kind])
        values = _assignment(rng, instance)
        expected = all(law(values) for law in laws) and checks[constraint](values)
        soft = {"it": instance.formula(constraint)}
        assert isinstance(sat.check(soft, AMPLE, fixed=values), Satisfiable) == expected, (constraint, values)
        assert isinstance(z3.check(soft, AMPLE, fixed=values), Satisfiable) == expected, (constraint, values)
        held[kind] += expected
    # Some of each kind must hold and some must not, or agreement would mean little; 'same' can never hold.
    assert all(0 < count < ASSIGNMENTS // len(held) for kind, count in held.items() if kind != "same_as"), held
