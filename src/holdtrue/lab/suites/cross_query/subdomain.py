"""A `Subdomain` is one kind of case: how its worlds are declared, drawn and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from holdtrue.lab.kit.words import capitalized
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Constraint, Instance


@dataclass(frozen=True, slots=True)
class Draft:
    """A case in the making: premises in the order in which they are told, and statements that could be asked about.

    Nothing is solved yet: the premises may be inconsistent, and the statements have no labels. There are many more
    `candidates` than a case has queries; each is there once, and none is a premise.
    """

    instance: Instance
    premises: tuple[Constraint, ...]
    candidates: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Subdomain:
    """One kind of case.

    Attributes:
        name: The name of the subdomain.
        domain: Its domain on the data-set card.
        logic_type: Its type of logic on the card.
        declaration: The `Domain` with the constraint types of premises and statements.
        draw_setting: Draws the entities and the context.
        draw: Draws a draft for an instance.
        setting: Returns whole sentences, worded anew each time, about the ranges and laws of an instance and nothing
            else.
        phrasings: At least four ways to state each constraint type, in premises and in queries. Each is a format string
            over the arguments, a clause without capital and full stop, and says exactly what the formula says to
            somebody who knows only the setting.
        query_types: The query type of each constraint type; a type that is missing is never asked about.
    """

    name: str
    domain: str
    logic_type: str
    declaration: Domain
    draw_setting: Callable[[Random], tuple[Sequence[str], Mapping[str, Any]]]
    draw: Callable[[Random, Instance], Draft]
    setting: Callable[[Random, Instance], Sequence[str]]
    phrasings: Mapping[str, Sequence[str]]
    query_types: Mapping[str, str]

    def say(self, rng: Random, made: Constraint) -> str:
        """Return a constraint as a sentence, in one of its phrasings."""
        return f"{capitalized(rng.choice(self.phrasings[made.type]).format(*made.args))}."
