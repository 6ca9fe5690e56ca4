"""Formulas over bounded integer variables, as immutable values.

Terms are written with `+`, `-`, `*` (by a constant) and `abs`; comparisons with `<`, `<=`, `>`, `>=` and,
because `==` must stay Python's own equality of values, `eq` and `ne`. Formulas combine with `&`, `|`, `~`,
`implies` and `iff`.

>>> from holdtrue.logic.sorts import IntSort
>>> a, b = Variable("a", IntSort(1, 5)), Variable("b", IntSort(1, 5))
>>> str((abs(a - b) >= 2) & a.ne(3))
'((|a - b| >= 2) and (a != 3))'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from holdtrue.errors import FormulaError
from holdtrue.logic.sorts import Sort

Comparison = Literal["<=", "<", ">=", ">", "==", "!="]
NEGATED: dict[Comparison, Comparison] = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


class Term:
    """An integer-valued expression."""

    def __add__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (1, term(other))))

    def __radd__(self, other: int) -> Sum:
        return term(other) + self

    def __sub__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (-1, term(other))))

    def __rsub__(self, other: int) -> Sum:
        return term(other) - self

    def __mul__(self, factor: int) -> Sum:
        return Sum(((factor, self),))

    __rmul__ = __mul__

    def __neg__(self) -> Sum:
        return Sum(((-1, self),))

    def __abs__(self) -> Abs:
        return Abs(self)

    def __le__(self, other: Term | int) -> Compare:
        return Compare("<=", self, term(other))

    def __lt__(self, other: Term | int) -> Compare:
        return Compare("<", self, term(other))

    def __ge__(self, other: Term | int) -> Compare:
        return Compare(">=", self, term(other))

    def __gt__(self, other: Term | int) -> Compare:
        return Compare(">", self, term(other))

    def eq(self, other: Term | int) -> Compare:
        """The formula that both have the same value."""
        return Compare("==", self, term(other))

    def ne(self, other: Term | int) -> Compare:
        """The formula that their values differ."""
        return Compare("!=", self, term(other))


def term(value: Term | int) -> Term:
    """`value` as a term; a plain integer becomes a `Constant`."""
    if isinstance(value, Term):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise FormulaError(f"a term is a variable, a sum or an integer, not {value!r}")
    return Constant(value)


@dataclass(frozen=True)
class Variable(Term):
    """An unknown with a name, unique in its theory, and the sort that it ranges over."""

    name: str
    sort: Sort

    def __hash__(self) -> int:
        # Names are unique in a theory, and strings keep their hash: formulas are looked up often.
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Constant(Term):
    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Sum(Term):
    """`factor * term` summed over `parts`."""

    parts: tuple[tuple[int, Term], ...]

    def __str__(self) -> str:
        out = ""
        for factor, part in self.parts:
            if isinstance(part, Constant):
                factor, body = (
                    (1, str(abs(factor * part.value)))
                    if factor * part.value >= 0
                    else (-1, str(abs(factor * part.value)))
                )
            else:
                inner = f"({part})" if isinstance(part, Sum) else str(part)
                body = inner if abs(factor) == 1 else f"{abs(factor)}*{inner}"
            sign = "-" if factor < 0 else "+"
            out += f" {sign} {body}" if out else (f"-{body}" if factor < 0 else body)
        return out or "0"


@dataclass(frozen=True)
class Abs(Term):
    """The absolute value of a term."""

    inner: Term

    def __str__(self) -> str:
        return f"|{self.inner}|"


class Formula:
    """A statement that is true or false once every variable has a value."""

    def __and__(self, other: Formula) -> And:
        # A chain stays flat: as deep as it is long, it could not be read back from JSON.
        return And((*self.operands, other) if isinstance(self, And) else (self, other))

    def __or__(self, other: Formula) -> Or:
        return Or((*self.operands, other) if isinstance(self, Or) else (self, other))

    def __invert__(self) -> Not:
        return Not(self)

    def __bool__(self) -> bool:
        # Python's `and`, `or`, `not` and `a < b < c` would silently drop one side.
        raise FormulaError(f"{self} has no truth value of its own; combine formulas with &, | and ~")

    def implies(self, other: Formula) -> Or:
        return Or((Not(self), other))

    def iff(self, other: Formula) -> Iff:
        return Iff(self, other)

    @cached_property
    def variables(self) -> frozenset[Variable]:
        """Every variable that occurs in the formula."""
        return frozenset(_variables(self))


@dataclass(frozen=True)
class Truth(Formula):
    """The formula that is always true, or always false."""

    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True)
class Compare(Formula):
    op: Comparison
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@dataclass(frozen=True)
class And(Formula):
    """All operands hold; with none, true."""

    operands: tuple[Formula, ...]

    def __str__(self) -> str:
        return "(" + " and ".join(map(str, self.operands)) + ")" if self.operands else "true"


@dataclass(frozen=True)
class Or(Formula):
    """Some operand holds; with none, false."""

    operands: tuple[Formula, ...]

    def __str__(self) -> str:
        return "(" + " or ".join(map(str, self.operands)) + ")" if self.operands else "false"


@dataclass(frozen=True)
class Not(Formula):
    operand: Formula

    def __str__(self) -> str:
        return f"(not {self.operand})"


@dataclass(frozen=True)
class Iff(Formula):
    """Both hold or neither does."""

    left: Formula
    right: Formula

    def __str__(self) -> str:
        return f"({self.left} iff {self.right})"


@dataclass(frozen=True)
class AllDifferent(Formula):
    """No two terms have the same value."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return "all-different(" + ", ".join(map(str, self.terms)) + ")"


def _variables(root: Formula) -> Iterator[Variable]:
    stack: list[Formula | Term] = [root]
    while stack:
        node = stack.pop()
        match node:
            case Variable():
                yield node
            case Compare():
                stack += (node.left, node.right)
            case Sum():
                stack += (part for _, part in node.parts)
            case Abs():
                stack.append(node.inner)
            case And() | Or():
                stack += node.operands
            case Not():
                stack.append(node.operand)
            case Iff():
                stack += (node.left, node.right)
            case AllDifferent():
                stack += node.terms


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear normal form: `constant + sum(factor * atom)`; an atom is a `Variable` or an `Abs`."""

    factors: tuple[tuple[Variable | Abs, int], ...]
    constant: int


def linear(value: Term) -> Linear:
    """The linear normal form of a term: like atoms merged, factors of zero dropped."""
    factors: dict[Variable | Abs, int] = {}
    constant = 0
    stack: list[tuple[int, Term]] = [(1, value)]
    while stack:
        factor, node = stack.pop()
        match node:
            case Constant():
                constant += factor * node.value
            case Sum():
                stack += [(factor * own, part) for own, part in reversed(node.parts)]
            case Variable() | Abs():
                factors[node] = factors.get(node, 0) + factor
            case _:
                raise FormulaError(f"not a term: {node!r}")
    return Linear(tuple((atom, factor) for atom, factor in factors.items() if factor), constant)
