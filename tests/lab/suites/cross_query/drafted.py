"""Labelled drafts of a subdomain, for the tests of all subdomains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from holdtrue.budget import UNLIMITED
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.result import Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue.world.domain import Argument, AttributeName, Entity, Integer
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain


def draw_instance(subdomain: Subdomain, rng: Random) -> Instance:
    entities, context = subdomain.draw_setting(rng)
    return subdomain.declaration.instance(entities, context)


def draw_one(subdomain: Subdomain, stream: object) -> Draft:
    """Return the draft of a random stream, with a new instance."""
    rng = Random(str(stream))
    return subdomain.draw(rng, draw_instance(subdomain, rng))


def labels_of(draft: Draft) -> list[Label]:
    """Return the labels of the candidates; the premises must be consistent."""
    instance = draft.instance
    engine = make_engine(list(instance.variables.values()), instance.background)
    soft = {f"P{place}": instance.formula(made) for place, made in enumerate(draft.premises)}
    first = engine.decide(soft, UNLIMITED)
    assert isinstance(first, Satisfiable), draft.premises
    found = [
        label_of(engine, soft, instance.formula(made), UNLIMITED, witness=first.witness) for made in draft.candidates
    ]
    labels = [label for label in found if isinstance(label, Label)]
    assert len(labels) == len(found), found
    return labels


def every_constraint(instance: Instance, kind: str, numbers: int) -> Iterator[Constraint]:
    """Return all constraints of a type, with at most so many different numbers."""
    arguments = instance.types[kind].arguments
    for args in product(*(_choices(instance, argument, numbers) for argument in arguments)):
        if len(set(args)) == len(args):
            yield instance.constraint(kind, list(args))


def _choices(instance: Instance, argument: Argument, numbers: int) -> Sequence[Arg]:
    match argument:
        case Entity():
            return list(instance.entities)
        case Integer():
            return list(range(instance.bound(argument.low), instance.bound(argument.high) + 1))[:numbers]
        case AttributeName():
            return list(instance.attribute_names(argument))
    raise AssertionError(argument)
