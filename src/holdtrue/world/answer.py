"""What an answer is, once it has been read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import AnswerStatus
from holdtrue.world.instance import Instance


@dataclass(frozen=True, slots=True)
class Assignment:
    """Values for an instance's variables, as read from a text.

    `values` maps variable names (`"entity.attribute"`) to integers, which may lie outside the variable's
    sort. `foreign` maps variables to texts that are no value of theirs at all ("Purple" for a colour);
    `repeated` names variables that were given two different values: they count as missing.
    """

    values: Mapping[str, int]
    foreign: Mapping[str, str] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()

    def missing(self, instance: Instance) -> tuple[str, ...]:
        """Variables that should have a value and have none, in the instance's order: an optional one may be left
        out, but not be given twice with different values.
        """
        expected = {*instance.required, *self.repeated}
        return tuple(
            name
            for name in instance.variables
            if name in expected and name not in self.values and name not in self.foreign
        )

    def shown(self, instance: Instance) -> dict[str, str | int]:
        """The values as people write them: labels for enumerations, numbers otherwise."""
        out: dict[str, str | int] = dict(self.foreign)
        for name, value in self.values.items():
            out[name] = _shown(instance.variables[name], value)
        return out


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No answer; `reason` says why. `status` is `unparsed`, or `refused` where the model or a filter declined."""

    reason: str
    status: AnswerStatus = AnswerStatus.UNPARSED


Answer = Assignment | Unparsed


def render_answer(instance: Instance, values: Mapping[str, int]) -> dict[str, Any]:
    """Values (variable -> integer) in the shape in which answers are asked for.

    `{entity: value}` where entities have one attribute, else `{entity: {attribute: value}}`.
    """
    out: dict[str, Any] = {}
    for entity in instance.entities:
        own: dict[str, str | int] = {}
        for attribute in instance.attributes:
            variable = instance[entity][attribute]
            if variable.name in values:
                own[attribute] = _shown(variable, values[variable.name])
        if own:
            out[entity] = next(iter(own.values())) if len(instance.attributes) == 1 else own
    return out


def _shown(variable: Variable, value: int) -> str | int:
    return variable.sort.show(value) if isinstance(variable.sort, EnumSort) else value
