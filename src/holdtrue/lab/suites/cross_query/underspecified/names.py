"""Names of people, and settings that are lists of names."""

from __future__ import annotations

from holdtrue.errors import DomainError
from holdtrue.lab.kit.words import listed
from holdtrue.world.domain import Context

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
        raise DomainError(f"{domain}: a setting gives {listed(keys)}, not {listed(sorted(given)) or 'nothing'}")
    for key in keys:
        names = given[key]
        if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
            raise DomainError(f"{domain}: {key} must be a list of names")
    return {key: tuple(given[key]) for key in keys}
