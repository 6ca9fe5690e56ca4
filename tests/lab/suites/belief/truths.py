"""Brute force over truth assignments, from the types of constraints alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from holdtrue.world.instance import Constraint
from holdtrue_lab.suites.belief.generate import World


def says(made: Constraint, truth: dict[str, bool]) -> bool:
    values = [truth[str(atom)] for atom in made.args]
    match made.type:
        case "if1" | "if2" | "if3" | "if4":
            return values[-1] or not all(values[:-1])
        case "not_both" | "never_all3":
            return not all(values)
        case "equivalent":
            return values[0] == values[1]
        case "holds":
            return values[0]
        case "holds_not":
            return not values[0]
    raise AssertionError(made.type)


def truths(atoms: Sequence[str]) -> Iterator[dict[str, bool]]:
    for values in product((False, True), repeat=len(atoms)):
        yield dict(zip(atoms, values, strict=True))


def models(world: World) -> list[dict[str, bool]]:
    """Return all truth assignments that the premises allow."""
    return [truth for truth in truths(world.instance.entities) if all(says(made, truth) for made in world.premises)]
