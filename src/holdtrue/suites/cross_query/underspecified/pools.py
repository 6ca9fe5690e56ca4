"""Names, and the constraints that a draft is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

from holdtrue.domains.domain import Context
from holdtrue.domains.instance import Arg, Constraint, Instance
from holdtrue.errors import ConstraintError, DomainError

PEOPLE = (
    "Abel", "Agnes", "Amir", "Anita", "Astrid", "Basil", "Bianca", "Boris", "Carla", "Cedric",
    "Cora", "Dalia", "Darius", "Dora", "Edgar", "Elena", "Emil", "Esther", "Fabio", "Felix",
    "Flora", "Gavin", "Gemma", "Goran", "Greta", "Hanna", "Hector", "Hugo", "Ines", "Igor",
    "Iris", "Jasper", "Joan", "Judith", "Kamil", "Katya", "Kirk", "Laura", "Leon", "Lucia",
    "Magnus", "Marta", "Milan", "Nadia", "Nina", "Norman", "Oscar", "Otto", "Paula", "Pedro",
    "Petra", "Ralph", "Rita", "Roman", "Sofia", "Stefan", "Tamara", "Teresa", "Ulrich", "Vera",
    "Victor", "Walter", "Yara", "Zoltan",
)  # fmt: skip


def lists_of_names(domain: str, given: Context, *keys: str) -> Context:
    """The setting, where it gives a list of names under each key and nothing else; raises `DomainError`."""
    if set(given) != set(keys):
        raise DomainError(f"{domain}: a setting gives {join(keys)}, not {join(sorted(given)) or 'nothing'}")
    for key in keys:
        names = given[key]
        if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
            raise DomainError(f"{domain}: {key} must be a list of names")
    return {key: tuple(given[key]) for key in keys}


def every(instance: Instance, type: str, *choices: Sequence[Arg]) -> list[Constraint]:
    """The constraints of a type, with arguments out of these choices; each once, however it is spelled."""
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
    """At most `count` of the constraints, all of them true, in random order."""
    fitting = [made for made in among if instance.formula(made).holds(truth)]
    return rng.sample(fitting, min(count, len(fitting)))


def untold(
    rng: Random, instance: Instance, premises: Iterable[Constraint], among: Iterable[Constraint]
) -> tuple[Constraint, ...]:
    """The constraints that are no premise, in random order."""
    told = {instance.canonical(made) for made in premises}
    left = [made for made in among if instance.canonical(made) not in told]
    return tuple(rng.sample(left, len(left)))


def join(names: Sequence[str], word: str = "and") -> str:
    """A list in words: "Ann, Bob and Cy"."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
