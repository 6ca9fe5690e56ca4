"""A world that is no domain: the fields of a pydantic model, a law, and two types of constraints."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any

from annotated_types import Ge, Le
from pydantic import BaseModel

from holdtrue.errors import ConstraintError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import EnumSort, IntSort, Sort
from holdtrue.world.answer import Answer, Assignment, Unparsed, show_value
from holdtrue.world.lenient_json import objects
from holdtrue.world.world import Axiom, Constraint, Slot


class Cabin(Enum):
    ECONOMY = "economy"
    BUSINESS = "business"


class Booking(BaseModel):
    cabin: Cabin
    bags: Annotated[int, Ge(0), Le(4)]
    insured: bool


class BookingWorld:
    """One booking: an answer is a JSON object with its fields."""

    def __init__(self) -> None:
        self.variables = {
            name: Variable(name, _sort(name, field.annotation, field.metadata))
            for name, field in Booking.model_fields.items()
        }
        self.required = tuple(self.variables)
        self._cabin, self._bags, self._insured = self.variables.values()
        self.axioms = (Axiom("bags", "economy takes at most 2 bags", self._cabin.eq(0).implies(self._bags <= 2)),)
        self.background = tuple(axiom.formula for axiom in self.axioms)

    def constraint(self, type: object, args: object) -> Constraint:
        match type, args:
            case "at_least", [int(number)]:
                return Constraint("at_least", (number,))
            case "is", [str(field), str(value)] if field in self.variables:
                sort = self.variables[field].sort
                if isinstance(sort, EnumSort) and sort.index(value) is not None:
                    return Constraint("is", (field, value))
        raise ConstraintError("unknown_type", f"a booking has no {type!r} of {args!r}")

    def formula(self, constraint: Constraint) -> Formula:
        match constraint.args:
            case [int(number)]:
                return self._bags >= number
            case [field, value]:
                variable = self.variables[str(field)]
                assert isinstance(variable.sort, EnumSort)
                return variable.eq(variable.sort.index(str(value)) or 0)
        raise AssertionError(constraint)

    def sentence(self, constraint: Constraint) -> str:
        *field, value = constraint.args
        return f"{field[0]} is {value}" if field else f"there are {value} bags or more"

    def canonical(self, constraint: Constraint) -> Constraint:
        return constraint

    def entities_in(self, constraint: Constraint) -> tuple[str, ...]:
        return ("bags",) if constraint.type == "at_least" else (str(constraint.args[0]),)

    def slot(self, variable: str) -> Slot:
        return Slot("booking", variable, variable)

    def read_answer(self, text: str) -> Answer:
        given = next((each for each in reversed(objects(text)) if isinstance(each, dict)), None)
        if given is None:
            return Unparsed("there is no JSON object in the text")
        values: dict[str, int] = {}
        foreign: dict[str, str] = {}
        for name, variable in self.variables.items():
            value = given.get(name)
            index = variable.sort.index(str(value).lower()) if isinstance(variable.sort, EnumSort) else value
            if isinstance(index, int):
                values[name] = index
            elif value is not None:
                foreign[name] = str(value)
        return Assignment(values, foreign)

    def render_answer(self, values: Mapping[str, int]) -> dict[str, Any]:
        return {name: show_value(self.variables[name], value) for name, value in values.items()}

    def setup_lines(self) -> tuple[str, ...]:
        return ("A flight is booked.", "Economy takes at most 2 bags.")

    def convention_lines(self) -> tuple[str, ...]:
        return ()

    def answer_schema(self) -> dict[str, Any]:
        return Booking.model_json_schema()

    def answer_hint(self) -> str:
        return '{"cabin": <cabin>, "bags": <bags>, "insured": <insured>}'


def _sort(name: str, kind: Any, metadata: list[Any]) -> Sort:
    if kind is bool:
        return EnumSort(name, ("false", "true"))
    if kind is int:
        low, high = metadata
        return IntSort(low.ge, high.le)
    return EnumSort(name, tuple(each.value for each in kind))
