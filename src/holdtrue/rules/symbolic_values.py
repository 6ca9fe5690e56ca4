"""This module defines symbolic values: numbers, texts, conditions and lists that depend on unseen values.

A known value stays a plain Python value (see `types`). A symbolic number is exact, as a term times a step. A symbolic
text is a term whose value is the code of a text (`unknowns.Unknowns.code`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from holdtrue.logic.formula import And, Compare, Constant, Formula, Not, Or, Quotient, Sum, Term, Truth, ite
from holdtrue.logic.value_sorts import common_divisor
from holdtrue.rules.types import MapOf, Record, Type
from holdtrue.rules.values import FactKey

TRUE, FALSE = Truth(True), Truth(False)
MOST_COMPARED = 32
"""The greatest length of a list with gaps whose items are compared; the formulas grow with its square."""


class NotSayable(Exception):
    """No formula expresses a value, so conditions on it stay open. This is sound, and proves less.

    `path` and `fact` name the unseen value that causes it, if there is a single one.
    """

    def __init__(self, message: str, path: str = "", fact: FactKey | None = None) -> None:
        super().__init__(message)
        self.path, self.fact = path, fact


def conj(formulas: Iterable[Formula]) -> Formula:
    """Return the conjunction, simplified by constant operands."""
    return _joined(formulas, And, TRUE, FALSE)


def disj(formulas: Iterable[Formula]) -> Formula:
    """Return the disjunction, simplified by constant operands."""
    return _joined(formulas, Or, FALSE, TRUE)


def _joined(formulas: Iterable[Formula], kind: type[And | Or], nothing: Truth, settled: Truth) -> Formula:
    """Return a connective without its neutral operands (`nothing`), or its absorbing operand (`settled`) if present."""
    found: list[Formula] = []
    for own in formulas:
        if own is settled or own == settled:
            return settled
        if own is nothing or own == nothing:
            continue
        found += own.operands if isinstance(own, kind) else (own,)
    if not found:
        return nothing
    return found[0] if len(found) == 1 else kind(tuple(found))


def neg(formula: Formula) -> Formula:
    """Return the negation."""
    if isinstance(formula, Truth):
        return FALSE if formula.value else TRUE
    return formula.operand if isinstance(formula, Not) else Not(formula)


@dataclass(frozen=True, slots=True)
class Flag:
    """A `Flag` is a condition that is true if `yes` holds, false if `no` holds, and else an error."""

    yes: Formula
    no: Formula

    @property
    def defined(self) -> Formula:
        """Return a formula that is true if the condition is not an error."""
        if self.no == neg(self.yes) or self.yes == neg(self.no):
            return TRUE
        return disj((self.yes, self.no))

    def where(self, ok: Formula) -> Flag:
        """Return this condition, which becomes an error if `ok` does not hold."""
        return self if ok is TRUE else Flag(conj((self.yes, ok)), conj((self.no, ok)))


def flag_of(formula: Formula) -> Flag:
    """Return a formula as a condition that is never an error."""
    return Flag(formula, neg(formula))


@dataclass(frozen=True, slots=True)
class Num:
    """A `Num` is the number `term` times `step`, which is positive."""

    term: Term
    step: Fraction

    def at_step(self, step: Fraction) -> Term:
        """Return the term of this number for another `step`, which divides the present one."""
        factor = self.step / step
        return self.term if factor == 1 else scaled(self.term, int(factor))


def scaled(term: Term, factor: int) -> Term:
    """Return a multiple of a term."""
    if isinstance(term, Constant):
        return Constant(term.value * factor)
    return term if factor == 1 else Sum(((factor, term),))


def number(value: Any) -> Num:
    """Return a known or symbolic number as a `Num`."""
    if isinstance(value, Num):
        return value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise NotSayable(f"{value!r:.60} is no number")
    exact = Fraction(value)
    return Num(Constant(exact.numerator), Fraction(1, exact.denominator))


def rounded_down(value: Any, size: int) -> Term:
    """Return a number divided by a positive size, rounded down."""
    own = number(value)
    share = own.step / size
    return Quotient(scaled(own.term, share.numerator), Constant(share.denominator))


def common_step(numbers: Iterable[Num]) -> Fraction:
    """Return the greatest common step of numbers, which is 1 for none."""
    steps = [own.step for own in numbers]
    return reduce(common_divisor, steps) if steps else Fraction(1)


def added(left: Any, right: Any, sign: int = 1) -> Num:
    """Return the sum of two numbers, or their difference for a `sign` of -1."""
    one, other, step = same_step(left, right)
    return Num(Sum(((1, one), (sign, other))), step)


def same_step(left: Any, right: Any) -> tuple[Term, Term, Fraction]:
    """Return two numbers as terms of a common step, and the step."""
    one, other = number(left), number(right)
    step = common_divisor(one.step, other.step)
    return one.at_step(step), other.at_step(step), step


def compared(operator: str, left: Term, right: Term) -> Formula:
    """Return the comparison of two terms, as true or false if both are constants or the same term."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        one, other = left.value, right.value
        return TRUE if {"<": one < other, "<=": one <= other, "==": one == other}[operator] else FALSE
    if left == right:
        return FALSE if operator == "<" else TRUE
    return Compare(operator, left, right)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Text:
    """A `Text` is a symbolic text, whose `term` has the code of the text as its value."""

    term: Term


@dataclass(frozen=True, slots=True)
class Items:
    """An `Items` is a list of possible items; each item is in the list if its formula holds."""

    entries: tuple[tuple[Formula, Any], ...]

    @property
    def places(self) -> list[int | Num]:
        """Return the position of each item, which is the number of existing items before it.

        Raises `NotSayable` for a long list with gaps, since the formulas would be too large.
        """
        found = [there for there, _ in self.entries]
        if all(_implies(later, earlier) for earlier, later in pairwise(found)):
            return list(range(len(found)))
        if len(found) > MOST_COMPARED:
            raise NotSayable(f"places in a list of {len(found)} items, of which some may be missing")
        return [Num(count_of(found[:place]), Fraction(1)) for place in range(len(found))]


def _implies(one: Formula, other: Formula) -> bool:
    """Return whether the form of two formulas shows that the first one implies the other."""
    match one, other:
        case Compare("<", Constant(later), length), Compare("<", Constant(earlier), own) if length == own:
            return earlier <= later
        case And(operands), _ if other in operands:
            return True
    return other is TRUE or one is FALSE or one == other


def count_of(formulas: Iterable[Formula]) -> Term:
    """Return the number of formulas that hold, as a term."""
    own = list(formulas)
    sure = sum(each is TRUE for each in own)
    parts: list[tuple[int, Term]] = [(1, ite(each, 1, 0)) for each in own if each is not TRUE and each is not FALSE]
    return Sum(((1, Constant(sure)), *parts)) if parts else Constant(sure)


@dataclass(frozen=True, slots=True)
class OpenItems:
    """An `OpenItems` is an unseen list whose items are too many to write out, or unbounded in number."""

    path: str
    item: Type
    length: Num
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """An `OpenRecord` is an unseen record; reading a field makes its symbolic value."""

    path: str
    type: Record
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class OpenMap:
    """An `OpenMap` is an unseen map."""

    path: str
    type: MapOf
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class Maybe:
    """A `Maybe` is a value that is null if `null` holds."""

    null: Formula
    value: Any


@dataclass(frozen=True, slots=True)
class Cases:
    """A `Cases` has the value of the case whose formula holds. The formulas exclude each other."""

    cases: tuple[tuple[Formula, Any], ...]


class MadeMap(dict[str, Any]):
    """A `MadeMap` is a map that a rule states, with known keys and a symbolic value among its values."""


def is_known(value: Any) -> bool:
    """Return whether a value is a known, plain one."""
    return not isinstance(value, Flag | Num | Text | Items | OpenItems | OpenRecord | OpenMap | Maybe | Cases | MadeMap)
