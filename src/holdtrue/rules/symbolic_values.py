"""Values that are not known, as terms and formulas: what a rule computes with where nothing was seen.

A value that is known stays the plain Python value that it is (see `types`). One that depends on what is not known is
one of the classes here. A number is a whole number of steps, so that it stays exact; a text is a number that stands
for it (`unknowns.Unknowns.code`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

from holdtrue.logic.formula import And, Compare, Constant, Formula, Not, Or, Quotient, Sum, Term, Truth, ite
from holdtrue.rules.types import MapOf, Record, Type
from holdtrue.rules.values import FactKey

TRUE, FALSE = Truth(True), Truth(False)
MOST_COMPARED = 32
"""Formulas that compare all items of a list of which some may be missing grow with the square of their number."""


class NotSayable(Exception):
    """No formula of ours says this; what it decides is then left open, which is sound and proves less.

    `path` and `fact` name what was not seen and is in the way, if it is a single thing.
    """

    def __init__(self, message: str, path: str = "", fact: FactKey | None = None) -> None:
        super().__init__(message)
        self.path, self.fact = path, fact


def conj(formulas: Iterable[Formula]) -> Formula:
    """Return the conjunction, without what is plainly true."""
    return _joined(formulas, And, TRUE, FALSE)


def disj(formulas: Iterable[Formula]) -> Formula:
    """Return the disjunction, without what is plainly false."""
    return _joined(formulas, Or, FALSE, TRUE)


def _joined(formulas: Iterable[Formula], kind: type[And | Or], nothing: Truth, settled: Truth) -> Formula:
    """Return a connective of formulas without those that say `nothing` in it; one that is `settled` settles all."""
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
    """A condition: it is true where `yes` holds, false where `no` does, and an error where neither does."""

    yes: Formula
    no: Formula

    @property
    def defined(self) -> Formula:
        """Return the formula that the condition is no error."""
        if self.no == neg(self.yes) or self.yes == neg(self.no):
            return TRUE
        return disj((self.yes, self.no))

    def where(self, ok: Formula) -> Flag:
        """Return the condition that is an error where `ok` does not hold, too."""
        return self if ok is TRUE else Flag(conj((self.yes, ok)), conj((self.no, ok)))


def flag_of(formula: Formula) -> Flag:
    """Return the condition that is never an error."""
    return Flag(formula, neg(formula))


@dataclass(frozen=True, slots=True)
class Num:
    """A number: `term` times `step`, which is positive."""

    term: Term
    step: Fraction

    def at_step(self, step: Fraction) -> Term:
        """Return the term that counts this number in steps of `step`, which divides its own."""
        factor = self.step / step
        return self.term if factor == 1 else scaled(self.term, int(factor))


def scaled(term: Term, factor: int) -> Term:
    """Return a multiple of a term."""
    if isinstance(term, Constant):
        return Constant(term.value * factor)
    return term if factor == 1 else Sum(((factor, term),))


def number(value: Any) -> Num:
    """Return a number, known or not, as a `Num`."""
    if isinstance(value, Num):
        return value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise NotSayable(f"{value!r:.60} is no number")
    exact = Fraction(value)
    return Num(Constant(exact.numerator), Fraction(1, exact.denominator))


def rounded_down(value: Any, size: int) -> Term:
    """Return how many times a positive size goes into a number, rounded down."""
    own = number(value)
    share = own.step / size
    return Quotient(scaled(own.term, share.numerator), Constant(share.denominator))


def common_step(one: Fraction, other: Fraction) -> Fraction:
    """Return the largest step that both are multiples of."""
    return Fraction(
        gcd(one.numerator * other.denominator, other.numerator * one.denominator), one.denominator * other.denominator
    )


def same_step(left: Any, right: Any) -> tuple[Term, Term, Fraction]:
    """Return two numbers as terms that count the same step, and the step."""
    one, other = number(left), number(right)
    step = common_step(one.step, other.step)
    return one.at_step(step), other.at_step(step), step


def compared(operator: str, left: Term, right: Term) -> Formula:
    """Return the comparison of two terms, settled where both are known or are the same."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        one, other = left.value, right.value
        return TRUE if {"<": one < other, "<=": one <= other, "==": one == other}[operator] else FALSE
    if left == right:
        return FALSE if operator == "<" else TRUE
    return Compare(operator, left, right)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Text:
    """A text: the number that stands for it."""

    term: Term


@dataclass(frozen=True, slots=True)
class Items:
    """A list of which it is known what may be in it: each item is there where its formula holds."""

    entries: tuple[tuple[Formula, Any], ...]

    @property
    def places(self) -> list[int | Num]:
        """Return the place of each item: how many of those before it are there.

        Raises `NotSayable` for a long list with gaps, whose places are formulas that outgrow any time limit.
        """
        found = [there for there, _ in self.entries]
        if all(_implies(later, earlier) for earlier, later in pairwise(found)):
            return list(range(len(found)))
        if len(found) > MOST_COMPARED:
            raise NotSayable(f"places in a list of {len(found)} items, of which some may be missing")
        return [Num(count_of(found[:place]), Fraction(1)) for place in range(len(found))]


def _implies(one: Formula, other: Formula) -> bool:
    """Return whether it is plain that one formula holds only if the other does."""
    match one, other:
        case Compare("<", Constant(later), length), Compare("<", Constant(earlier), own) if length == own:
            return earlier <= later
        case And(operands), _ if other in operands:
            return True
    return other is TRUE or one is FALSE or one == other


def count_of(formulas: Iterable[Formula]) -> Term:
    """Return how many formulas hold."""
    own = list(formulas)
    sure = sum(each is TRUE for each in own)
    parts: list[tuple[int, Term]] = [(1, ite(each, 1, 0)) for each in own if each is not TRUE and each is not FALSE]
    return Sum(((1, Constant(sure)), *parts)) if parts else Constant(sure)


@dataclass(frozen=True, slots=True)
class OpenItems:
    """A list that was not seen and may have any number of items."""

    path: str
    item: Type
    length: Num
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """A record that was not seen; its fields are unknown values, made when they are asked for."""

    path: str
    type: Record
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class OpenMap:
    """A map that was not seen."""

    path: str
    type: MapOf
    fact: FactKey | None


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value that is null where `null` holds."""

    null: Formula
    value: Any


@dataclass(frozen=True, slots=True)
class Cases:
    """One of several values: the one whose formula holds. The formulas exclude each other."""

    cases: tuple[tuple[Formula, Any], ...]


class MadeMap(dict[str, Any]):
    """A written map, in which some value is not known."""


def is_known(value: Any) -> bool:
    """Return whether a value is a plain one."""
    return not isinstance(value, Flag | Num | Text | Items | OpenItems | OpenRecord | OpenMap | Maybe | Cases | MadeMap)
