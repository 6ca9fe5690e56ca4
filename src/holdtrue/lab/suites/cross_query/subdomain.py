"""A `Subdomain` is one kind of case: how its worlds are declared, drawn and told. What is said in it is of `Kind`s."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from holdtrue.lab.kit.words import capitalized
from holdtrue.lab.suites.cross_query.card import CARD
from holdtrue.world.domain import ConstraintType, Domain
from holdtrue.world.instance import Constraint, Instance


@dataclass(frozen=True, slots=True)
class Kind(ConstraintType):
    """One kind of statement: a constraint type with the ways to say it, which premises and queries use alike.

    `phrasings` are at least four ways to state it as a clause, format strings over its arguments, without capital and
    full stop; each says exactly what the formula says to somebody who knows nothing but the setting. The `sentence` is
    the first of them, where none is given. `query` is what a query of this kind is called in reports, by its own name
    where nothing else is said; where it is None, it is never asked about. `weight` says how often it is a premise,
    beside the other kinds, where premises are drawn by `narrowing`.
    """

    sentence: str = field(default="", kw_only=True)
    phrasings: tuple[str, ...] = ()
    query: str | None = ""
    weight: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", self.sentence or self.phrasings[0])
        object.__setattr__(self, "query", self.name if self.query == "" else self.query)


@dataclass(frozen=True, slots=True)
class Draft:
    """A world to be: premises in the order in which they are told, and statements that one could ask about.

    Nothing is solved yet: the premises may turn out impossible together, and the statements have no labels. There
    are many more `candidates` than a case has queries, each once, no premise in the same words among them.
    """

    instance: Instance
    premises: tuple[Constraint, ...]
    candidates: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Subdomain:
    """One kind of case, named as its `declaration`, whose constraint types are the kinds of premises and statements.

    `domain` is the card's. `draw_setting` gives entities and context, `draw` a draft for an instance of them. `setting`
    tells the setting in whole sentences, with words of its own choice each time: ranges and laws, nothing else.
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
        """The card's name for what its formulas are made of."""
        return CARD[self.domain].logic_type

    @property
    def phrasings(self) -> dict[str, tuple[str, ...]]:
        """The ways to say a statement, by constraint type."""
        return {kind.name: kind.phrasings for kind in _kinds(self.declaration.constraint_types)}

    @property
    def query_types(self) -> dict[str, str]:
        """What kind of query each constraint type makes; a type that is not in it is never asked about."""
        return {kind.name: kind.query for kind in _kinds(self.declaration.constraint_types) if kind.query is not None}

    def say(self, rng: Random, made: Constraint) -> str:
        """The constraint as a sentence, in one of its phrasings."""
        return f"{capitalized(rng.choice(self.phrasings[made.type]).format(*made.args))}."


def weights(instance: Instance) -> dict[str, int]:
    """How often each kind that exists in the instance is a premise, by name."""
    return {kind.name: kind.weight for kind in _kinds(instance.types.values())}


def _kinds(types: Iterable[ConstraintType]) -> list[Kind]:
    return [kind for kind in types if isinstance(kind, Kind)]
