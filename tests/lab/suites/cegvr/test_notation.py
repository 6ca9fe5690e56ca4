"""Notation: what is told says what the formula says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, And, Formula, Not, at_most
from holdtrue_lab.suites.cegvr.notation import notation
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, Z, constraints, read_notation
from tests.solving.brute import witnesses


@settings(max_examples=80, deadline=None)
@given(formula=constraints)
def test_what_is_told_is_what_is_meant(formula: Formula) -> None:
    assert witnesses(VARIABLES, [read_notation(notation(formula))]) == witnesses(VARIABLES, [formula])


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (X + 4 * Y + Z >= 23, "x1 + 4*x2 + x3 >= 23"),
        (X.eq(3), "x1 = 3"),
        (X + 2 <= Y - 1, "x1 - x2 <= -3"),
        (-X - Y >= -7, "-x1 - x2 >= -7"),
        (AllDifferent((X, Y, Z)), "all_different(x1, x2, x3)"),
        ((X - Y >= 3) | (Y - X >= 2), "x1 - x2 >= 3 or x2 - x1 >= 2"),
        ((X >= 3) & ((Y >= 2) | (Z <= 1)), "x1 >= 3 and (x2 >= 2 or x3 <= 1)"),
        (~X.eq(3), "x1 != 3"),
        (X.eq(3).implies(Y >= 1), "if x1 = 3 then x2 >= 1"),
        (~((X >= 1) & (Y >= 1)), "not (x1 >= 1 and x2 >= 1)"),
    ],
)
def test_the_form_of_what_is_told(formula: Formula, text: str) -> None:
    assert notation(formula) == text


@pytest.mark.parametrize("formula", [at_most(1, [X >= 1, Y >= 1]), Not(at_most(1, [X >= 1])), And(())])
def test_other_formulas_have_none(formula: Formula) -> None:
    with pytest.raises(FormulaError, match="no notation"):
        notation(formula)
