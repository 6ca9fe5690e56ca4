"""Formulas with their variables called otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic.connectives import Formula
from holdtrue.logic.node import Node
from holdtrue.logic.opaque import Opaque
from holdtrue.logic.terms import Variable

AnyFormula = TypeVar("AnyFormula", bound=Formula)


def renamed(formula: AnyFormula, names: Mapping[str, str]) -> AnyFormula:
    """Return the same formula about variables of other names (old name -> new name), which keep their sorts.

    A variable that is not among `names` keeps its own. Raises `FormulaError` where two variables would become one, for
    SMT-LIB text, which has the names in it, and for what is nested too deep.
    """
    formula.check_depth()
    if len({names.get(variable.name, variable.name) for variable in formula.variables}) < len(formula.variables):
        raise FormulaError(f"two variables of {formula} would get the same name")
    made: AnyFormula = _rebuilt(formula, names)
    return made


def _rebuilt(value: Any, names: Mapping[str, str]) -> Any:
    """A node, or what nodes are made of; formulas and terms keep their parts in fields and in tuples."""
    match value:
        case Variable():
            return Variable(names.get(value.name, value.name), value.sort)
        case Opaque():
            raise FormulaError(f"the variables of SMT-LIB text cannot be renamed: {value}")
        case Node():
            return type(value)(*[_rebuilt(getattr(value, field.name), names) for field in fields(value)])  # type: ignore[arg-type]
        case tuple():
            return tuple(_rebuilt(item, names) for item in value)
    return value
