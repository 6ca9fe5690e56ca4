"""Draw drafts by narrowing: add premises that hold in one hidden world, until few of many sampled worlds satisfy them.

The worlds that are left show, without a solver, which statements are true, false or open. This needs worlds that are
easily drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.errors import DomainError
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.drawing import draw_constraint
from holdtrue_lab.suites.cross_query.subdomain import Draft, kinds_of

SAMPLED = 300
"""The number of sampled worlds, which stand for all: they show what a premise rules out, without a solver."""
LEFT = (0.005, 0.12)
"""Premises are added until about this share of the worlds is left; how much exactly, each case draws."""
LEAST_LEFT = 3
"""No premise is taken that leaves fewer worlds, because a case has to leave something open."""
MOST_PREMISES = 8
PER_TRUTH = 4
"""The number of statements of each type that are offered as true, false and open ones each, at most."""
TRIES = 60

World = Mapping[str, int]


def draw_draft(rng: Random, instance: Instance) -> Draft:
    """Return a draft whose premises can all hold; a kind's `told` says how often it is drawn as a premise."""
    premises, left = _draw_premises(rng, instance)
    known = {instance.canonical(premise) for premise in premises}
    candidates: list[Constraint] = []
    for name in instance.types:
        drawn = (draw_constraint(rng, instance, name) for _ in range(TRIES))
        fresh = {instance.canonical(made): made for made in drawn if instance.canonical(made) not in known}
        candidates += _mixed(instance, list(fresh.values()), left)
    rng.shuffle(candidates)
    return Draft(instance, tuple(premises), tuple(candidates))


def _mixed(instance: Instance, statements: Sequence[Constraint], left: Sequence[World]) -> list[Constraint]:
    """A few of the statements: some that are true, and some that are false, in all worlds left, and others.

    Most statements are open, but a case needs some that follow and some that are excluded.
    """
    truths = {made: {instance.formula(made).holds(world) for world in left} for made in statements}
    groups = [[made for made in statements if truths[made] == truth] for truth in ({True}, {False}, {True, False})]
    return [made for group in groups for made in group[:PER_TRUTH]]


def _draw_premises(rng: Random, instance: Instance) -> tuple[list[Constraint], list[World]]:
    """Premises, none of which follows from the others, and those of the sampled worlds in which they hold."""
    weights = {kind.name: kind.told for kind in kinds_of(instance.types.values())}
    worlds = _different([draw_world(rng, instance) for _ in range(SAMPLED)])
    hidden, enough = worlds[0], rng.uniform(*LEFT) * len(worlds)
    left, excluded = set(range(len(worlds))), dict[Constraint, set[int]]()
    for name in rng.choices(list(weights), list(weights.values()), k=MOST_PREMISES * TRIES):
        if len(excluded) == MOST_PREMISES or len(left) <= enough:
            break
        made = draw_constraint(rng, instance, name)
        formula = instance.formula(made)
        if formula.holds(hidden):
            out = {place for place, world in enumerate(worlds) if not formula.holds(world)}
            # What rules nothing out says nothing new.
            if LEAST_LEFT <= len(left - out) < len(left):
                left -= out
                excluded[made] = out
    # Later premises may say all that an earlier one does.
    for made in list(excluded):
        if excluded[made] <= set().union(*(out for other, out in excluded.items() if other != made)):
            del excluded[made]
    return list(excluded), [worlds[place] for place in sorted(left)]


def _different(worlds: Sequence[World]) -> list[World]:
    """Each of the worlds once; small cases have few."""
    return list({tuple(world.values()): world for world in worlds}.values())


def draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    """Values for all variables that keep the laws."""
    for _ in range(10_000):
        world: dict[str, int] = {}
        for name, attribute in instance.attributes.items():
            possible = attribute.sort.values
            count = len(instance.entities)
            values = rng.sample(possible, count) if attribute.distinct else rng.choices(possible, k=count)
            world |= {instance[who][name].name: value for who, value in zip(instance.entities, values, strict=True)}
        if all(law.holds(world) for law in instance.background):
            return world
    raise DomainError(f"{instance.domain.name}: no world keeps its laws, or hardly any")
