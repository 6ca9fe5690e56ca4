"""Formulas over integer variables, as immutable values: all that they are written with.

Terms are written with `+`, `-`, `*`, `//`, `%`, `abs`, `ite`, `least`, `greatest` and `Element`; comparisons with `<`,
`<=`, `>`, `>=` and, because `==` must stay Python's own equality of values, `eq` and `ne`. Formulas combine with `&`,
`|`, `~`, `implies`, `iff`, `xor` and `IfThenElse`; `AllDifferent`, `at_most`, `at_least` and `exactly` count, `for_all`
and `exists` range over entities.

>>> from holdtrue.logic.sorts import IntSort
>>> a, b = Variable("a", IntSort(1, 5)), Variable("b", IntSort(1, 5))
>>> str((abs(a - b) >= 2) & a.ne(3))
'((|a - b| >= 2) and (a != 3))'
>>> str(at_most(1, [who.eq(5) for who in (a, b)]))
'(count((a == 5), (b == 5)) <= 1)'
"""

from __future__ import annotations

from holdtrue.logic.connectives import And, Formula, Iff, IfThenElse, Not, Or, Truth, Xor, expect_formula
from holdtrue.logic.operations import (
    Element,
    Greatest,
    Least,
    Product,
    Quotient,
    Remainder,
    greatest,
    least,
    product,
    quotient,
    remainder,
)
from holdtrue.logic.quantifiers import AllDifferent, Count, at_least, at_most, exactly, exists, for_all
from holdtrue.logic.terms import (
    COMPARED,
    NEGATED,
    TURNED,
    Abs,
    Atom,
    Compare,
    Comparison,
    Constant,
    Ite,
    Linear,
    Sum,
    Term,
    Variable,
    ite,
    linear,
    term,
    term_range,
)

__all__ = [
    "COMPARED",
    "NEGATED",
    "TURNED",
    "Abs",
    "AllDifferent",
    "And",
    "Atom",
    "Compare",
    "Comparison",
    "Constant",
    "Count",
    "Element",
    "Formula",
    "Greatest",
    "IfThenElse",
    "Iff",
    "Ite",
    "Least",
    "Linear",
    "Not",
    "Or",
    "Product",
    "Quotient",
    "Remainder",
    "Sum",
    "Term",
    "Truth",
    "Variable",
    "Xor",
    "at_least",
    "at_most",
    "exactly",
    "exists",
    "expect_formula",
    "for_all",
    "greatest",
    "ite",
    "least",
    "linear",
    "product",
    "quotient",
    "remainder",
    "term",
    "term_range",
]
