"""Names of people, for cases."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holdtrue.errors import DomainError
from holdtrue.lab.kit.words import listed
from holdtrue.world.domain import Context

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
