"""A `Subdomain` is one family of cases: how its worlds are declared, drawn and told. What it says is of `Kind`s."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from holdtrue.world.domain import ConstraintType, Domain
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.words import capitalized
from holdtrue_lab.suites.cross_query.card import CARD
from holdtrue_lab.suites.cross_query.words import Kind


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
    """One kind of case, which has the name of its `declaration`.

    Attributes:
        domain: Its domain on the data-set card.
        declaration: The `Domain`, whose constraint types are `Kind`s.
        draw_setting: Draws the entities and the context.
        draw: Draws a draft for an instance.
        setting: Returns whole sentences, worded anew each time, about the ranges and laws of an instance and nothing
            else.
    """

    domain: str
    declaration: Domain
    draw_setting: Callable[[Random], tuple[Sequence[str], Mapping[str, Any]]]
    draw: Callable[[Random, Instance], Draft]
    setting: Callable[[Random, Instance], Sequence[str]]

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def logic_type(self) -> str:
        """Its type of logic on the card."""
        return CARD[self.domain].logic_type

    @property
    def phrasings(self) -> dict[str, tuple[str, ...]]:
        """The phrasings of each constraint type."""
        return {kind.name: kind.phrasings for kind in kinds_of(self.declaration.constraint_types)}

    @property
    def query_types(self) -> dict[str, str]:
        """The query type of each constraint type; a type that is missing is never asked about."""
        return {kind.name: kind.query for kind in kinds_of(self.declaration.constraint_types) if kind.asked}

    def say(self, rng: Random, constraint: Constraint) -> str:
        """Return a constraint as a sentence, in one of its phrasings."""
        return f"{capitalized(rng.choice(self.phrasings[constraint.type]).format(*constraint.args))}."


def kinds_of(types: Iterable[ConstraintType]) -> list[Kind]:
    """Return those of the types that are kinds of statements, which in a subdomain all of them are."""
    return [kind for kind in types if isinstance(kind, Kind)]
