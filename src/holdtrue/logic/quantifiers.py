"""This module defines counts of formulas, `AllDifferent`, and quantifiers over Python values.

A quantifier is expanded at once into one formula for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from holdtrue.errors import FormulaError, FormulaMistake
from holdtrue.logic.connectives import And, Formula, Or, check_formulas
from holdtrue.logic.formula_mistakes import no_formula
from holdtrue.logic.node import Node
from holdtrue.logic.terms import Comparison, Term, check_terms


@dataclass(frozen=True)
class AllDifferent(Formula):
    """An `AllDifferent` holds if no two terms have the same value."""

    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.terms, tuple):
            raise FormulaMistake(f"AllDifferent takes a tuple of terms: AllDifferent((s, t)), not {self.terms!r:.80}")
        check_terms(self.terms)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.terms

    def __str__(self) -> str:
        return "all-different(" + ", ".join(map(str, self.terms)) + ")"


@dataclass(frozen=True)
class Count(Formula):
    """A `Count` compares the number of operands that hold with `bound`. A repeated operand counts repeatedly."""

    op: Comparison
    bound: int
    operands: tuple[Formula, ...]

    def __post_init__(self) -> None:
        if isinstance(self.bound, bool) or not isinstance(self.bound, int):
            raise FormulaMistake(f"formulas are counted up to a whole number, not {self.bound!r:.80}")
        check_formulas(self, self.operands)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.operands

    def __str__(self) -> str:
        return f"(count({', '.join(map(str, self.operands))}) {self.op} {self.bound})"


def at_most(bound: int, formulas: Iterable[Formula]) -> Count:
    """Return a formula that is true if at most `bound` of the formulas hold."""
    return _counted("at_most", "<=", bound, formulas)


def at_least(bound: int, formulas: Iterable[Formula]) -> Count:
    """Return a formula that is true if at least `bound` of the formulas hold."""
    return _counted("at_least", ">=", bound, formulas)


def exactly(bound: int, formulas: Iterable[Formula]) -> Count:
    """Return a formula that is true if exactly `bound` of the formulas hold."""
    return _counted("exactly", "==", bound, formulas)


def _counted(name: str, op: Comparison, bound: int, formulas: object) -> Count:
    if isinstance(formulas, Node) or not isinstance(formulas, Iterable):
        order = "a number and" if isinstance(formulas, Node) else "the number first, then"
        raise FormulaMistake(f"{name} takes {order} a list of formulas: {name}(1, [p, q]), not {formulas!s:.80}")
    return Count(op, bound, tuple(formulas))


LARGEST_EXPANSION = 100_000
"""The greatest number of formulas and terms in one expansion; no engine here decides more in a second."""

Thing = TypeVar("Thing")
Part = TypeVar("Part", bound=Node)


def for_all(things: Iterable[Thing], body: Callable[[Thing], Formula]) -> And:
    """Return a formula that is true if `body` holds for each of the things, such as entities, pairs or days.

    Raises `FormulaError` if it has more than `LARGEST_EXPANSION` parts.
    """
    return And(expand(things, body))


def exists(things: Iterable[Thing], body: Callable[[Thing], Formula]) -> Or:
    """Return a formula that is true if `body` holds for at least one of the things. Raises like `for_all`."""
    return Or(expand(things, body))


def expand(things: Iterable[Thing], body: Callable[[Thing], Part]) -> tuple[Part, ...]:
    """Return `body(thing)` of each thing in order. Raises like `for_all`, and `FormulaMistake` for wrong arguments."""
    given: tuple[object, object] = (things, body)  # A caller may ignore the types.
    if not isinstance(given[0], Iterable) or not callable(given[1]):
        raise FormulaMistake(
            "a quantifier takes a list of things and a function that makes a formula of each, "
            f"for_all(names, lambda name: ...), not {things!s:.60} and {body!s:.60}"
        )
    parts: list[Part] = []
    size = 0
    for thing in things:
        part = body(thing)
        if not isinstance(part, Node):
            raise no_formula(part, f"the body of a quantifier, for {thing!s:.60}")
        size += part.size
        if size > LARGEST_EXPANSION:
            raise FormulaError(f"the formula is too large: for all that it ranges over, over {LARGEST_EXPANSION} parts")
        parts.append(part)
    return tuple(parts)
