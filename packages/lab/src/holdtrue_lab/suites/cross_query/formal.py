"""Read the SMT-LIB texts of a case: its `formal_representation`, and the `formal` of each statement.

This works for our own texts, and for published ones as far as our reader understands them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.smtlib.formula_reader import read_formula
from holdtrue.logic.smtlib.script import Script, read_script, term_text
from holdtrue.logic.smtlib.symbols import name_of
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Call, Function, Let, Literal, Operation, SmtTerm, number
from holdtrue.logic.sorts import IntSort

# These say nothing about the case, and the reader does not let them in.
_NEEDLESS = re.compile(r"\(\s*(?:set-logic|set-info|set-option|check-sat|get-model|exit)\b[^()]*\)")
_COMMENT_RANGE = re.compile(r"(\w+)_X in \[\s*(-?\d+)\s*,\s*(-?\d+)\s*\]")
# How `symbol op number` bounds the symbol: which end, and how far from the number.
_BOUNDS = {"<=": ("high", 0), "<": ("high", -1), ">=": ("low", 0), ">": ("low", 1)}
_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


@dataclass(frozen=True, slots=True)
class FormalTheory:
    """Variables by name, and the formulas asserted about them. A Boolean symbol is a variable that is 0 or 1."""

    variables: Mapping[str, Variable]
    formulas: tuple[Formula, ...]


def read_theory(text: str) -> FormalTheory:
    """Return the theory that a text asserts.

    Integers need a least and a greatest value: asserted, or in a comment such as `pos_X in [0, 4]`. Raises
    `FormulaError` (`SmtLibError` where it knows the line) for what cannot be read, and where nothing is asserted.
    """
    script = read_script(_NEEDLESS.sub(" ", text))
    if not script.assertions:
        raise FormulaError("nothing is asserted")
    if script.sorts or script.definitions:
        raise FormulaError("only integers and Booleans are read, and no definitions")
    variables = _variables(script, text)
    formulas = tuple(read_formula(term_text(_numeric(own.formula)), variables.__getitem__) for own in script.assertions)
    return FormalTheory(variables, formulas)


def read_statement(text: str, theory: FormalTheory) -> Formula:
    """Return the formula of a statement over the symbols of the theory; raises `FormulaError`, with the place."""
    return read_formula(text, theory.variables.__getitem__)


def _variables(script: Script, text: str) -> dict[str, Variable]:
    bounds: dict[tuple[str, str], int] = {}
    for stem, low, high in _COMMENT_RANGE.findall(text):
        for function in script.functions:
            if function.name.startswith(f"{stem}_"):
                bounds[function.name, "low"], bounds[function.name, "high"] = int(low), int(high)
    for assertion in script.assertions:
        for symbol, end, value in _asserted_bounds(assertion.formula):
            tighter = max if end == "low" else min
            bounds[symbol, end] = tighter(value, bounds.get((symbol, end), value))
    variables: dict[str, Variable] = {}
    for function in script.functions:
        name = name_of(function.name)
        low, high = bounds.get((function.name, "low")), bounds.get((function.name, "high"))
        if function.result == BOOL and not function.arguments:
            variables[name] = Variable(name, IntSort(0, 1))
        elif function.result == INT and not function.arguments and low is not None and high is not None and low <= high:
            variables[name] = Variable(name, IntSort(low, high))
        else:
            raise FormulaError(f"{name} is no constant with a least and a greatest value")
    return variables


def _asserted_bounds(term: SmtTerm) -> Iterator[tuple[str, str, int]]:
    """The ends of ranges that a formula asserts by itself."""
    if not isinstance(term, Operation):
        return
    if term.op == "and":
        for operand in term.operands:
            yield from _asserted_bounds(operand)
    elif term.op in _BOUNDS:
        for left, right in zip(term.operands, term.operands[1:], strict=False):
            below, above = _value(left), _value(right)
            if isinstance(left, Call) and above is not None:
                yield _bound(left, term.op, above)
            elif isinstance(right, Call) and below is not None:
                yield _bound(right, _TURNED[term.op], below)


def _bound(symbol: Call, op: str, value: int) -> tuple[str, str, int]:
    end, offset = _BOUNDS[op]
    return symbol.function.name, end, value + offset


def _value(term: SmtTerm) -> int | None:
    match term:
        case Literal(value=int() as value):
            return value
        case Operation(op="-", operands=(Literal(value=int() as value),)):
            return -value
    return None


def _numeric(term: SmtTerm) -> SmtTerm:
    """The term with every Boolean constant as an integer that is 1."""
    match term:
        case Call() if term.sort == BOOL:
            return Operation("=", (Call(Function(term.function.name, (), INT)), number(1)), BOOL)
        case Operation():
            return Operation(term.op, tuple(map(_numeric, term.operands)), term.sort)
        case Let():
            bindings = tuple((own, _numeric(bound)) for own, bound in term.bindings)
            return Let(bindings, _numeric(term.body))
    return term
