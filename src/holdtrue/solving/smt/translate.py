"""Our terms as z3 expressions. No name from a text reaches z3, and no text reaches its parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import z3

from holdtrue.logic.smtlib.typed_terms import (
    BOOL,
    INT,
    REAL,
    Call,
    Definition,
    Function,
    Let,
    Literal,
    Local,
    Operation,
    Quantified,
    SmtSort,
    SmtTerm,
)

Apply = Callable[[Function, Sequence[Any]], Any]
Expressions = Mapping[str, Any]


class Translator:
    """Translates terms in one z3 context.

    `apply` makes the expression of a declared function with its operands; `sorts` are the declared sorts by name.
    """

    def __init__(self, context: Any, apply: Apply, sorts: Mapping[str, Any] | None = None) -> None:
        self._context = context
        self._apply = apply
        self._sorts = {INT.name: z3.IntSort(context), BOOL.name: z3.BoolSort(context), REAL.name: z3.RealSort(context)}
        self._sorts.update(sorts or {})
        self._bodies: dict[str, tuple[list[Any], Any]] = {}
        self._bound = 0

    def sort(self, sort: SmtSort) -> Any:
        return self._sorts[sort.name]

    def define(self, definition: Definition) -> None:
        """Make a defined function known: its calls become its body, with operands in the place of parameters."""
        parameters = {own.name: self._fresh(own) for own in definition.parameters}
        body = self.term(definition.body, parameters)
        self._bodies[definition.function.name] = (list(parameters.values()), body)

    def term(self, term: SmtTerm, locals: Expressions | None = None) -> Any:
        """The z3 expression; `locals` are those of bound names."""
        locals = locals or {}
        match term:
            case Literal():
                return self._literal(term)
            case Local():
                return locals[term.name]
            case Operation():
                return self._operation(term.op, [self.term(operand, locals) for operand in term.operands])
            case Call():
                return self._call(term.function, [self.term(operand, locals) for operand in term.operands])
            case Let():
                named = {own.name: self.term(bound, locals) for own, bound in term.bindings}
                return self.term(term.body, {**locals, **named})
            case Quantified():
                # Each variable is a constant of its own until z3 binds it, so that no two of them can be confused.
                fresh = {own.name: self._fresh(own) for own in term.variables}
                body = self.term(term.body, {**locals, **fresh})
                return (z3.ForAll if term.every else z3.Exists)(list(fresh.values()), body)

    def _fresh(self, local: Local) -> Any:
        self._bound += 1
        return z3.Const(f"bound {self._bound}", self.sort(local.sort))

    def _call(self, function: Function, operands: list[Any]) -> Any:
        if function.name not in self._bodies:
            return self._apply(function, operands)
        parameters, body = self._bodies[function.name]
        return z3.substitute(body, *zip(parameters, operands, strict=True)) if parameters else body

    def _literal(self, literal: Literal) -> Any:
        if literal.sort == BOOL:
            return z3.BoolVal(bool(literal.value), self._context)
        make = z3.IntVal if literal.sort == INT else z3.RealVal
        return make(str(literal.value), self._context)

    def _operation(self, op: str, operands: list[Any]) -> Any:
        if op in _CHAINED:
            pairs = [_CHAINED[op](left, right) for left, right in pairwise(operands)]
            return pairs[0] if len(pairs) == 1 else z3.And(*pairs)
        if op in _FOLDED:
            result = operands[0]
            for operand in operands[1:]:
                result = _FOLDED[op](result, operand)
            return result
        if op == "-" and len(operands) > 1:
            return operands[0] - z3.Sum(*operands[1:])
        return _WHOLE[op](*operands)


def _implies(*operands: Any) -> Any:
    *premises, last = operands
    return z3.Implies(z3.And(*premises), last)


_CHAINED: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}
_FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "xor": z3.Xor,
    "div": lambda a, b: a / b,  # of integers, z3's division is the standard's div
    "/": lambda a, b: a / b,
}
_WHOLE: dict[str, Callable[..., Any]] = {
    "not": z3.Not,
    "and": z3.And,
    "or": z3.Or,
    "=>": _implies,
    "distinct": z3.Distinct,
    "ite": z3.If,
    "+": z3.Sum,
    "-": lambda a: -a,
    "*": z3.Product,
    "mod": lambda a, b: a % b,
    "abs": lambda a: z3.If(a >= 0, a, -a),
    "to_real": z3.ToReal,
    "to_int": z3.ToInt,
    "is_int": z3.IsInt,
}
