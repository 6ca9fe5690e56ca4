"""Draw drafts whose premises all hold in one hidden world, so that they never clash, and are about different topics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.suites.cross_query.drawing import draw_constraint
from holdtrue_lab.suites.cross_query.subdomain import Draft, kinds_of

_TRIES = 30  # for one premise or statement of one type: small worlds run out of things to say
_ROUNDS = 3  # so many types are tried for each premise at most


@dataclass(frozen=True, slots=True)
class Shares:
    """The composition of a subdomain's drafts, beside how often each of its kinds is told and asked about.

    `premises` are the least and the greatest number of premises. `true` is the share of statements that hold in the
    hidden world, which are entailed or unknown; the others are contradicted or unknown.
    """

    premises: tuple[int, int]
    true: float
    candidates: int = 40


def draw_draft(
    rng: Random,
    instance: Instance,
    world: Mapping[str, int],
    shares: Shares,
    *,
    first: Sequence[Constraint] = (),
    topic: Callable[[Constraint], Hashable] | None = None,
    worth: Callable[[Constraint], bool] = lambda made: True,
) -> Draft:
    """Return a draft whose premises hold in `world`, which has a value for every variable and keeps the laws.

    `first` are premises that it always has. No two premises have the same `topic`, which by default is the set of
    related entities, or a type and its entity. Constraints that are not `worth` saying are neither premises nor
    statements.
    """
    kinds = kinds_of(instance.types.values())
    told, statements = {kind.name: kind.told for kind in kinds}, {kind.name: kind.asked for kind in kinds}
    topic_of = topic or (lambda made: _topic(instance, made))
    drawn = {instance.canonical(made): made for made in first}
    topics = {topic_of(made) for made in first}
    wanted = rng.randint(*shares.premises) + len(first)
    for _ in range(_ROUNDS * wanted):
        if len(drawn) == wanted:
            break
        made = _draw_new(rng, instance, told, lambda made: topic_of(made) not in topics and worth(made), world)
        if made is not None:
            drawn[instance.canonical(made)] = made
            topics.add(topic_of(made))
    asked: dict[Constraint, Constraint] = {}
    for _ in range(shares.candidates):
        holds = rng.random() < shares.true
        made = _draw_new(
            rng,
            instance,
            statements,
            lambda made: worth(made) and instance.canonical(made) not in drawn | asked,
            world,
            holds=holds,
        )
        if made is not None:
            asked[instance.canonical(made)] = made
    premises = list(drawn.values())
    rng.shuffle(premises)
    return Draft(instance, tuple(premises), tuple(asked.values()))


def _topic(instance: Instance, constraint: Constraint) -> Hashable:
    named = frozenset(instance.entities_in(constraint))
    return named if len(named) > 1 else (constraint.type, named)


def _draw_new(
    rng: Random,
    instance: Instance,
    weights: Mapping[str, int],
    fits: Callable[[Constraint], bool],
    world: Mapping[str, int],
    *,
    holds: bool = True,
) -> Constraint | None:
    """A constraint that fits and is true or false in the world, as asked for; None where none was found."""
    (kind,) = rng.choices(list(weights), list(weights.values()))
    for _ in range(_TRIES):
        made = draw_constraint(rng, instance, kind)
        if fits(made) and instance.formula(made).holds(world) == holds:
            return made
    return None
