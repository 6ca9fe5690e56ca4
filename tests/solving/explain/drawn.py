"""Random problems for explanations, of formulas that every engine can take, and the engines to ask.

Explanations do not look into formulas. How engines read all kinds of them is tested in `tests/solving`.
"""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving import brute
from tests.solving.brute import VARIABLES, A, B, C
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


def both(sat: int, z3: int) -> pytest.MarkDecorator:
    """Run a law with so many examples for each engine."""
    return pytest.mark.parametrize(("engine", "examples"), [(SAT, sat), (Z3, z3)], ids=["sat", "z3"])


def tiring(answers: int = 999) -> Tiring:
    """A fresh engine that answers so many questions."""
    return Tiring(SatEngine(VARIABLES, BACKGROUND), answers)


def formulas() -> st.SearchStrategy[Formula]:
    return brute.formulas(every=False)


def theories(*, most: int = 6) -> st.SearchStrategy[dict[str, Formula]]:
    """Soft formulas with ids, often impossible together."""
    return brute.theories(most=most, every=False)
