"""A `World` is what a conversation can be about: variables, laws, constraints, and a reader of answers.

A domain with its entities is one (`Instance`). Ledgers, verdicts, explanations and nearest answers ask for nothing
else, so that a world can be made of a schema as well.
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
    """A constraint of a world: type and arguments, spelled as the world spells them.

    Made by `World.constraint`, which checks it; equal values are the same constraint.
    """

    type: str
    args: tuple[Arg, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "args": list(self.args)}


@dataclass(frozen=True, slots=True)
class Axiom:
    """A law of the domain that every answer must obey, with the sentence that states it."""

    id: str
    sentence: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Slot:
    """A `Slot` says what a variable tells of: an entity and its attribute, by name and by the `label` of people."""

    entity: str
    attribute: str
    label: str


@runtime_checkable
class World(Protocol):
    """A `World` says what can be agreed and answered.

    `variables` maps names to variables, `required` names those that a complete answer gives, `axioms` are the laws
    beyond the variables' ranges. All of that stays as it is.
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
        """Return the constraint of that type and arguments, in the world's own spelling; raises `ConstraintError`."""

    def formula(self, constraint: Constraint) -> Formula:
        """Return the constraint as a formula over the variables; as a rule the same object every time."""

    def sentence(self, constraint: Constraint) -> str:
        """Return the constraint in words."""

    def canonical(self, constraint: Constraint) -> Constraint:
        """Return the one constraint that stands for all spellings of the same."""

    def entities_in(self, constraint: Constraint) -> Sequence[str]:
        """Return the things that a constraint is about."""

    def slot(self, variable: str) -> Slot:
        """Return the entity and the attribute that the variable of that name tells of."""

    def read_answer(self, text: str) -> Answer:
        """Return the answer in a model's text; it never raises."""

    def render_answer(self, values: Mapping[str, int]) -> dict[str, Any]:
        """Return values (variable -> integer) in the shape in which answers are asked for."""


@runtime_checkable
class Setting(World, Protocol):
    """A `Setting` is a world that a model can be told of, and asked for an answer about."""

    def setup_lines(self) -> Iterable[str]:
        """Return the setting in words, a line each: what a conversation about this world is told first."""

    def convention_lines(self) -> Sequence[str]:
        """Return what the words of this world mean, a line each."""

    def answer_schema(self) -> dict[str, Any]:
        """Return the JSON schema of an answer, for backends that enforce one."""

    def answer_hint(self) -> str:
        """Return one line in the answer's shape, with placeholders for values."""
