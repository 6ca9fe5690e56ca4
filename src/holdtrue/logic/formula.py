"""This module collects the names for writing formulas over integer variables.

Terms have `+`, `-`, `*`, `//`, `%`, `abs`, `ite`, `least`, `greatest` and `Element`. Comparisons are `<`, `<=`, `>`,
`>=`, and `eq` and `ne`, since `==` is Python's equality of values. Connectives are `&`, `|`, `~`, `implies`, `iff`,
`xor` and `IfThenElse`. `AllDifferent`, `at_most`, `at_least` and `exactly` count, and `for_all` and `exists` range over
Python values.

>>> from holdtrue.logic.sorts import IntSort
>>> a, b = Variable("a", IntSort(1, 5)), Variable("b", IntSort(1, 5))
>>> str((abs(a - b) >= 2) & a.ne(3))
'((|a - b| >= 2) and (a != 3))'
>>> str(at_most(1, [who.eq(5) for who in (a, b)]))
'(count((a == 5), (b == 5)) <= 1)'
"""

from __future__ import annotations

from holdtrue.logic.connectives import And as And
from holdtrue.logic.connectives import Formula as Formula
from holdtrue.logic.connectives import Iff as Iff
from holdtrue.logic.connectives import IfThenElse as IfThenElse
from holdtrue.logic.connectives import Not as Not
from holdtrue.logic.connectives import Or as Or
from holdtrue.logic.connectives import Truth as Truth
from holdtrue.logic.connectives import Xor as Xor
from holdtrue.logic.connectives import expect_formula as expect_formula
from holdtrue.logic.operations import Element as Element
from holdtrue.logic.operations import Greatest as Greatest
from holdtrue.logic.operations import Least as Least
from holdtrue.logic.operations import Product as Product
from holdtrue.logic.operations import Quotient as Quotient
from holdtrue.logic.operations import Remainder as Remainder
from holdtrue.logic.operations import greatest as greatest
from holdtrue.logic.operations import least as least
from holdtrue.logic.operations import product as product
from holdtrue.logic.operations import quotient as quotient
from holdtrue.logic.operations import remainder as remainder
from holdtrue.logic.quantifiers import AllDifferent as AllDifferent
from holdtrue.logic.quantifiers import Count as Count
from holdtrue.logic.quantifiers import at_least as at_least
from holdtrue.logic.quantifiers import at_most as at_most
from holdtrue.logic.quantifiers import exactly as exactly
from holdtrue.logic.quantifiers import exists as exists
from holdtrue.logic.quantifiers import for_all as for_all
from holdtrue.logic.terms import COMPARED as COMPARED
from holdtrue.logic.terms import NEGATED as NEGATED
from holdtrue.logic.terms import TURNED as TURNED
from holdtrue.logic.terms import Abs as Abs
from holdtrue.logic.terms import Atom as Atom
from holdtrue.logic.terms import Compare as Compare
from holdtrue.logic.terms import Comparison as Comparison
from holdtrue.logic.terms import Constant as Constant
from holdtrue.logic.terms import Ite as Ite
from holdtrue.logic.terms import Linear as Linear
from holdtrue.logic.terms import Sum as Sum
from holdtrue.logic.terms import Term as Term
from holdtrue.logic.terms import Variable as Variable
from holdtrue.logic.terms import ite as ite
from holdtrue.logic.terms import linear as linear
from holdtrue.logic.terms import term as term
from holdtrue.logic.terms import term_range as term_range
