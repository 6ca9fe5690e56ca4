"""The words by which a change holds a part of it back."""

from __future__ import annotations

import pytest

from holdtrue.language.change_detection import find_reservation, has_condition
from holdtrue.language.withdrawals import Withdrawal


@pytest.mark.parametrize(
    ("text", "conditional"),
    [
        ("If Bob is ill, Ann works on day 3", True),
        ("Ann works on day 3 unless Bob objects", True),
        ("Ann works on day 3 only when Bob does", True),
        ("If possible, Ann works on day 3", False),
        ("the rule about Ann, if you like", False),
        ("the one when Ann works", False),
    ],
)
def test_a_condition_is_no_courtesy(text: str, conditional: bool) -> None:
    assert has_condition(text) is conditional


@pytest.mark.parametrize(
    ("cue", "listed", "word"),
    [
        (Withdrawal("Ann if Bob agrees"), False, "if"),
        (Withdrawal(rest="unless Bob agrees"), False, "unless"),
        (Withdrawal(rest="not what I said before"), False, "not"),
        (Withdrawal(rest="keep the others"), False, None),
        (Withdrawal(rest="keep the others", every=True), True, "keep"),
        (Withdrawal("Ann not working on day 2"), False, None),
        (Withdrawal("C001, not C002"), True, "not"),
        (Withdrawal("C001 and C002"), True, None),
        (Withdrawal("Ann", every=True), True, None),
    ],
)
def test_an_exception_counts_where_several_things_are_meant(cue: Withdrawal, listed: bool, word: str | None) -> None:
    reason = find_reservation(cue, listed=listed)
    assert reason == (f"with '{word}' it is not clear what is meant" if word else None)
