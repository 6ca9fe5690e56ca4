"""This module defines a `Subdomain`, a family of cases: how its worlds are declared, drawn and worded.

The words for a family's kinds of statements, its setting and its names are in a TOML file in `words/`. Every table
except `kinds` is optional:

- `names`: lists of names, from which entities and the setting are drawn.
- `lines`: the sentences of the setting in order, each a list of wordings; `{...}` takes values of an instance.
- `cues`: lists of `Cue`s, which kinds refer to by name.
- `kinds`: the fields of a `Kind` by its name.

The arguments of a kind are texts. `entity`, `attribute`, and `attribute of KEY` (listed in the context under this key)
name a type. `value of N` is a value of the attribute that argument N names. `1..count - 1` is a range; `count` is the
number of entities, and any other word a number of the context. From the argument `any_order_from` on, the order of
arguments is irrelevant. `negates` names another kind; this kind is its negation. An example is a sentence and its
arguments.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from holdtrue.logic.formula import Formula
from holdtrue.world.domain import (
    Argument,
    AttributeName,
    Bound,
    ConstraintType,
    Cue,
    Domain,
    Entity,
    Example,
    Integer,
    ValueOf,
)
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.constraints import any_order
from holdtrue_lab.kit.words import capitalized
from holdtrue_lab.suites.cross_query.card import CARD

_FOLDER = Path(__file__).parent / "words"
Meaning = Callable[..., Formula]


@dataclass(frozen=True, slots=True)
class Kind(ConstraintType):
    """A `Kind` is a constraint type with the data that cases need.

    Attributes:
        sentence: The sentence of `ConstraintType`, by default the first phrasing.
        phrasings: At least four wordings for premises and queries. Each is a format string over the arguments, a clause
            without capital and full stop. Readers who know only the setting must understand exactly the formula's
            meaning.
        query: The type of the kind's queries in reports, by default its name.
        told: The frequency of the kind among premises, relative to the other kinds.
        asked: The frequency of the kind among candidates for queries, relative to the other kinds; 0 for never.
    """

    sentence: str = field(default="", kw_only=True)
    phrasings: tuple[str, ...] = ()
    query: str = ""
    told: int = 1
    asked: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", self.sentence or self.phrasings[0])
        object.__setattr__(self, "query", self.query or self.name)


class Words:
    """The words of a family, from its file: `names` are its lists of names, and `lines` the wordings of its setting."""

    def __init__(self, family: str) -> None:
        said = tomllib.loads((_FOLDER / f"{family}.toml").read_text(encoding="utf-8"))
        self.names: Mapping[str, list[Any]] = said.get("names", {})
        self.lines: Mapping[str, list[str]] = said.get("lines", {})
        self._cues = {name: [Cue(**cue) for cue in cues] for name, cues in said.get("cues", {}).items()}
        self._kinds: Mapping[str, Mapping[str, Any]] = said["kinds"]

    def kinds(
        self, meanings: Mapping[str, Meaning], applies: Mapping[str, Callable[[Instance], bool]] | None = None
    ) -> tuple[Kind, ...]:
        """Return the kinds with their formulas.

        `meanings` has a formula for each kind that is no negation of another. If a kind exists only in some instances,
        `applies` has the test of an instance.
        """
        exists = applies or {}
        return tuple(self._kind(name, dict(said), meanings, exists.get(name)) for name, said in self._kinds.items())

    def _kind(
        self,
        name: str,
        said: dict[str, Any],
        meanings: Mapping[str, Meaning],
        applies: Callable[[Instance], bool] | None,
    ) -> Kind:
        negated, start = said.pop("negates", None), said.pop("any_order_from", None)
        return Kind(
            name,
            tuple(map(_argument, said.pop("arguments"))),
            formula=meanings[name] if negated is None else _negation(meanings[negated]),
            canonical=None if start is None else any_order(start),
            applies=applies,
            examples=tuple(Example(sentence, tuple(args)) for sentence, *args in said.pop("examples")),
            wordings=tuple(said.pop("wordings", ())),
            cues=tuple(cue for group in said.pop("cues", ()) for cue in self._cues[group]),
            phrasings=tuple(said.pop("phrasings")),
            **said,
        )

    def tell(self, rng: Random, *lines: str, **values: object) -> list[str]:
        """Return the named lines, or by default all, each in one of its wordings with the values filled in."""
        return [rng.choice(self.lines[line]).format(**values) for line in lines or self.lines]


def _negation(meaning: Meaning) -> Meaning:
    return lambda *args: ~meaning(*args)


def _argument(text: str) -> Argument:
    match text.split(" of "):
        case ["entity"]:
            return Entity()
        case ["attribute"]:
            return AttributeName()
        case ["attribute", key]:
            return AttributeName(lambda instance: tuple(instance.context[key]))
        case ["value", place]:
            return ValueOf(int(place))
    low, high = text.split("..")
    return Integer(_bound(low), _bound(high))


def _bound(text: str) -> Bound:
    if text.isdigit():
        return int(text)
    name, _, less = text.partition(" - ")
    return lambda instance: _number(instance, name) - int(less or 0)


def _number(instance: Instance, name: str) -> int:
    return len(instance.entities) if name == "count" else int(instance.context[name])


@dataclass(frozen=True, slots=True)
class Draft:
    """A `Draft` is an unsolved case: premises in their order, and candidates for queries.

    The premises may be inconsistent, and the candidates have no labels. There are many more `candidates` than a case
    has queries; they are unique, and none is a premise.
    """

    instance: Instance
    premises: tuple[Constraint, ...]
    candidates: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Subdomain:
    """A `Subdomain` is one family of cases, named like its `declaration`.

    Attributes:
        domain: The domain of the subdomain on the data-set card.
        declaration: The `Domain`, whose constraint types are `Kind`s.
        draw_setting: Draws the entities and the context.
        draw: Draws a draft for an instance.
        setting: Returns sentences about the ranges and laws of an instance, worded at random.
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
        """The type of logic on the card."""
        return CARD[self.domain].logic_type

    @property
    def phrasings(self) -> dict[str, tuple[str, ...]]:
        """The phrasings of each constraint type."""
        return {kind.name: kind.phrasings for kind in kinds_of(self.declaration.constraint_types)}

    @property
    def query_types(self) -> dict[str, str]:
        """The query type of each constraint type; if a type is missing, it is never asked."""
        return {kind.name: kind.query for kind in kinds_of(self.declaration.constraint_types) if kind.asked}

    def say(self, rng: Random, constraint: Constraint) -> str:
        """Return a constraint as a sentence, in one of its phrasings."""
        return f"{capitalized(rng.choice(self.phrasings[constraint.type]).format(*constraint.args))}."


def kinds_of(types: Iterable[ConstraintType]) -> list[Kind]:
    """Return the constraint types that are `Kind`s; in a subdomain, all types are."""
    return [kind for kind in types if isinstance(kind, Kind)]
