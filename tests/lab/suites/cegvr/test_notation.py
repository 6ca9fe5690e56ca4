"""The notation of a formula has the formula's meaning."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import And, Formula, Not, at_most
from holdtrue_lab.suites.cegvr.files import notation
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, constraints, read_notation
from tests.solving.brute import witnesses


@settings(max_examples=80, deadline=None)
@given(formula=constraints)
def test_what_is_told_is_what_is_meant(formula: Formula) -> None:
    assert witnesses(VARIABLES, [read_notation(notation(formula))]) == witnesses(VARIABLES, [formula])


@pytest.mark.parametrize("formula", [at_most(1, [X >= 1, Y >= 1]), Not(at_most(1, [X >= 1])), And(())])
def test_other_formulas_have_none(formula: Formula) -> None:
    with pytest.raises(FormulaError, match="no notation"):
        notation(formula)
