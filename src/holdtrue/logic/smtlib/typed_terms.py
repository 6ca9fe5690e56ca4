"""This module defines typed SMT-LIB terms as immutable values, and checks the operands of built-in operators.

Sorts are `Bool`, `Int`, `Real` and declared ones. An integer in the place of a real number has `to_real` around it, or
is a real literal. Literals of numbers are never negative: -3 is `(- 3)`. Operators follow the standard's theories Core
and Reals_Ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from holdtrue.logic.smtlib.sexpr import excerpt


@dataclass(frozen=True, slots=True)
class SmtSort:
    """An `SmtSort` is a sort; sorts with equal names are equal."""

    name: str


BOOL, INT, REAL = SmtSort("Bool"), SmtSort("Int"), SmtSort("Real")
NUMBERS = (INT, REAL)


@dataclass(frozen=True, slots=True)
class Function:
    """A `Function` is a declared or defined symbol, which is a constant if it has no `arguments`."""

    name: str
    arguments: tuple[SmtSort, ...]
    result: SmtSort


@dataclass(frozen=True, slots=True)
class Literal:
    """A `Literal` is `true`, `false`, a numeral or a decimal."""

    value: bool | int | Fraction
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Local:
    """A `Local` is a bound variable: that of the innermost `let`, quantifier or definition that binds its name."""

    name: str
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Operation:
    """An `Operation` is a built-in operator (`symbols.OPERATORS`) with operands of the right number and sorts."""

    op: str
    operands: tuple[SmtTerm, ...]
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Call:
    """A `Call` is a declared or defined function with its operands, or a constant with none."""

    function: Function
    operands: tuple[SmtTerm, ...] = ()

    @property
    def sort(self) -> SmtSort:
        return self.function.result


@dataclass(frozen=True, slots=True)
class Let:
    """A `Let` is a body with names for terms. The terms cannot use these names, which bind in parallel."""

    bindings: tuple[tuple[Local, SmtTerm], ...]
    body: SmtTerm

    @property
    def sort(self) -> SmtSort:
        return self.body.sort


@dataclass(frozen=True, slots=True)
class Quantified:
    """A `Quantified` states that the body holds for every value of the variables, or for some."""

    every: bool
    variables: tuple[Local, ...]
    body: SmtTerm

    @property
    def sort(self) -> SmtSort:
        return BOOL


SmtTerm = Literal | Local | Operation | Call | Let | Quantified


def number(value: int) -> SmtTerm:
    """Return an integer as a term."""
    size = Literal(abs(value), INT)
    return size if value >= 0 else Operation("-", (size,), INT)


@dataclass(frozen=True, slots=True)
class Definition:
    """A `Definition` defines a function by a term over its parameters and earlier functions."""

    function: Function
    parameters: tuple[Local, ...]
    body: SmtTerm


class Depths:
    """A `Depths` computes the depth of parentheses of terms, in which definitions are expanded."""

    def __init__(self) -> None:
        self._bodies: dict[str, int] = {}

    def define(self, name: str, body: SmtTerm) -> None:
        """Define `name` by a body for later terms."""
        self._bodies[name] = self.of(body)

    def of(self, term: SmtTerm) -> int:
        """Return the depth of a term, which is 0 for an undefined constant. There is no recursion."""
        deepest = 0
        stack = [(0, term)]
        while stack:
            depth, node = stack.pop()
            inside = depth + 1
            match node:
                case Let():
                    deepest = max(deepest, depth + 3)  # For example, (let ((x ...
                    stack += [(depth + 3, bound) for _, bound in node.bindings]
                    stack.append((inside, node.body))
                case Quantified():
                    deepest = max(deepest, depth + 3)
                    stack.append((inside, node.body))
                case Operation() | Call():
                    if isinstance(node, Call):
                        inside = (inside if node.operands else depth) + self._bodies.get(node.function.name, 0)
                    deepest = max(deepest, inside)
                    stack += [(inside, operand) for operand in node.operands]
        return deepest


# The fewest and the most operands; None is any number. `and` and `or` of one operand are that operand.
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
    """The operands do not fit; `operand` is the index of the wrong one, or None if their number is wrong."""

    def __init__(self, message: str, operand: int | None = None) -> None:
        super().__init__(message)
        self.operand = operand


def apply_operator(op: str, operands: Sequence[SmtTerm]) -> SmtTerm:
    """Return the operation, with integers converted to reals if needed. Raises `SortFault`."""
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
    """Return the term as one of that sort, converted from integer to real if needed, or None if it does not fit."""
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
    """Return the operands as terms of one sort: that of the first, or real if integers and reals are mixed."""
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
