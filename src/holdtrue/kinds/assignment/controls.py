"""Controls: answers that no model gave, to show what chance and the solver alone are worth."""

from __future__ import annotations

import random
from collections.abc import Mapping

from holdtrue.budget import Budget
from holdtrue.errors import DomainError
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.nearest import nearest
from holdtrue.solving.result import Nearest
from holdtrue.world.instance import Instance

REJECTION_TRIES = 1000


def random_legal(instance: Instance, engine: Engine, budget: Budget, rng: random.Random) -> Mapping[str, int]:
    """A random assignment that obeys the domain's laws and knows nothing of what was agreed.

    Uniform where rejection sampling finds one; in domains whose laws are too tight for that, the legal
    assignment nearest to a random one.
    """
    laws = [formula.holds for formula in instance.background]
    values: dict[str, int] = {}
    for _ in range(REJECTION_TRIES):
        values = _draw(instance, rng)
        if all(law(values) for law in laws):
            return values
    found = nearest(engine, {}, values, budget)
    if not isinstance(found, Nearest):
        raise DomainError(f"{instance.domain.name}: no legal answer was found for this setting: {found}")
    return found.witness


def _draw(instance: Instance, rng: random.Random) -> dict[str, int]:
    values: dict[str, int] = {}
    for name, attribute in instance.attributes.items():
        choices = range(attribute.sort.low, attribute.sort.high + 1)
        own = [instance[entity][name].name for entity in instance.entities]
        if attribute.distinct and len(choices) >= len(own):
            values.update(zip(own, rng.sample(choices, len(own)), strict=True))
        else:
            values.update((variable, rng.choice(choices)) for variable in own)
    return values
