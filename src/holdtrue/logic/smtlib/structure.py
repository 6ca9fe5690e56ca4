"""Structures: what makes the assertions of a script true, and the check by direct evaluation that it does.

('Model' is the logician's word, but here a model is a language model.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holdtrue.logic.smtlib.script import Script
from holdtrue.logic.smtlib.term_evaluation import Compiler, Undecided
from holdtrue.logic.smtlib.typed_terms import BOOL, Definition, Function, SmtSort, SmtTerm

STEPS = 200_000
"""How many terms are evaluated before a check gives up: about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Element:
    """One of the things that a declared sort is about; `index` counts from 0."""

    sort: str
    index: int

    def __str__(self) -> str:
        return f"{self.sort}!{self.index}"


Value = bool | int | Fraction | Element


@dataclass(frozen=True, slots=True)
class Table:
    """A function: its value for the operands listed, and for all `otherwise` (None: all are listed).

    A constant has one entry, for no operands.
    """

    entries: Mapping[tuple[Value, ...], Value]
    otherwise: Value | None = None


@dataclass(frozen=True, slots=True)
class Structure:
    """Elements of every declared sort, and tables of the declared functions, as far as they can be written so."""

    universe: Mapping[str, tuple[Element, ...]]
    tables: Mapping[str, Table]

    @property
    def constants(self) -> dict[str, Value]:
        """The values of the constants."""
        return {name: table.entries[()] for name, table in self.tables.items() if () in table.entries}


def satisfies(structure: Structure, script: Script, steps: int = STEPS) -> bool | None:
    """Whether every assertion is true in the structure; None where evaluation cannot tell within its steps."""
    meaning = _Meaning(structure, script.definitions, steps)
    undecided = False
    for assertion in script.assertions:
        try:
            if not meaning.holds(assertion.formula):
                return False
        except Undecided:
            undecided = True
    return None if undecided else True


class _Meaning:
    def __init__(self, structure: Structure, definitions: Sequence[Definition], steps: int) -> None:
        self._structure = structure
        self._steps = steps
        self._defined: dict[str, Callable[[Mapping[str, Any], Sequence[Any]], Any]] = {}
        for definition in definitions:
            self._defined[definition.function.name] = self._body(definition)

    def holds(self, formula: SmtTerm) -> bool:
        compiler = Compiler(self)
        value = compiler.compile(formula)
        self.spend(compiler.terms)
        return bool(value({}, [None] * compiler.size))

    def call(self, function: Function) -> Callable[[Mapping[str, Any], Sequence[Any]], Any]:
        if function.name in self._defined:
            return self._defined[function.name]
        table = self._structure.tables.get(function.name)

        def look_up(values: Mapping[str, Any], operands: Sequence[Any]) -> Any:
            found = table.entries.get(tuple(operands), table.otherwise) if table else None
            if found is None:
                raise Undecided(f"no table for {function.name}")
            return found

        return look_up

    def elements(self, sort: SmtSort) -> Sequence[Any]:
        if sort == BOOL:
            return (False, True)
        if sort.name not in self._structure.universe:
            raise Undecided(f"infinitely many values of {sort.name}")
        return self._structure.universe[sort.name]

    def spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise Undecided("too many steps")

    def _body(self, definition: Definition) -> Callable[[Mapping[str, Any], Sequence[Any]], Any]:
        compiler = Compiler(self, definition.parameters)
        body = compiler.compile(definition.body)
        free, cost = compiler.size - len(definition.parameters), compiler.terms

        def call(values: Mapping[str, Any], operands: Sequence[Any]) -> Any:
            self.spend(cost)
            return body(values, [*operands, *[None] * free])

        return call
