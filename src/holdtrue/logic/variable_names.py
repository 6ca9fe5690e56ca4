"""Check that names of formulas and variables are unique and declared, and rename variables.

Engines store formulas by name, so that the second of two formulas with one name would replace the first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from holdtrue.errors import DomainError, FormulaError
from holdtrue.logic.connectives import Formula
from holdtrue.logic.node import Node
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.logic.terms import Variable

Name = TypeVar("Name", bound=Hashable)


def repeated(names: Iterable[Name]) -> Name | None:
    """Return the first repeated name, or None."""
    seen: set[Name] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def check_ids(where: str, what: str, ids: Sequence[object]) -> None:
    """Raise `DomainError` for an id that is not a text or is repeated; `what` is the kind of thing with the ids."""
    for number, id in enumerate(ids, start=1):
        if not isinstance(id, str) or not id.strip():
            raise DomainError(f"{where}: {what} {number} needs an id, a text, not {id!r:.60}")
    double = repeated(ids)
    if double is not None:
        first, second = [number for number, id in enumerate(ids, start=1) if id == double][:2]
        raise DomainError(
            f"{where}: {what} {first} and {what} {second} have the same id {double!r:.60}, and only one of them would "
            "be looked at; give each an id of its own"
        )


def check_variables(where: str, variables: Sequence[object]) -> None:
    """Raise `DomainError` for a value that is not a variable, and for two variables with one name."""
    names: list[str] = []
    for number, variable in enumerate(variables, start=1):
        if not isinstance(variable, Variable):
            raise DomainError(f"{where}: variable {number} must be a Variable(name, sort), not {variable!r:.60}")
        name: object = variable.name  # A dataclass does not check the types of its fields.
        sort: object = variable.sort
        if not isinstance(name, str) or not isinstance(sort, IntSort | EnumSort):
            raise DomainError(
                f"{where}: variable {number} must have a text for its name and IntSort(low, high) or EnumSort(...) for "
                f"its sort, not {variable.name!r:.60} and {variable.sort!r:.60}"
            )
        names.append(variable.name)
    double = repeated(names)
    if double is not None:
        raise DomainError(f"{where}: the variable {double!r:.60} is declared twice; declare it once")


def check_about(where: str, formula: Formula, variables: Iterable[Variable]) -> None:
    """Raise `DomainError` if the formula at this place has an undeclared variable, or one with another sort."""
    known = {variable.name: variable for variable in variables}
    for variable in sorted(formula.variables, key=lambda variable: variable.name):
        own = known.get(variable.name)
        if own is None:
            there = ", ".join(known) or "none"
            raise DomainError(
                f"{where} is about {variable.name!r:.60}, which is not declared; declare it, or use one of {there:.300}"
            )
        if own.sort != variable.sort:
            raise DomainError(
                f"{where} is about {variable.name!r:.60} with the values {variable.sort}, and it is declared with "
                f"{own.sort}; make the variable once, and use it in both places"
            )


AnyFormula = TypeVar("AnyFormula", bound=Formula)


def renamed(formula: AnyFormula, names: Mapping[str, str]) -> AnyFormula:
    """Return the formula with other names of variables (old name -> new name); variables not in `names` stay.

    Raises `FormulaError` if two variables would get the same name, or if the formula is nested too deep.
    """
    formula.check_depth()
    if len({names.get(variable.name, variable.name) for variable in formula.variables}) < len(formula.variables):
        raise FormulaError(f"two variables of {formula} would get the same name")
    own = {one.name: Variable(names.get(one.name, one.name), one.sort) for one in formula.variables}
    made: AnyFormula = with_variables(formula, own)
    return made


def with_variables(value: Any, variables: Mapping[str, Variable]) -> Any:
    """Return a node, or a field of a node, with each variable replaced by the one in `variables` under its name."""
    match value:
        case Variable():
            return variables.get(value.name, value)
        case Node():
            return type(value)(*[with_variables(getattr(value, field.name), variables) for field in fields(value)])  # type: ignore[arg-type]
        case tuple():
            return tuple(with_variables(item, variables) for item in value)
    return value
