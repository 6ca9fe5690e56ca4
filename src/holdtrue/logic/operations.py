"""This module defines terms beyond sums: tables, products, quotients, remainders, minimum and maximum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic import intervals
from holdtrue.logic.intervals import Range
from holdtrue.logic.node import Node
from holdtrue.logic.terms import (
    Abs,
    Atom,
    Constant,
    Ite,
    Sum,
    Term,
    Variable,
    asked_for_a_formula,
    check_terms,
    term,
    term_range,
)

LARGEST_DEGREE = 20
"""The greatest number of variables as factors of a product, since repeated squaring would fill the memory."""


@asked_for_a_formula
@dataclass(frozen=True)
class Element(Atom):
    """An `Element` is the entry of `table` at `index`, counted from 0.

    Raises `FormulaError` if the table lacks an entry for some value in the index's range (`term_range`). An answer may
    have values outside of the sorts. Then an index beyond an end of the table means the entry at that end.
    """

    table: tuple[int, ...]
    index: Term

    def __post_init__(self) -> None:
        if not isinstance(self.table, tuple):
            raise FormulaMistake(
                f"Element takes a tuple as its table: Element((10, 20), index), not {self.table!r:.80}"
            )
        check_terms((self.index,))
        low, high = term_range(self.index)
        if low is None or high is None or low < 0 or high >= len(self.table):
            entries = f"0 to {len(self.table) - 1}" if self.table else "no entries"
            raise FormulaError(f"the index {self.index} has {_values((low, high))}; its table has {entries}")

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.index,)

    @property
    def places(self) -> range:
        """Return the values that the index can have."""
        low, high = term_range(self.index)
        return range(0 if low is None else low, len(self.table) if high is None else high + 1)

    def reach(self) -> Range:
        places = self.places
        reached = self.table[places.start : places.stop]
        return min(reached), max(reached)

    def __str__(self) -> str:
        return f"{list(self.table)}[{self.index}]"


@asked_for_a_formula
@dataclass(frozen=True)
class Product(Atom):
    """A `Product` is the product of two terms, neither of which is a number; `product` also accepts numbers.

    Raises `FormulaError` for a product of more than `LARGEST_DEGREE` variables.
    """

    left: Term
    right: Term

    def __post_init__(self) -> None:
        check_terms((self.left, self.right))
        if isinstance(self.left, Constant) or isinstance(self.right, Constant):
            raise FormulaMistake(f"{self.left} times {self.right} is a sum: write product(a, b) or 2 * a for it")
        if _degree(self) > LARGEST_DEGREE:
            raise FormulaError(f"a product may have {LARGEST_DEGREE} variables as factors at most, in {self!s:.80}")

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def reach(self) -> Range:
        left = self.left.reach()
        if self.left == self.right:
            left = intervals.absolute(left)
            return intervals.multiplied(left, left)
        return intervals.multiplied(left, self.right.reach())

    def __str__(self) -> str:
        return "*".join(f"({side})" if isinstance(side, Sum) else str(side) for side in (self.left, self.right))


@dataclass(frozen=True)
class _Division(Atom):
    """A `_Division` is a quotient or a remainder."""

    dividend: Term
    divisor: Term
    _word: ClassVar[str]

    def __post_init__(self) -> None:
        _check_division(self.dividend, self.divisor)

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.dividend, self.divisor)

    def __str__(self) -> str:
        return f"({self.dividend} {self._word} {self.divisor})"


@asked_for_a_formula
@dataclass(frozen=True)
class Quotient(_Division):
    """A `Quotient` is the whole-number quotient of SMT-LIB's `div`.

    It is rounded down for a positive divisor and up for a negative one, so that the remainder is never negative. Raises
    `FormulaError` if the divisor may be zero (`term_range`). An answer may have values outside of the sorts; a quotient
    by zero is 0 then, and the remainder is the dividend.
    """

    _word = "div"

    def reach(self) -> Range:
        return intervals.divided(self.dividend.reach(), self.divisor.reach())


@asked_for_a_formula
@dataclass(frozen=True)
class Remainder(_Division):
    """A `Remainder` is the remainder of SMT-LIB's `mod`, which is always in 0..|divisor|-1.

    Raises `FormulaError` if the divisor may be zero; see `Quotient`.
    """

    _word = "mod"

    def reach(self) -> Range:
        return intervals.remaining(self.dividend.reach(), self.divisor.reach())


@dataclass(frozen=True)
class _Extreme(Atom):
    """An `_Extreme` is the minimum or the maximum of one or more terms."""

    terms: tuple[Term, ...]
    _word: ClassVar[str]

    def __post_init__(self) -> None:
        _check_several(self._word, self.terms)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.terms

    def __str__(self) -> str:
        return f"{self._word}({', '.join(map(str, self.terms))})"


@asked_for_a_formula
@dataclass(frozen=True)
class Least(_Extreme):
    """A `Least` is the minimum of one or more terms."""

    _word = "least"

    def reach(self) -> Range:
        return intervals.lowest([own.reach() for own in self.terms])


@asked_for_a_formula
@dataclass(frozen=True)
class Greatest(_Extreme):
    """A `Greatest` is the maximum of one or more terms."""

    _word = "greatest"

    def reach(self) -> Range:
        return intervals.greatest([own.reach() for own in self.terms])


def product(left: Term | int, right: Term | int) -> Sum | Product:
    """Return the product of two terms, which is a `Sum` if one of them is a number."""
    one, other = term(left), term(right)
    if isinstance(one, Constant):
        return Sum(((one.value, other),))
    return Sum(((other.value, one),)) if isinstance(other, Constant) else Product(one, other)


def quotient(dividend: Term | int, divisor: Term | int) -> Quotient:
    """Return the quotient of two terms; see `Quotient`."""
    return Quotient(term(dividend), term(divisor))


def remainder(dividend: Term | int, divisor: Term | int) -> Remainder:
    """Return the remainder of a division, which is never negative; see `Remainder`."""
    return Remainder(term(dividend), term(divisor))


def least(*terms: Term | int) -> Least:
    """Return the minimum of the terms; for a list write `least(*terms)`."""
    return Least(tuple(map(term, terms)))


def greatest(*terms: Term | int) -> Greatest:
    """Return the maximum of the terms; for a list write `greatest(*terms)`."""
    return Greatest(tuple(map(term, terms)))


def _check_division(dividend: Term, divisor: Term) -> None:
    check_terms((dividend, divisor))
    low, high = term_range(divisor)
    if (low is None or low <= 0) and (high is None or high >= 0):
        raise FormulaError(f"the divisor {divisor} may be zero: it has {_values((low, high))}")


def _check_several(name: str, terms: object) -> None:
    if not isinstance(terms, tuple):
        raise FormulaMistake(f"{name.title()} takes a tuple of terms: {name.title()}((s, t)), not {terms!r:.80}")
    if not terms:
        raise FormulaMistake(f"there is no {name} of no terms; give one at least")
    check_terms(terms)


def _values(own: Range) -> str:
    """Return a range in words."""
    low, high = own
    if low is None and high is None:
        return "any integer as its value"
    if high is None:
        return f"values from {low} on"
    return f"values up to {high}" if low is None else f"values {low} to {high}"


def _degree(value: Term) -> int:
    """Return the degree of a term as a polynomial; a quotient has that of its dividend."""
    match value:
        case Variable():
            return 1
        case Product():
            return _degree(value.left) + _degree(value.right)
        case Quotient():
            return _degree(value.dividend)
        case Remainder():
            return max(_degree(value.dividend), _degree(value.divisor))
    parts: Sequence[Term]
    match value:
        case Sum():
            parts = [part for _, part in value.parts]
        case Abs():
            parts = (value.inner,)
        case Ite():
            parts = (value.then, value.otherwise)
        case Least() | Greatest():
            parts = value.terms
        case _:
            parts = ()
    return max(map(_degree, parts), default=0)
