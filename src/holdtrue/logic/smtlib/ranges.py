"""Find the least and the greatest value that integer terms can have, from what is known of their symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdtrue.errors import FormulaError
from holdtrue.logic import intervals
from holdtrue.logic.intervals import Range
from holdtrue.logic.smtlib.printer import term_text
from holdtrue.logic.smtlib.sexpr import excerpt
from holdtrue.logic.smtlib.typed_terms import Call, Function, Let, Literal, Local, Operation, SmtTerm

LARGEST = 10**100
"""Beyond this no number can be meant, and repeated squaring is about to fill the memory."""


def integer_range(term: SmtTerm, range_of: Callable[[Function], Range]) -> Range:
    """The range of an integer term without quantifiers, each symbol and each operation taken by itself.

    For a formula, 0..1; None for an open end. Raises `FormulaError` where something inside cannot be computed for all
    values: a divisor that may be zero, an end beyond `LARGEST`.
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
            if _is_huge(found):
                raise FormulaError(f"{excerpt(term_text(term))} may have more than 100 digits")
            return found
    raise FormulaError(f"{excerpt(term_text(term))}: quantifiers have no place in a formula over bounded integers")


def _operation(term: Operation, operands: Sequence[Range]) -> Range:
    first = operands[0]
    match term.op:
        case "-" if len(operands) == 1:
            return intervals.scaled(-1, first)
        case "+" | "-":
            for own in operands[1:]:
                first = intervals.added(first, own if term.op == "+" else intervals.scaled(-1, own))
            return first
        case "*":
            for own in operands[1:]:
                first = intervals.multiplied(first, own)
                if _is_huge(first):
                    break  # refused by the caller, before it becomes larger still
            return first
        case "abs":
            return intervals.absolute(first)
        case "ite":
            return intervals.joined(operands[1:])
        case "div" | "mod":
            for low, high in operands[1:]:
                if (low is None or low <= 0) and (high is None or high >= 0):
                    raise FormulaError(f"the divisor in {excerpt(term_text(term))} may be zero")
            if term.op == "mod":
                return intervals.remaining(first, operands[1])
            for own in operands[1:]:
                first = intervals.divided(first, own)
            return first
    return 0, 1


def _is_huge(own: Range) -> bool:
    return any(end is not None and abs(end) > LARGEST for end in own)
