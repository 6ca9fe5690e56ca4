"""This module defines the result of reading a model's answer: an `Assignment`, or `Unparsed`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import AnswerStatus


@dataclass(frozen=True, slots=True)
class Assignment:
    """An `Assignment` has the values that a text gives to a world's variables.

    `values` maps variable names (`"entity.attribute"`) to integers, which may be outside the variable's sort. `foreign`
    maps variables to texts that are none of their values ("Purple" for a colour). `repeated` names the variables with
    two different values, which count as missing.
    """

    values: Mapping[str, int]
    foreign: Mapping[str, str] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()

    def missing(self, variables: Iterable[str], required: Iterable[str]) -> tuple[str, ...]:
        """Return the `required` or repeated variables without a value, in the order of `variables`."""
        expected = {*required, *self.repeated}
        return tuple(
            name for name in variables if name in expected and name not in self.values and name not in self.foreign
        )

    def shown(self, variables: Mapping[str, Variable]) -> dict[str, str | int]:
        """Return the values as people write them: labels for enumerations, and else numbers."""
        out: dict[str, str | int] = dict(self.foreign)
        for name, value in self.values.items():
            out[name] = show_value(variables[name], value)
        return out


@dataclass(frozen=True, slots=True)
class Unparsed:
    """An `Unparsed` stands for a text without an answer, for the given `reason`.

    `status` is `unparsed`; `refused` if the model or a filter declined; or `undecided` before there is an answer.
    """

    reason: str
    status: AnswerStatus = AnswerStatus.UNPARSED


Answer = Assignment | Unparsed


def show_value(variable: Variable, value: int) -> str | int:
    """Return the value as people write it."""
    return variable.sort.show(value) if isinstance(variable.sort, EnumSort) else value
