"""Draw constraints of an instance: one of a type, all of a type, true ones, and ones that are no premises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from holdtrue.errors import ConstraintError
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import AttributeName, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance


def draw_constraint(rng: Random, instance: Instance, type: str) -> Constraint:
    """Draw a constraint of this type whose arguments all differ."""
    args: list[Arg] = []
    for argument in instance.types[type].arguments:
        choices: Sequence[Arg]
        match argument:
            case Entity():
                choices = instance.entities
            case Integer():
                choices = range(instance.bound(argument.low), instance.bound(argument.high) + 1)
            case AttributeName():
                choices = instance.attribute_names(argument)
            case ValueOf():
                sort = instance.attributes[argument.attribute_in(args)].sort
                choices = sort.labels if isinstance(sort, EnumSort) else range(sort.low, sort.high + 1)
        args.append(rng.choice([choice for choice in choices if choice not in args]))
    return instance.constraint(type, args)


def every(instance: Instance, type: str, *choices: Sequence[Arg]) -> list[Constraint]:
    """Return all constraints of a type whose arguments are among the choices, each once in canonical form."""
    found: dict[Constraint, Constraint] = {}
    for args in product(*choices):
        try:
            made = instance.constraint(type, args)
        except ConstraintError as error:
            if error.code != "same_entity":
                raise
            continue
        if len(set(args)) == len(args):
            found.setdefault(instance.canonical(made), made)
    return list(found.values())


def draw_true(
    rng: Random, instance: Instance, truth: Mapping[str, int], among: Iterable[Constraint], count: int
) -> list[Constraint]:
    """Return at most `count` of the constraints that are true under `truth`, in random order."""
    fitting = [made for made in among if instance.formula(made).holds(truth)]
    return rng.sample(fitting, min(count, len(fitting)))


def untold(
    rng: Random, instance: Instance, premises: Iterable[Constraint], among: Iterable[Constraint]
) -> tuple[Constraint, ...]:
    """Return the constraints that are no premises, in random order."""
    told = {instance.canonical(made) for made in premises}
    left = [made for made in among if instance.canonical(made) not in told]
    return tuple(rng.sample(left, len(left)))
