"""Controls: answers that no model gave, to show what chance and the solver alone are worth."""

from __future__ import annotations

import random
from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.errors import DomainError
from holdtrue.logic.formula import AllDifferent, Variable
from holdtrue.logic.sorts import drawn_from
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import Nearest
from holdtrue.world.world import World

REJECTION_TRIES = 1000


def random_legal(world: World, engine: Engine, budget: Budget, rng: random.Random) -> Mapping[str, int]:
    """Return a random assignment that keeps the domain's laws and ignores what was agreed.

    It is uniform if rejection sampling finds one. In a domain whose laws are too tight for that, it is the legal
    assignment nearest to a random one.
    """
    laws = [formula.holds for formula in world.background]
    values: dict[str, int] = {}
    for _ in range(REJECTION_TRIES):
        values = _draw(world, rng)
        if all(law(values) for law in laws):
            return values
    found = nearest(engine, {}, values, budget)
    if not isinstance(found, Nearest):
        raise DomainError(f"no legal answer was found for this setting: {found}")
    return found.witness


def _draw(world: World, rng: random.Random) -> dict[str, int]:
    """A value for every variable; those of one attribute that a law keeps apart get different ones."""
    by_attribute: dict[str, list[Variable]] = {}
    for name, variable in world.variables.items():
        by_attribute.setdefault(world.slot(name).attribute, []).append(variable)
    apart = {frozenset(formula.terms) for formula in world.background if isinstance(formula, AllDifferent)}
    values: dict[str, int] = {}
    for own in by_attribute.values():
        choices = drawn_from(own[0].sort)
        names = [variable.name for variable in own]
        if frozenset(own) in apart and len(choices) >= len(own):
            values.update(zip(names, rng.sample(choices, len(own)), strict=True))
        else:
            values.update((variable.name, rng.choice(drawn_from(variable.sort))) for variable in own)
    return values
