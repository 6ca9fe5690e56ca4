"""The term of an opaque formula as a z3 expression. No text reaches z3's parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import pairwise
from typing import Any

import z3

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib.typed_terms import Call, Let, Literal, Local, Operation, SmtTerm

Expressions = Mapping[str, Any]


def smtlib_expression(term: SmtTerm, symbols: Expressions, context: Any) -> Any:
    """The expression of a term over integers without quantifiers; `symbols` has those of its constants."""
    return _expression(term, symbols, {}, context)


def _expression(term: SmtTerm, symbols: Expressions, locals: Expressions, context: Any) -> Any:
    match term:
        case Literal(value=bool() as value):
            return z3.BoolVal(value, context)
        case Literal(value=value):
            return z3.IntVal(value, context)
        case Local():
            return locals[term.name]
        case Call():
            return symbols[term.function.name]
        case Operation():
            operands = []
            for operand in term.operands:
                operands.append(_expression(operand, symbols, locals, context))  # noqa: PERF401 - one frame fewer
            return _operation(term.op, operands)
        case Let():
            named = {own.name: _expression(bound, symbols, locals, context) for own, bound in term.bindings}
            return _expression(term.body, symbols, {**locals, **named}, context)
    raise FormulaError(f"no term of an opaque formula: {term!r}")


def _operation(op: str, operands: list[Any]) -> Any:
    if op in _CHAINED:
        pairs = [_CHAINED[op](left, right) for left, right in pairwise(operands)]
        return pairs[0] if len(pairs) == 1 else z3.And(*pairs)
    if op in _FOLDED:
        return reduce(_FOLDED[op], operands)
    if op == "-" and len(operands) > 1:
        return operands[0] - z3.Sum(*operands[1:])
    return _WHOLE[op](*operands)


def _implies(*operands: Any) -> Any:
    *premises, last = operands
    return z3.Implies(z3.And(*premises), last)


_CHAINED: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}
_FOLDED: Mapping[str, Callable[[Any, Any], Any]] = {
    "xor": z3.Xor,
    "div": lambda a, b: a / b,  # of integers, z3's division is the standard's div
}
_WHOLE: Mapping[str, Callable[..., Any]] = {
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
}
