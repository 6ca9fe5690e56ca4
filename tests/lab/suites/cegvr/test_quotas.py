from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SettingsError
from holdtrue.lab.suites.cegvr.quotas import golds


@given(st.integers(1, 200), st.floats(0, 1))
@settings(deadline=None, max_examples=50)
def test_every_beginning_has_its_share(count: int, ratio: float) -> None:
    made = list(golds(count, ratio))
    assert len(made) == count
    for length in range(1, count + 1):
        assert abs(made[:length].count("sat") - length * ratio) <= 0.5 + 1e-9


def test_all_or_nothing() -> None:
    assert set(golds(5, 1.0)) == {"sat"}
    assert set(golds(5, 0.0)) == {"unsat"}
    assert list(golds(500, 0.6)).count("sat") == 300


def test_there_is_one_problem_at_least() -> None:
    with pytest.raises(SettingsError, match="one problem at least"):
        list(golds(0, 0.5))
