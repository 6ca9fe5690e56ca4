"""The words by which a sentence takes back what it names."""

from __future__ import annotations

import pytest

from holdtrue.language.cancellations import split_commands, spot_cancellation
from holdtrue.language.withdrawals import Withdrawal


@pytest.mark.parametrize(
    "text",
    [
        "Cancel Demo",
        "Could you call Demo off",
        "Demo has been cancelled",
        "Demo is off",
        "Demo won't happen after all",
        "No more Demo",
        "Let's not do Demo after all",
        "We no longer need Demo",
        "We're dropping Demo",
        "I've changed my mind about Demo",
        "There's no need for Demo any more",
        "Remove Demo from the agenda",
    ],
)
def test_what_is_taken_back_is_what_the_words_are_about(text: str) -> None:
    assert spot_cancellation(text) == Withdrawal("Demo")


@pytest.mark.parametrize("text", ["Skip Demo", "We don't need Demo", "Let's not have Demo"])
def test_words_that_may_be_about_anything_want_a_bare_name(text: str) -> None:
    found = spot_cancellation(text)
    assert found is not None and found.strict and found.content == "Demo"


@pytest.mark.parametrize("text", ["Cancel both rules about Demo", "Demo and Lunch: both rules for Demo are off"])
def test_both_and_all_are_told(text: str) -> None:
    found = spot_cancellation(text)
    assert found is not None and (found.every and found.two) == text.startswith("Cancel")


@pytest.mark.parametrize(
    "text",
    [
        "I always forget Demo",
        "Demo cancelled on me last time",
        "Ann wants to cancel Demo",
        "Don't cancel Demo",
        "It is off",
        "Skip it",
        "Demo is off to a good start",
        "If it rains, cancel Demo",
        "Maybe cancel Demo",
        "Call Demo back",
        "Demo must no longer be on day 2",
    ],
)
def test_remarks_and_conditions_take_nothing_back(text: str) -> None:
    assert spot_cancellation(text) is None


def test_commands_that_follow_one_another_are_told_apart() -> None:
    assert split_commands("Cancel Demo and move Lunch to day 3") == ["Cancel Demo", "move Lunch to day 3"]
    assert split_commands("Cancel Demo and Lunch") == ["Cancel Demo and Lunch"]


@pytest.mark.parametrize(
    "unit", ["is off ", "no longer ", "cancel ", "we don't need ", "all of the ", "and drop ", "; "]
)
def test_hostile_sentences_are_read_to_their_end(unit: str) -> None:
    text = (unit * 1000)[:1000]
    assert (spot_cancellation(text) is None) is (unit in ("all of the ", "; "))
    assert len(split_commands(text)) == (111 if unit == "and drop " else 1)
