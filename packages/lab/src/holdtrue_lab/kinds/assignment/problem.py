"""The problems about assignments: conversations about one instance of a domain, with gold for each turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN


@dataclass(frozen=True, slots=True)
class ProblemTurn:
    """One turn, counted from 1: the user's message, and the constraints that it newly states.

    `gold` holds these constraints in their JSON form (`{"type": ..., "args": [...]}`). `witness` maps the instance's
    variables to values that satisfy all gold constraints up to this turn, if such values are known.
    """

    number: int
    message: str
    gold: tuple[Mapping[str, Any], ...]
    witness: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A conversation about one instance of the domain named `domain`; `split` names its part of the suite."""

    id: str
    suite: str
    domain: str
    entities: tuple[str, ...]
    context: Mapping[str, Any]
    turns: tuple[ProblemTurn, ...]
    split: str | None = None

    def make_instance(self) -> Instance:
        """Return the instance that the conversation is about. Raises `DomainError` if the context does not fit."""
        domain = BUILTIN.get(self.domain)
        if domain is None:
            raise DomainError(f"unknown domain {self.domain!r}; there are {', '.join(BUILTIN)}")
        return domain.instance(self.entities, self.context)

    def gold_by_turn(self, instance: Instance) -> dict[int, tuple[Constraint, ...]]:
        """Return the constraints that each turn newly states. Raises `ConstraintError` if a constraint does not fit."""
        return {
            turn.number: tuple(instance.constraint(item["type"], item["args"]) for item in turn.gold)
            for turn in self.turns
        }
