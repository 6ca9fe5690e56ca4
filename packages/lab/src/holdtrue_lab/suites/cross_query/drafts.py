"""This module draws people, constraints and drafts. There are two ways to draw a draft: by narrowing, and by shares.

In both, all premises hold in one hidden world, so they are consistent. By narrowing, premises are added until few of
many sampled worlds satisfy them. The worlds left show, without a solver, which statements are true, false or open. This
needs worlds that are easily drawn. By shares, the draft has given shares of true and false statements, and the premises
have different topics.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.world.domain import Context
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue_lab.kit.constraints import choices
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.subdomain import Draft, kinds_of

NAMES = (
    "Alice", "Bob", "Charlie", "Diana", "Eve", "Frank", "Grace", "Henry", "Irene", "Jack",
    "Karen", "Liam", "Mia", "Noah", "Olivia", "Peter", "Quinn", "Rosa", "Samir", "Tina",
    "Ursula", "Victor", "Wanda", "Xavier", "Yusuf", "Zoe", "Amir", "Beatrix", "Carlos", "Dalia",
    "Erik", "Fatima", "Gustav", "Hana", "Igor", "Julia", "Kofi", "Leila", "Marco", "Nadia",
    "Oscar", "Priya", "Rafael", "Sofia", "Tomas", "Uma", "Vera", "Walter", "Yara", "Zeno",
)  # fmt: skip
PEOPLE = (
    "Abel", "Agnes", "Amir", "Anita", "Astrid", "Basil", "Bianca", "Boris", "Carla", "Cedric",
    "Cora", "Dalia", "Darius", "Dora", "Edgar", "Elena", "Emil", "Esther", "Fabio", "Felix",
    "Flora", "Gavin", "Gemma", "Goran", "Greta", "Hanna", "Hector", "Hugo", "Ines", "Igor",
    "Iris", "Jasper", "Joan", "Judith", "Kamil", "Katya", "Kirk", "Laura", "Leon", "Lucia",
    "Magnus", "Marta", "Milan", "Nadia", "Nina", "Norman", "Oscar", "Otto", "Paula", "Pedro",
    "Petra", "Ralph", "Rita", "Roman", "Sofia", "Stefan", "Tamara", "Teresa", "Ulrich", "Vera",
    "Victor", "Walter", "Yara", "Zoltan",
)  # fmt: skip


def draw_people(rng: Random, fewest: int, most: int, names: Sequence[str] = NAMES) -> list[str]:
    """Return a random number of people from `fewest` to `most`."""
    return rng.sample(names, rng.randint(fewest, most))


def lists_of_names(domain: str, context: Context, *keys: str) -> Context:
    """Return the setting if it has a list of names under each key and nothing else; raises `DomainError`."""
    if set(context) != set(keys):
        raise DomainError(f"{domain}: a setting gives {listed(keys)}, not {listed(sorted(context)) or 'nothing'}")
    for key in keys:
        names = context[key]
        if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
            raise DomainError(f"{domain}: {key} must be a list of names")
    return {key: tuple(context[key]) for key in keys}


def draw_constraint(rng: Random, instance: Instance, type: str) -> Constraint:
    """Draw a constraint of this type whose arguments all differ."""
    args: list[Arg] = []
    for argument in instance.types[type].arguments:
        possible = choices(instance, argument, args)
        args.append(rng.choice([choice for choice in possible if choice not in args]))
    return instance.constraint(type, args)


def every(instance: Instance, type: str, *among: Sequence[Arg]) -> list[Constraint]:
    """Return all constraints of a type, each once in canonical form; `among` has the values for each argument."""
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
    """Return the constraints of `among` that are no premises, in random order."""
    known = {instance.canonical(made) for made in premises}
    left = [made for made in among if instance.canonical(made) not in known]
    return tuple(rng.sample(left, len(left)))


SAMPLED = 300
"""The number of sampled worlds, which show without a solver which worlds a premise excludes."""
LEFT = (0.005, 0.12)
"""The premises leave a share of the worlds. Each case draws this share from this range."""
LEAST_LEFT = 3
"""The fewest worlds that a premise may leave, because a case needs open statements."""
MOST_PREMISES = 8
PER_TRUTH = 4
"""The largest number of candidates of each type that are true, and as many for false and for open ones."""
TRIES = 60

World = Mapping[str, int]


def draw_by_narrowing(rng: Random, instance: Instance) -> Draft:
    """Return a draft with consistent premises; the field `told` of a kind is its frequency among premises."""
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
    """Return some statements that are true in all worlds left, some that are false in all, and some that are open.

    Most of all statements are open, but a case also needs entailed and refuted statements.
    """
    truths = {made: {instance.formula(made).holds(world) for world in left} for made in statements}
    groups = [[made for made in statements if truths[made] == truth] for truth in ({True}, {False}, {True, False})]
    return [made for group in groups for made in group[:PER_TRUTH]]


def _draw_premises(rng: Random, instance: Instance) -> tuple[list[Constraint], list[World]]:
    """Return premises that do not follow from each other, and the sampled worlds in which they hold."""
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
            # A premise that excludes no world adds nothing.
            if LEAST_LEFT <= len(left - out) < len(left):
                left -= out
                excluded[made] = out
    # Later premises may imply an earlier one.
    for made in list(excluded):
        if excluded[made] <= set().union(*(out for other, out in excluded.items() if other != made)):
            del excluded[made]
    return list(excluded), [worlds[place] for place in sorted(left)]


def _different(worlds: Sequence[World]) -> list[World]:
    return list({tuple(world.values()): world for world in worlds}.values())


def draw_world(rng: Random, instance: Instance) -> dict[str, int]:
    """Return values for all variables that satisfy the laws."""
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


_TRIES = 30  # the number of draws of a constraint of one type, because small worlds have few constraints
_ROUNDS = 3  # the number of types that are tried for a premise


@dataclass(frozen=True, slots=True)
class Shares:
    """A `Shares` sets the composition of a subdomain's drafts, in addition to the frequencies of its kinds.

    `premises` is the range of the number of premises. `true` is the share of statements that hold in the hidden world.
    These statements are entailed or unknown, and the others are contradicted or unknown.
    """

    premises: tuple[int, int]
    true: float
    candidates: int = 40


def draw_by_shares(
    rng: Random,
    instance: Instance,
    world: Mapping[str, int],
    shares: Shares,
    *,
    first: Sequence[Constraint] = (),
    topic: Callable[[Constraint], Hashable] | None = None,
    worth: Callable[[Constraint], bool] = lambda made: True,
) -> Draft:
    """Return a draft whose premises hold in `world`, which has a value for every variable and satisfies the laws.

    `first` are premises that the draft always has. No two premises have the same `topic`. By default, this is the set
    of related entities, or the type of a constraint with its single entity. Constraints for which `worth` is false are
    not used.
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
    """Return a constraint that fits and whose truth in the world is `holds`, or None if none was found."""
    (kind,) = rng.choices(list(weights), list(weights.values()))
    for _ in range(_TRIES):
        made = draw_constraint(rng, instance, kind)
        if fits(made) and instance.formula(made).holds(world) == holds:
            return made
    return None
