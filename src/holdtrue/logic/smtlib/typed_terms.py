"""Typed SMT-LIB terms, as immutable values.

Sorts are `Bool`, `Int`, `Real` and declared ones. Integers never stand where a real number must: reading has put
`to_real` around them, or has made a literal real. Literals of numbers are never negative: -3 is `(- 3)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class SmtSort:
    """A sort; equal names are the same sort, since no text may declare one twice."""

    name: str


BOOL, INT, REAL = SmtSort("Bool"), SmtSort("Int"), SmtSort("Real")
NUMBERS = (INT, REAL)


@dataclass(frozen=True, slots=True)
class Function:
    """A declared or defined symbol; without `arguments`, a constant."""

    name: str
    arguments: tuple[SmtSort, ...]
    result: SmtSort


@dataclass(frozen=True, slots=True)
class Literal:
    """`true`, `false`, a numeral or a decimal."""

    value: bool | int | Fraction
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Local:
    """A variable bound by `let`, by a quantifier or as a parameter: the innermost binding of its name."""

    name: str
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Operation:
    """A built-in operator (`symbols.OPERATORS`) over operands of the right number and sorts."""

    op: str
    operands: tuple[SmtTerm, ...]
    sort: SmtSort


@dataclass(frozen=True, slots=True)
class Call:
    """A declared or defined function with its operands, or a constant with none."""

    function: Function
    operands: tuple[SmtTerm, ...] = ()

    @property
    def sort(self) -> SmtSort:
        return self.function.result


@dataclass(frozen=True, slots=True)
class Let:
    """The body, with names for terms. All of them are outside of the names' reach (they bind in parallel)."""

    bindings: tuple[tuple[Local, SmtTerm], ...]
    body: SmtTerm

    @property
    def sort(self) -> SmtSort:
        return self.body.sort


@dataclass(frozen=True, slots=True)
class Quantified:
    """The body holds for every value of the variables, or for some."""

    every: bool
    variables: tuple[Local, ...]
    body: SmtTerm

    @property
    def sort(self) -> SmtSort:
        return BOOL


SmtTerm = Literal | Local | Operation | Call | Let | Quantified


def number(value: int) -> SmtTerm:
    """An integer as a term."""
    size = Literal(abs(value), INT)
    return size if value >= 0 else Operation("-", (size,), INT)


@dataclass(frozen=True, slots=True)
class Definition:
    """A function defined by a term over its parameters, and over what was declared and defined before."""

    function: Function
    parameters: tuple[Local, ...]
    body: SmtTerm


class Depths:
    """Depths in parentheses, as written; a call is as much deeper as the body of its definition is deep."""

    def __init__(self) -> None:
        self._bodies: dict[str, int] = {}

    def define(self, name: str, body: SmtTerm) -> None:
        """From now on `name` stands for a body."""
        self._bodies[name] = self.of(body)

    def of(self, term: SmtTerm) -> int:
        """The depth of a term; 0 for a constant that nothing defines. Without recursion."""
        deepest = 0
        stack = [(0, term)]
        while stack:
            depth, node = stack.pop()
            inside = depth + 1
            match node:
                case Let():
                    deepest = max(deepest, depth + 3)  # as in (let ((x ...
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
