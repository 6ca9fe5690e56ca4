"""Wording: every wording says exactly what the formula says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.lab.suites.cegvr.wording import word
from holdtrue.logic.formula import AllDifferent, Formula, at_most
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, Z, constraints, read_words
from tests.solving.brute import witnesses


@settings(max_examples=80, deadline=None)
@given(formula=constraints, seed=st.integers(0, 99))
def test_what_is_told_is_what_is_meant(formula: Formula, seed: int) -> None:
    text = word(formula, Random(seed))
    assert witnesses(VARIABLES, [read_words(text)]) == witnesses(VARIABLES, [formula]), text


@pytest.mark.parametrize(
    ("formula", "wordings"),
    [
        (2 * X + Y >= 7, {"twice x1 plus x2 is at least 7", "the sum of 2 times x1 and x2 must not be below 7"}),
        (X - 3 * Y <= 4, {"x1 minus 3 times x2 is at most 4", "x1 is not more than three times x2 plus 4"}),
        (X - Y >= -3, {"x1 plus 3 is at least x2", "x1 minus x2 is at least -3"}),
        (-X - 2 * Y >= -7, {"x1 plus twice x2 is at most 7"}),
        (X.eq(3), {"x1 is equal to 3", "x1 is exactly 3", "x1 has to be 3"}),
        (AllDifferent((X, Y, Z)), {"x1, x2 and x3 all differ", "no two of x1, x2 and x3 have the same value"}),
        ((X >= 1) | (Y >= 1), {"at least one of these holds: x1 is at least 1; x2 is not less than 1"}),
    ],
)
def test_there_are_several_wordings(formula: Formula, wordings: set[str]) -> None:
    assert wordings <= {word(formula, Random(seed)) for seed in range(200)}


def test_other_formulas_have_no_words() -> None:
    with pytest.raises(FormulaError, match="no words"):
        word(at_most(1, [X >= 1, Y >= 1]), Random(0))
