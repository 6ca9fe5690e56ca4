"""This module defines terms, which are expressions of integer value, their comparisons, and their linear normal form.

The module `operations` has further terms, whose constructors check the ranges of their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar, overload

from holdtrue.errors import FormulaError
from holdtrue.logic import intervals
from holdtrue.logic.connectives import Formula, check_formulas
from holdtrue.logic.formula_mistakes import (
    no_arithmetic,
    no_division,
    no_formula,
    no_term,
    no_truth_value,
    refuse_equality,
)
from holdtrue.logic.intervals import Range
from holdtrue.logic.node import Node
from holdtrue.logic.sorts import Sort

if TYPE_CHECKING:
    from holdtrue.logic.operations import Product, Quotient, Remainder

Comparison = Literal["<=", "<", ">=", ">", "==", "!="]
NEGATED: dict[Comparison, Comparison] = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
TURNED: dict[Comparison, Comparison] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "==", "!=": "!="}
"""The equivalent comparison with exchanged sides."""
COMPARED: dict[Comparison, Callable[[Any, Any], Any]] = {"<=": le, "<": lt, ">=": ge, ">": gt, "==": eq, "!=": ne}
"""The function that compares two numbers, or two terms of a solver that overload the operator."""

AnyTerm = TypeVar("AnyTerm", bound="Term")


def _refused(words: str) -> Callable[[Term, object], NoReturn]:
    """Return an operator that raises an error; `words` describe it, with {0} for the term and {1} for the other."""

    def refuse(self: Term, other: object) -> NoReturn:
        raise no_arithmetic(words.format(self, other))

    return refuse


class Term(Node):
    """A `Term` is an expression of integer value."""

    def reach(self) -> Range:
        """Return the least and the greatest value of the term, as `term_range` does."""
        raise FormulaError(f"not a term: {self!r}")

    def __add__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (1, term(other))))

    def __radd__(self, other: int) -> Sum:
        return term(other) + self

    def __sub__(self, other: Term | int) -> Sum:
        return Sum(((1, self), (-1, term(other))))

    def __rsub__(self, other: int) -> Sum:
        return term(other) - self

    @overload
    def __mul__(self, other: int) -> Sum: ...
    @overload
    def __mul__(self, other: Term) -> Sum | Product: ...
    def __mul__(self, other: Term | int) -> Sum | Product:
        if _is_whole(other):
            return Sum(((other, self),))  # type: ignore[arg-type]
        if not isinstance(other, Term):
            raise no_arithmetic(f"{self} times {other}")
        return _product(self, other)

    def __rmul__(self, factor: int) -> Sum:
        return self * factor

    def __floordiv__(self, divisor: Term | int) -> Quotient:
        return _quotient(*_divided("a quotient of {0} and {1}", self, divisor))

    def __rfloordiv__(self, dividend: int) -> Quotient:
        return _quotient(*_divided("a quotient of {0} and {1}", dividend, self))

    def __mod__(self, divisor: Term | int) -> Remainder:
        return _remainder(*_divided("{0} modulo {1}", self, divisor))

    def __rmod__(self, dividend: int) -> Remainder:
        return _remainder(*_divided("{0} modulo {1}", dividend, self))

    __truediv__, __rtruediv__ = _refused("a quotient of {0} and {1}"), _refused("a quotient of {1} and {0}")
    __pow__, __rpow__ = _refused("{0} to the power of {1}"), _refused("{1} to the power of {0}")

    def __and__(self, other: object) -> NoReturn:
        # `a < 3 & b > 2` is `a < (3 & b) > 2` for Python.
        raise no_formula(self, "beside & or |")

    __rand__ = __or__ = __ror__ = __and__

    def __invert__(self) -> NoReturn:
        raise no_formula(self, "behind ~")

    def __bool__(self) -> bool:
        raise no_truth_value(self)

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
        """Return a formula that is true if both terms have the same value."""
        return Compare("==", self, term(other))

    def ne(self, other: Term | int) -> Compare:
        """Return a formula that is true if the values of the terms differ."""
        return Compare("!=", self, term(other))


class Atom(Term):
    """An `Atom` is a term that is one summand of a linear form."""


def asked_for_a_formula(kind: type[AnyTerm]) -> type[AnyTerm]:
    """Let `==` on a class of terms raise an error in code that writes formulas (`formula_mistakes.refuse_equality`)."""
    equal = kind.__eq__

    def __eq__(self: AnyTerm, other: object) -> bool:
        refuse_equality(self, other)
        return equal(self, other)

    kind.__eq__ = __eq__  # type: ignore[assignment]
    return kind


def term(value: Term | int) -> Term:
    """Return `value` as a term; an integer becomes a `Constant`."""
    if isinstance(value, Term):
        return value
    if not _is_whole(value):
        raise no_term(value)
    return Constant(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_terms(terms: Iterable[object]) -> None:
    """Raise `FormulaMistake` if a value is not a term."""
    for each in terms:
        if not isinstance(each, Term):
            raise no_term(each)


@asked_for_a_formula
@dataclass(frozen=True)
class Variable(Atom):
    """A `Variable` is an unknown with a name, which is unique in its theory, and a sort."""

    name: str
    sort: Sort

    @property
    def variables(self) -> frozenset[Variable]:
        return frozenset((self,))

    def reach(self) -> Range:
        return self.sort.low, self.sort.high

    def __hash__(self) -> int:
        # The hash of a string is cached, and formulas are often keys.
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@asked_for_a_formula
@dataclass(frozen=True)
class Constant(Term):
    value: int

    def reach(self) -> Range:
        return self.value, self.value

    def __str__(self) -> str:
        return str(self.value)


@asked_for_a_formula
@dataclass(frozen=True)
class Sum(Term):
    """A `Sum` is the sum of `factor * term` over its `parts`."""

    parts: tuple[tuple[int, Term], ...]

    def __add__(self, other: Term | int) -> Sum:
        # A chain stays flat, so that `sum(terms)` is not deep.
        return Sum((*self.parts, (1, term(other))))

    def __sub__(self, other: Term | int) -> Sum:
        return Sum((*self.parts, (-1, term(other))))

    @property
    def children(self) -> tuple[Node, ...]:
        return tuple(part for _, part in self.parts)

    def reach(self) -> Range:
        return reach_of(linear(self), lambda atom: atom.reach())

    def written(self, show: Callable[[Term], str]) -> str:
        """Return the sum as text, with its terms as `show` writes them."""
        out = ""
        for factor, part in self.parts:
            if isinstance(part, Constant):
                value = factor * part.value
                factor, body = (1 if value >= 0 else -1), str(abs(value))
            else:
                inner = f"({show(part)})" if isinstance(part, Sum) else show(part)
                body = inner if abs(factor) == 1 else f"{abs(factor)}*{inner}"
            sign = "-" if factor < 0 else "+"
            out += f" {sign} {body}" if out else (f"-{body}" if factor < 0 else body)
        return out or "0"

    def __str__(self) -> str:
        return self.written(str)


@asked_for_a_formula
@dataclass(frozen=True)
class Abs(Atom):
    """An `Abs` is the absolute value of a term."""

    inner: Term

    def __post_init__(self) -> None:
        check_terms((self.inner,))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.inner,)

    def reach(self) -> Range:
        return intervals.absolute(self.inner.reach())

    def __str__(self) -> str:
        return f"|{self.inner}|"


@asked_for_a_formula
@dataclass(frozen=True)
class Ite(Atom):
    """An `Ite` is `then` if the condition holds, and else `otherwise`; the function `ite` also takes integers."""

    condition: Formula
    then: Term
    otherwise: Term

    def __post_init__(self) -> None:
        check_formulas(self, (self.condition,))
        check_terms((self.then, self.otherwise))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.condition, self.then, self.otherwise)

    def reach(self) -> Range:
        return intervals.joined((self.then.reach(), self.otherwise.reach()))

    def __str__(self) -> str:
        return f"(if {self.condition} then {self.then} else {self.otherwise})"


def ite(condition: Formula, then: Term | int, otherwise: Term | int) -> Ite:
    """Return the term that is `then` if the condition holds, and else `otherwise`."""
    return Ite(condition, term(then), term(otherwise))


@dataclass(frozen=True)
class Compare(Formula):
    op: Comparison
    left: Term
    right: Term

    def __post_init__(self) -> None:
        check_terms((self.left, self.right))

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@dataclass(frozen=True, slots=True)
class Linear:
    """A `Linear` is the normal form `constant + sum(factor * atom)`."""

    factors: tuple[tuple[Atom, int], ...]
    constant: int


def linear(value: Term) -> Linear:
    """Return the linear normal form of a term, with equal atoms merged and without factors of zero."""
    factors: dict[Atom, int] = {}
    constant = 0
    stack: list[tuple[int, Term]] = [(1, value)]
    while stack:
        factor, node = stack.pop()
        if isinstance(node, Constant):
            constant += factor * node.value
        elif isinstance(node, Sum):
            stack += [(factor * own, part) for own, part in reversed(node.parts)]
        elif isinstance(node, Atom):
            factors[node] = factors.get(node, 0) + factor
        else:
            raise FormulaError(f"not a term: {node!r}")
    return Linear(tuple([item for item in factors.items() if item[1]]), constant)


def term_range(value: Term) -> Range:
    """Return the least and the greatest value of a term, with None for an open end.

    The atoms of its linear form count as independent of each other.
    """
    return value.reach()


def reach_of(form: Linear, reach: Callable[[Atom], Range]) -> Range:
    """Return the range of a linear form; `reach` returns the range of an atom."""
    found: Range = (form.constant, form.constant)
    for atom, factor in form.factors:
        found = intervals.added(found, intervals.scaled(factor, reach(atom)))
    return found


def _divided(words: str, dividend: Term | int, divisor: Term | int) -> tuple[Term, Term]:
    """Return both as terms. Raises `FormulaMistake` for a divisor that may be negative.

    Python and SMT-LIB divide differently by negative numbers.
    """
    for each in (dividend, divisor):
        if not isinstance(each, Term) and not _is_whole(each):
            raise no_arithmetic(words.format(dividend, divisor))
    below = term(divisor)
    least, _ = below.reach()
    if least is None or least < 0:
        raise no_division(words.format(dividend, divisor), divisor)
    return term(dividend), below


# These functions import `operations` late, since it imports this module.
def _product(left: Term, right: Term) -> Sum | Product:
    from holdtrue.logic.operations import product

    return product(left, right)


def _quotient(dividend: Term, divisor: Term) -> Quotient:
    from holdtrue.logic.operations import Quotient

    return Quotient(dividend, divisor)


def _remainder(dividend: Term, divisor: Term) -> Remainder:
    from holdtrue.logic.operations import Remainder

    return Remainder(dividend, divisor)
