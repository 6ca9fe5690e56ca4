"""A z3 model as a `Structure`, as far as its functions can be written as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import z3

from holdtrue.logic.smtlib.script import Script
from holdtrue.logic.smtlib.structure import Element, Structure, Table, Value
from holdtrue.logic.smtlib.typed_terms import BOOL, Function, SmtSort

LARGEST_TABLES = 5_000
"""Entries in all tables of a structure together; functions beyond that are left out."""

LONGEST_NUMBER = 4_000
"""Digits of a value that is written out; Python refuses to read numbers that are much longer."""


class _NoValue(Exception):
    """An expression that is no value of ours: a root of a polynomial, a lambda, a number without end."""


def structure_of(model: Any, script: Script, sorts: Mapping[str, Any], functions: Mapping[str, Any]) -> Structure:
    """The structure that the model describes; `sorts` and `functions` are the z3 declarations by name."""
    return _Reader(model, script, sorts, functions).structure()


class _Reader:
    def __init__(self, model: Any, script: Script, sorts: Mapping[str, Any], functions: Mapping[str, Any]) -> None:
        self._model = model
        self._script = script
        self._functions = functions
        self._interpreted = {declaration.name() for declaration in model.decls()}
        self._left = LARGEST_TABLES
        self._universe: dict[str, list[Any]] = {}
        self._elements: dict[int, Element] = {}  # by the id of their expression; `_universe` keeps those alive
        for name, sort in sorts.items():
            known = model.get_universe(sort) or []
            # A sort that nothing is said about has one element, as every sort has at least one.
            found = sorted(known, key=str) if len(known) else [model.eval(z3.FreshConst(sort), True)]
            self._universe[name] = found
            self._elements.update((value.get_id(), Element(name, index)) for index, value in enumerate(found))

    def structure(self) -> Structure:
        tables = {}
        for function in self._script.functions:
            try:
                table = self._table(function)
            except _NoValue:
                continue
            if table is not None:
                tables[function.name] = table
        universe = {
            name: tuple(self._elements[own.get_id()] for own in found) for name, found in self._universe.items()
        }
        return Structure(universe, tables)

    def _table(self, function: Function) -> Table | None:
        declared = self._functions[function.name]
        if not function.arguments:
            return Table({(): self._value(self._model.eval(declared, True), function.result)})
        domains = [self._domain(sort) for sort in function.arguments]
        finite = [domain for domain in domains if domain is not None]
        if len(finite) == len(domains) and self._reserve(prod(map(len, finite))):
            entries = {}
            for operands in product(*finite):
                result = self._model.eval(declared(*operands), True)
                entries[self._values(operands, function.arguments)] = self._value(result, function.result)
            return Table(entries)
        return self._interpretation(function, declared)

    def _interpretation(self, function: Function, declared: Any) -> Table | None:
        if declared.name() not in self._interpreted:
            # Nothing depends on it: any constant function will do.
            anything = [z3.FreshConst(declared.domain(index)) for index in range(declared.arity())]
            return Table({}, self._value(self._model.eval(declared(*anything), True), function.result))
        found = self._model[declared]
        if not isinstance(found, z3.FuncInterp) or not self._reserve(found.num_entries()):
            return None
        entries = {}
        for entry in map(found.entry, range(found.num_entries())):
            operands = [entry.arg_value(index) for index in range(entry.num_args())]
            entries[self._values(operands, function.arguments)] = self._value(entry.value(), function.result)
        otherwise = found.else_value()
        return Table(entries, None if otherwise is None else self._value(otherwise, function.result))

    def _domain(self, sort: SmtSort) -> list[Any] | None:
        if sort == BOOL:
            return [z3.BoolVal(value, self._model.ctx) for value in (False, True)]
        return self._universe.get(sort.name)

    def _reserve(self, count: int) -> bool:
        if count > self._left:
            return False
        self._left -= count
        return True

    def _values(self, expressions: Sequence[Any], sorts: Sequence[SmtSort]) -> tuple[Value, ...]:
        return tuple(self._value(own, sort) for own, sort in zip(expressions, sorts, strict=True))

    def _value(self, expression: Any, sort: SmtSort) -> Value:
        if z3.is_true(expression) or z3.is_false(expression):
            return bool(z3.is_true(expression))
        if z3.is_int_value(expression):
            return int(_digits(expression))
        if z3.is_rational_value(expression):
            return Fraction(int(_digits(expression.numerator())), int(_digits(expression.denominator())))
        element = self._elements.get(expression.get_id())
        if element is None or element.sort != sort.name:
            raise _NoValue(str(sort.name))
        return element


def _digits(number: Any) -> str:
    text = str(number.as_string())
    if len(text) > LONGEST_NUMBER:
        raise _NoValue("a number that is too long")
    return text
