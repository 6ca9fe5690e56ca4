"""A `Problem` is one conversation to be played, with what is true in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN


@dataclass(frozen=True, slots=True)
class ProblemTurn:
    """One turn, counted from 1: what the user says, and the constraints that it newly states.

    `gold` holds constraints in their JSON form (`{"type": ..., "args": [...]}`). `witness` maps the instance's
    variables to values that satisfy all gold constraints up to this turn; None where none is known.
    """

    number: int
    message: str
    gold: tuple[Mapping[str, Any], ...]
    witness: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A conversation about one instance of the domain named `domain`; `split` says which part of a suite it is in."""

    id: str
    suite: str
    domain: str
    entities: tuple[str, ...]
    context: Mapping[str, Any]
    turns: tuple[ProblemTurn, ...]
    split: str | None = None

    def make_instance(self) -> Instance:
        """The instance that the conversation is about; raises `DomainError` where the setting does not fit."""
        domain = BUILTIN.get(self.domain)
        if domain is None:
            raise DomainError(f"unknown domain {self.domain!r}; there are {', '.join(BUILTIN)}")
        return domain.instance(self.entities, self.context)

    def gold_by_turn(self, instance: Instance) -> dict[int, tuple[Constraint, ...]]:
        """The constraints that each turn newly states; raises `ConstraintError` where one does not fit."""
        return {
            turn.number: tuple(instance.constraint(item["type"], item["args"]) for item in turn.gold)
            for turn in self.turns
        }
