"""This module defines the protocol `World`: variables, laws, constraints, and a reader of answers.

Ledgers, verdicts, explanations and nearest answers need only this protocol. An `Instance` of a domain is a world, and a
JSON schema can make another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from holdtrue.logic.formula import Formula, Variable
from holdtrue.world.answer import Answer

Arg = str | int


@dataclass(frozen=True, slots=True)
class Constraint:
    """A `Constraint` is the type and the arguments of a constraint, in the world's spelling.

    `World.constraint` makes and checks it.
    """

    type: str
    args: tuple[Arg, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "args": list(self.args)}


@dataclass(frozen=True, slots=True)
class Axiom:
    """An `Axiom` is a law of a domain that every answer must obey, with a sentence that states it."""

    id: str
    sentence: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Slot:
    """A `Slot` is the entity and the attribute of a variable; `label` is the attribute's name in texts."""

    entity: str
    attribute: str
    label: str


@runtime_checkable
class World(Protocol):
    """A `World` has the variables of an answer and the constraints on them that users can state.

    `variables` maps names to variables, and `required` has the names of those that a complete answer gives. `axioms`
    are the laws beyond the variables' ranges. None of them ever changes.
    """

    @property
    def variables(self) -> Mapping[str, Variable]: ...

    @property
    def required(self) -> Sequence[str]: ...

    @property
    def axioms(self) -> Sequence[Axiom]: ...

    @property
    def background(self) -> Sequence[Formula]:
        """Return the formulas of all axioms."""

    def constraint(self, type: object, args: object) -> Constraint:
        """Return the constraint of this type with these arguments. Raises `ConstraintError` if they do not fit."""

    def formula(self, constraint: Constraint) -> Formula:
        """Return the constraint as a formula over the variables."""

    def sentence(self, constraint: Constraint) -> str:
        """Return the constraint in words."""

    def canonical(self, constraint: Constraint) -> Constraint:
        """Return the normal form of a constraint, which is equal for all of its spellings."""

    def entities_in(self, constraint: Constraint) -> Sequence[str]:
        """Return the entities of a constraint."""

    def slot(self, variable: str) -> Slot:
        """Return the entity and the attribute of the variable with this name."""

    def read_answer(self, text: str) -> Answer:
        """Return the answer in a model's text; it never raises."""

    def render_answer(self, values: Mapping[str, int]) -> dict[str, Any]:
        """Return values (variable -> integer) in the form of an answer."""


@runtime_checkable
class Setting(World, Protocol):
    """A `Setting` is a world with the texts and the schema that a prompt for an answer needs."""

    def setup_lines(self) -> Iterable[str]:
        """Return lines that describe the world, for the beginning of a conversation."""

    def convention_lines(self) -> Sequence[str]:
        """Return lines that explain the words of this world."""

    def answer_schema(self) -> dict[str, Any]:
        """Return the JSON schema of an answer, for backends that enforce one."""

    def answer_hint(self) -> str:
        """Return a line in the form of an answer, with placeholders for values."""
