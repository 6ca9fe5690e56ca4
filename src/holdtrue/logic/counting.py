"""Formulas about how many: all different, at most, at least, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from holdtrue.errors import FormulaMistake
from holdtrue.logic.connectives import Formula, check_formulas
from holdtrue.logic.node import Node
from holdtrue.logic.terms import Comparison, Term, check_terms


@dataclass(frozen=True)
class AllDifferent(Formula):
    """No two terms have the same value."""

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
    """The number of operands that hold, compared with `bound`. An operand given twice counts twice."""

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
    """No more than `bound` of the formulas hold."""
    return _counted("at_most", "<=", bound, formulas)


def at_least(bound: int, formulas: Iterable[Formula]) -> Count:
    """No fewer than `bound` of the formulas hold."""
    return _counted("at_least", ">=", bound, formulas)


def exactly(bound: int, formulas: Iterable[Formula]) -> Count:
    """`bound` of the formulas hold, no more and no fewer."""
    return _counted("exactly", "==", bound, formulas)


def _counted(name: str, op: Comparison, bound: int, formulas: object) -> Count:
    if isinstance(formulas, Node) or not isinstance(formulas, Iterable):
        order = "a number and" if isinstance(formulas, Node) else "the number first, then"
        raise FormulaMistake(f"{name} takes {order} a list of formulas: {name}(1, [p, q]), not {formulas!s:.80}")
    return Count(op, bound, tuple(formulas))
