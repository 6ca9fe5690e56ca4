from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.suites.cegvr.prove import golds

VARIABLES = tuple(Variable(f"x{number}", IntSort(0, 5)) for number in range(6))
A, B, C, D, *_ = VARIABLES


@given(st.integers(1, 200), st.floats(0, 1))
@settings(deadline=None, max_examples=50)
def test_every_beginning_has_its_share(count: int, ratio: float) -> None:
    made = list(golds(count, ratio))
    assert len(made) == count
    for length in range(1, count + 1):
        assert abs(made[:length].count("sat") - length * ratio) <= 0.5 + 1e-9


def test_there_is_one_problem_at_least() -> None:
    with pytest.raises(SettingsError, match="one problem at least"):
        list(golds(0, 0.5))
