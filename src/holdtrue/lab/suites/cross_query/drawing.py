"""Draw constraints of an instance: one of a type, all of a type, true ones, and ones that are no premises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from holdtrue.errors import ConstraintError
from holdtrue.lab.kit.constraints import choices
from holdtrue.world.instance import Arg, Constraint, Instance


def draw_constraint(rng: Random, instance: Instance, type: str) -> Constraint:
    """Draw a constraint of this type whose arguments all differ."""
    args: list[Arg] = []
    for argument in instance.types[type].arguments:
        possible = choices(instance, argument, args)
        args.append(rng.choice([choice for choice in possible if choice not in args]))
    return instance.constraint(type, args)


def every(instance: Instance, type: str, *among: Sequence[Arg]) -> list[Constraint]:
    """Return all constraints of a type whose arguments are among these, each once in canonical form."""
    found: dict[Constraint, Constraint] = {}
    for args in product(*among):
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
    known = {instance.canonical(made) for made in premises}
    left = [made for made in among if instance.canonical(made) not in known]
    return tuple(rng.sample(left, len(left)))
