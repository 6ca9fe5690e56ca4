"""This module has the two forms of an answer that was read: an `Assignment`, or `Unparsed`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import AnswerStatus


@dataclass(frozen=True, slots=True)
class Assignment:
    """Values for a world's variables, as read from a text.

    `values` maps variable names (`"entity.attribute"`) to integers, which may lie outside the variable's
    sort. `foreign` maps variables to texts that are no value of theirs at all ("Purple" for a colour);
    `repeated` names variables that were given two different values: they count as missing.
    """

    values: Mapping[str, int]
    foreign: Mapping[str, str] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()

    def missing(self, variables: Iterable[str], required: Iterable[str]) -> tuple[str, ...]:
        """Those of the variables that should have a value and have none, in their order: one that is not required may
        be left out, but not be given twice with different values.
        """
        expected = {*required, *self.repeated}
        return tuple(
            name for name in variables if name in expected and name not in self.values and name not in self.foreign
        )

    def shown(self, variables: Mapping[str, Variable]) -> dict[str, str | int]:
        """The values as people write them: labels for enumerations, numbers otherwise."""
        out: dict[str, str | int] = dict(self.foreign)
        for name, value in self.values.items():
            out[name] = show_value(variables[name], value)
        return out


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No answer; `reason` says why.

    `status` is `unparsed`, or `refused` where the model or a filter declined, or `undecided` before one is given.
    """

    reason: str
    status: AnswerStatus = AnswerStatus.UNPARSED


Answer = Assignment | Unparsed


def show_value(variable: Variable, value: int) -> str | int:
    """The value as people write it."""
    return variable.sort.show(value) if isinstance(variable.sort, EnumSort) else value
