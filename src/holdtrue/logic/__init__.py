"""This package has formulas over integer variables, as immutable values.

A sort is the set of values of a `Variable`. Terms are variables, numbers, and terms joined by `+`, `-`, `*`, `//`, `%`,
`abs`, `ite`, `least`, `greatest` and `Element`. A comparison of terms is a `Formula`, and connectives, counts and
quantifiers make further formulas. `holdtrue.logic.formula` has examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.logic.connectives import And as And
    from holdtrue.logic.connectives import Formula as Formula
    from holdtrue.logic.connectives import Iff as Iff
    from holdtrue.logic.connectives import IfThenElse as IfThenElse
    from holdtrue.logic.connectives import Not as Not
    from holdtrue.logic.connectives import Or as Or
    from holdtrue.logic.connectives import Truth as Truth
    from holdtrue.logic.connectives import Xor as Xor
    from holdtrue.logic.operations import Element as Element
    from holdtrue.logic.operations import greatest as greatest
    from holdtrue.logic.operations import least as least
    from holdtrue.logic.operations import product as product
    from holdtrue.logic.operations import quotient as quotient
    from holdtrue.logic.operations import remainder as remainder
    from holdtrue.logic.quantifiers import AllDifferent as AllDifferent
    from holdtrue.logic.quantifiers import at_least as at_least
    from holdtrue.logic.quantifiers import at_most as at_most
    from holdtrue.logic.quantifiers import exactly as exactly
    from holdtrue.logic.quantifiers import exists as exists
    from holdtrue.logic.quantifiers import for_all as for_all
    from holdtrue.logic.smtlib.formula_reader import read_formula as read_formula
    from holdtrue.logic.sorts import EnumSort as EnumSort
    from holdtrue.logic.sorts import IntSort as IntSort
    from holdtrue.logic.terms import Term as Term
    from holdtrue.logic.terms import Variable as Variable
    from holdtrue.logic.terms import ite as ite
    from holdtrue.logic.three_valued import truth as truth
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".sorts": "IntSort EnumSort",
            ".terms": "Term Variable ite",
            ".operations": "Element product quotient remainder least greatest",
            ".connectives": "Formula Truth And Or Not Iff Xor IfThenElse",
            ".quantifiers": "for_all exists AllDifferent at_most at_least exactly",
            ".three_valued": "truth",
            ".smtlib.formula_reader": "read_formula",
        },
    )
