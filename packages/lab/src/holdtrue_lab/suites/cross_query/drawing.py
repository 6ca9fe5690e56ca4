"""Draw what cases are made of: names of people, and constraints of an instance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from holdtrue.errors import ConstraintError, DomainError
from holdtrue.world.domain import Context
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue_lab.kit.constraints import choices
from holdtrue_lab.kit.words import listed

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
    """Between `fewest` and `most` people, both included."""
    return rng.sample(names, rng.randint(fewest, most))


def lists_of_names(domain: str, context: Context, *keys: str) -> Context:
    """The setting, where it gives a list of names under each key and nothing else; raises `DomainError`."""
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
