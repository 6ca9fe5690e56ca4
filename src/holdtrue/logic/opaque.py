"""Formulas given as SMT-LIB text, for what the other nodes cannot say: products of variables, `div`, `mod`.

>>> from holdtrue.logic.sorts import IntSort
>>> a, b = Variable("a", IntSort(1, 9)), Variable("b", IntSort(1, 9))
>>> formula = opaque("(= (mod a b) 0)", {"a": a, "b": b}.__getitem__)
>>> str(formula), compile_opaque(formula)({"a": 6, "b": 3})
('(= (mod a b) 0)', True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdtrue.logic.connectives import Formula
from holdtrue.logic.node import Node
from holdtrue.logic.terms import Term, Variable

if TYPE_CHECKING:
    from holdtrue.logic.smtlib.sexpr import ReadLimits
    from holdtrue.logic.smtlib.typed_terms import SmtTerm

# What reads SMT-LIB is loaded with the first text: it takes as long as all of the other formulas, and most
# conversations have none.


@dataclass(frozen=True)
class Opaque(Formula):
    """SMT-LIB text about variables; made by `opaque`, which checks it.

    `text` is canonical, `reads` are the variables in it, in the order in which it names them. No engine looks inside
    but z3: to the others it is one thing that they cannot encode.
    """

    text: str
    reads: tuple[Variable, ...]
    term: SmtTerm = field(compare=False, repr=False)

    @property
    def children(self) -> tuple[Node, ...]:
        return self.reads

    def own_check(self) -> Callable[[Mapping[str, int]], bool]:
        """Return what `compile_opaque` makes of the text."""
        return compile_opaque(self)

    def __str__(self) -> str:
        return self.text


def opaque(text: str, resolve: Callable[[str], Term | int], limits: ReadLimits | None = None) -> Opaque:
    """The formula that a term of sort Bool states, over integers and without quantifiers.

    `resolve` tells the variable or the integer that a name stands for; names are written as symbols, between bars
    where they have to be (`symbols.symbol_of`). A divisor must be one that no values in range can make zero.
    Raises `SmtLibError` with the place of what is not let in or unknown to `resolve` (which raises `KeyError` or
    `FormulaError` for that), and `FormulaError` where a term cannot be computed for all values.
    """
    from holdtrue.logic.smtlib.integer_text import LIMITS, read_integer_text

    return Opaque(*read_integer_text(text, resolve, limits or LIMITS))


def compile_opaque(formula: Opaque) -> Callable[[Mapping[str, int]], bool]:
    """A closure that tells whether the formula holds; `KeyError` for a variable without a value.

    With values out of range a divisor may be zero after all, or a number huge: the formula then does not hold.
    """
    from holdtrue.logic.smtlib.term_evaluation import compile_term

    return compile_term(formula.term)
