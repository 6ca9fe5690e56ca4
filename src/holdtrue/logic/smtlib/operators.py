"""The built-in operators: how many operands each takes, of which sorts, and what sort the result has.

As in the standard's theories Core and Reals_Ints, with the one liberty that solvers take as well: where integers
and reals meet, the integers are taken as reals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from holdtrue.logic.smtlib.sexpr import excerpt
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, NUMBERS, REAL, Literal, Operation, SmtSort, SmtTerm

# Fewest and most operands; None is any number. `and` and `or` of one operand are that operand.
_COUNTS: dict[str, tuple[int, int | None]] = {
    "not": (1, 1),
    "and": (1, None),
    "or": (1, None),
    "ite": (3, 3),
    "-": (1, None),
    "mod": (2, 2),
    "abs": (1, 1),
    "to_real": (1, 1),
    "to_int": (1, 1),
    "is_int": (1, 1),
}
_MANY = (2, None)
_CONNECTIVES = frozenset({"not", "and", "or", "xor", "=>"})
_COMPARISONS = frozenset({"<=", "<", ">=", ">"})


class SortFault(Exception):
    """Operands do not fit; `operand` is the index of the one to blame, None where it is their number."""

    def __init__(self, message: str, operand: int | None = None) -> None:
        super().__init__(message)
        self.operand = operand


def apply_operator(op: str, operands: Sequence[SmtTerm]) -> SmtTerm:
    """The operation, with conversions from integer to real where they are needed. Raises `SortFault`."""
    fewest, most = _COUNTS.get(op, _MANY)
    if len(operands) < fewest or (most is not None and len(operands) > most):
        wanted = f"{fewest}" if most == fewest else f"{fewest} or more"
        raise SortFault(f"{op} takes {wanted} operand(s), got {len(operands)}")
    if op in _CONNECTIVES:
        _require(op, operands, (BOOL,))
        return operands[0] if op in ("and", "or") and len(operands) == 1 else Operation(op, tuple(operands), BOOL)
    if op == "ite":
        _require(op, operands[:1], (BOOL,))
        first, second = _alike(op, operands[1:], offset=1)
        return Operation(op, (operands[0], first, second), first.sort)
    if op in ("=", "distinct"):
        return Operation(op, _alike(op, operands), BOOL)
    return _arithmetic(op, operands)


def fit(term: SmtTerm, sort: SmtSort) -> SmtTerm | None:
    """The term as one of that sort, converted from integer to real if need be; None where it does not fit."""
    if term.sort == sort:
        return term
    if sort != REAL or term.sort != INT:
        return None
    if isinstance(term, Literal):
        return Literal(Fraction(term.value), REAL)
    return Operation("to_real", (term,), REAL)


def _arithmetic(op: str, operands: Sequence[SmtTerm]) -> SmtTerm:
    match op:
        case "div" | "mod" | "abs" | "to_real":
            _require(op, operands, (INT,))
            return Operation(op, tuple(operands), REAL if op == "to_real" else INT)
        case "to_int" | "is_int":
            _require(op, operands, (REAL,))
            return Operation(op, tuple(operands), INT if op == "to_int" else BOOL)
    _require(op, operands, NUMBERS)
    sort = REAL if op == "/" or any(operand.sort == REAL for operand in operands) else INT
    fitted = tuple(own for own in (fit(operand, sort) for operand in operands) if own is not None)
    return Operation(op, fitted, BOOL if op in _COMPARISONS else sort)


def _require(op: str, operands: Sequence[SmtTerm], sorts: Sequence[SmtSort]) -> None:
    for index, operand in enumerate(operands):
        if operand.sort not in sorts:
            wanted = " or ".join(sort.name for sort in sorts)
            raise SortFault(f"{op} takes operands of sort {wanted}, not {excerpt(operand.sort.name)}", index)


def _alike(op: str, operands: Sequence[SmtTerm], offset: int = 0) -> tuple[SmtTerm, ...]:
    """The operands as terms of one sort: that of the first, or real where numbers are mixed."""
    sort = operands[0].sort
    if sort == INT and any(operand.sort == REAL for operand in operands):
        sort = REAL
    fitted = []
    for index, operand in enumerate(operands):
        own = fit(operand, sort)
        if own is None:
            both = f"{excerpt(sort.name)} and {excerpt(operand.sort.name)}"
            raise SortFault(f"{op} takes operands of one sort, got {both}", index + offset)
        fitted.append(own)
    return tuple(fitted)
