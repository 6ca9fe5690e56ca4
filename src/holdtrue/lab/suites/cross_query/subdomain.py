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
    """A world to be: premises in the order in which they are told, and statements that one could ask about.

    Nothing is solved yet: the premises may turn out impossible together, and the statements have no labels. There
    are many more `candidates` than a case has queries, each once, no premise in the same words among them.
    """

    instance: Instance
    premises: tuple[Constraint, ...]
    candidates: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Subdomain:
    """One kind of case.

    `domain` and `logic_type` are the card's. `declaration` has the constraint types of premises and statements alike.
    `draw_setting` gives entities and context, `draw` a draft for an instance of them. `setting` tells the setting in
    whole sentences, with words of its own choice each time: ranges and laws, nothing else. `phrasings` has for each
    constraint type at least four ways to state it as a clause, format strings over its arguments, without capital
    and full stop; each says exactly what the formula says to somebody who knows nothing but the setting. They are
    used for premises and for queries. `query_types` says what kind of query each constraint type makes; a type that
    is not in it is never asked about.
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
        """The constraint as a sentence, in one of its phrasings."""
        return f"{capitalized(rng.choice(self.phrasings[made.type]).format(*made.args))}."
