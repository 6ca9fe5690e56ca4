"""Find the least and the greatest value that integer terms can have, from what bounded symbols say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic.smtlib.printer import term_text
from holdtrue.logic.smtlib.sexpr import excerpt
from holdtrue.logic.smtlib.term_evaluation import quotient
from holdtrue.logic.smtlib.typed_terms import Call, Function, Let, Literal, Local, Operation, SmtTerm

Range = tuple[int, int]
LARGEST = 10**100
"""Beyond this no number can be meant, and repeated squaring is about to fill the memory."""


def integer_range(term: SmtTerm, range_of: Callable[[Function], Range]) -> Range:
    """The range of an integer term without quantifiers, each symbol and each operation taken by itself.

    For a formula, 0..1. Raises `FormulaError` where something inside cannot be computed for all values: a divisor
    that may be zero, a number beyond `LARGEST`.
    """
    return _range(term, {}, range_of)


def _range(term: SmtTerm, locals: Mapping[str, Range], range_of: Callable[[Function], Range]) -> Range:
    match term:
        case Literal():
            return int(term.value), int(term.value)
        case Local():
            return locals[term.name]
        case Call():
            return range_of(term.function)
        case Let():
            inner = dict(locals)
            for own, bound in term.bindings:
                inner[own.name] = _range(bound, locals, range_of)
            return _range(term.body, inner, range_of)
        case Operation():
            found = _operation(term, [_range(operand, locals, range_of) for operand in term.operands])
            if max(-found[0], found[1]) > LARGEST:
                raise FormulaError(f"{excerpt(term_text(term))} may have more than 100 digits")
            return found
    raise FormulaError(f"{excerpt(term_text(term))}: quantifiers have no place in a formula over bounded integers")


def _operation(term: Operation, operands: Sequence[Range]) -> Range:
    first = operands[0]
    match term.op:
        case "+":
            return sum(low for low, _ in operands), sum(high for _, high in operands)
        case "-" if len(operands) == 1:
            return -first[1], -first[0]
        case "-":
            return first[0] - sum(high for _, high in operands[1:]), first[1] - sum(low for low, _ in operands[1:])
        case "*":
            return _product(operands)
        case "abs":
            return max(0, first[0], -first[1]), max(first[1], -first[0])
        case "ite":
            return min(operands[1][0], operands[2][0]), max(operands[1][1], operands[2][1])
        case "div" | "mod":
            for low, high in operands[1:]:
                if low <= 0 <= high:
                    raise FormulaError(f"the divisor in {excerpt(term_text(term))} may be zero")
            return _quotient(operands) if term.op == "div" else _remainder(*operands)
    return 0, 1


def _product(operands: Sequence[Range]) -> Range:
    low, high = operands[0]
    for factor in operands[1:]:
        corners = [a * b for a in (low, high) for b in factor]
        low, high = min(corners), max(corners)
        if max(-low, high) > LARGEST:
            break  # refused by the caller, before it becomes larger still
    return low, high


def _quotient(operands: Sequence[Range]) -> Range:
    low, high = operands[0]
    for divisor in operands[1:]:
        # Monotone in each of the two where the divisor keeps its sign, so that the ends are in the corners.
        corners = [quotient(a, b) for a in (low, high) for b in divisor]
        low, high = min(corners), max(corners)
    return low, high


def _remainder(dividend: Range, divisor: Range) -> Range:
    largest = max(map(abs, divisor)) - 1
    if dividend[0] >= 0:
        largest = min(largest, dividend[1])
    return 0, largest
