"""The words by which a sentence takes something back."""

from __future__ import annotations

import pytest

from holdtrue.language.withdrawals import remarks_on_it, spot_withdrawal
from tests.patience import no_hang


@pytest.mark.parametrize(
    "text",
    [
        "Ann works on day 2",
        "Don't forget that Ann works on day 2",
        "Never forget Ann",
        "I forget whether Ann works on day 2",
        "Ann must no longer work on day 2",  # forbids
        "Ann needs not to sit next to Bob",
        "Drop Ann at day 2",
        "Remove Ann from day 2",
        "Lift Ann to floor 3",
        "Cancel the meeting",
        "The meeting is off",
        "I don't have to repeat that Ann works before Bob",
        "Never mind",
        "Ann said: forget it",
        "If Ann works on day 2, forget that Bob does",
        "We could drop the rule about Ann",
        "Drop any of the rules about Ann",
        "No two of them work on the same day",
    ],
)
def test_statements_take_nothing_back(text: str) -> None:
    assert spot_withdrawal(text) is None


@pytest.mark.parametrize(
    "unit", ["please ", "forget that ", "no longer has to ", "the rule ", "never mind, ", " ", "drop a b ", "lifting "]
)
def test_hostile_sentences_come_to_an_end(unit: str) -> None:
    with no_hang():
        spot_withdrawal((unit * 1000)[:1000])
        remarks_on_it((unit * 1000)[:1000])
