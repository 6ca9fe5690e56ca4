"""This module words the user's message of a turn at random, from phrasings of each domain and connectives.

Phrasings are format strings over the arguments of a constraint type; `phrasing.toml` holds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from holdtrue.world.domain import Integer
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue_lab.kit.words import Number, capitalized, words_beside

BANKS: Mapping[str, Mapping[str, Sequence[str]]] = words_beside(__file__)
"""Phrasings of each constraint type, by domain."""
# 'Next', 'then' and 'first' are missing, because they have a meaning in a schedule. A comma is safe, because each
# phrasing has a verb, so that no negation extends over the comma.
CONNECTIVES = (
    ". Also, ", ". And ", ". On top of that, ", ". In addition, ", ". Besides, ", ". ",
    "; ", "; also, ", "; and ", ", and ", ", and also ",
)  # fmt: skip
OPENERS = ("Please note: ", "Keep in mind: ", "For the record: ", "To be clear: ")
OPENED_SHARE = 0.25


def vary(rng: Random, instance: Instance, stated: Sequence[Constraint]) -> str:
    """Return a message that states the constraints in order, in words drawn from the bank of the instance's domain."""
    message = rng.choice(OPENERS) if rng.random() < OPENED_SHARE else ""
    for place, constraint in enumerate(stated):
        message += rng.choice(CONNECTIVES) if place else ""
        phrase = vary_phrase(rng, instance, constraint)
        begins = not message or message.endswith(". ")
        message += capitalized(phrase) if begins else phrase
    return message + "."


def vary_phrase(rng: Random, instance: Instance, constraint: Constraint) -> str:
    """Return one constraint in words, with symmetric arguments in random order, and numbers in digits or words."""
    # In the canonical form, the limits of ranges are in order, as phrasings need them.
    args: Sequence[Arg] = instance.canonical(constraint).args
    if instance.types[constraint.type].symmetric and rng.random() < 0.5:
        args = (args[1], args[0], *args[2:])
    phrasing = rng.choice(BANKS[instance.domain.name][constraint.type])
    return fill(phrasing, instance, constraint.type, args, spelled=rng.random() < 0.5)


def fill(phrasing: str, instance: Instance, kind: str, args: Sequence[Arg], *, spelled: bool) -> str:
    """Return a phrasing of the type `kind` with its arguments filled in; numbers are in words if `spelled` is true."""
    declared = instance.types[kind].arguments
    written = (
        Number(int(value), spelled) if isinstance(argument, Integer) else value
        for argument, value in zip(declared, args, strict=True)
    )
    return phrasing.format(*written)
