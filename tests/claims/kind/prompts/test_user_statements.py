"""Tests of reading the statements and withdrawals in a user's message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.kind.prompts.statements import read_message

STATEMENTS = {"U1.1": "Ann is a vegetarian", "U1.2": "The budget is 500 euros", "U2.1": "The train leaves at nine"}


@pytest.mark.parametrize(
    ("message", "states"),
    [
        ("Ann is a vegetarian. Which dish can she eat?", ["Ann is a vegetarian"]),
        ("Could you plan a trip? Tell me the price. Thank you very much!", []),
        ("Please note that Ann has two children.", ["Ann has two children"]),
        ("Remember that no flight is allowed!", ["no flight is allowed!"]),
        ("We have 500 euros; Bob wants to swim.", ["We have 500 euros", "Bob wants to swim"]),
        ("Hi! OK.", []),
        ("Ben will not fly. What about Tom?", ["Ben will not fly"]),
        ("", []),
    ],
)
def test_statements_are_what_is_no_question_and_no_request(message: str, states: list[str]) -> None:
    assert list(read_message(message, {}).states) == states


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("Forget U1.2.", ["U1.2"]),
        ("Please drop U1.1 and U2.1.", ["U1.1", "U2.1"]),
        ("Forget that Ann is a vegetarian.", ["U1.1"]),
        ("Forget that.", ["U2.1"]),
        ("Forget everything I said.", ["U1.1", "U1.2", "U2.1"]),
        ("Forget what I said about the budget of 500 euros.", ["U1.2"]),
        ("U1.2 is what I would like to know more about.", []),
    ],
)
def test_what_is_taken_back_is_named_or_quoted_or_the_last(message: str, gone: list[str]) -> None:
    found = read_message(message, STATEMENTS)
    assert list(found.takes_back) == gone
    assert not gone or not found.states


def test_what_nobody_said_cannot_be_taken_back() -> None:
    found = read_message("Forget what I said about the hotel with a pool.", STATEMENTS)
    assert not found.takes_back and not found.states
    assert found.unknown == ("Forget what I said about the hotel with a pool",)


def test_what_follows_is_stated() -> None:
    found = read_message("Forget that, the train leaves at ten.", STATEMENTS)
    assert found.takes_back == ("U2.1",)
    assert list(found.states) == ["the train leaves at ten"]


@given(st.text(max_size=200) | st.text(alphabet="forget that U1.2 all ,.?", max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_message_is_read(message: str) -> None:
    found = read_message(message, STATEMENTS)
    assert set(found.takes_back) <= set(STATEMENTS)
    assert len(set(found.takes_back)) == len(found.takes_back)
    assert all(sentence.strip() for sentence in found.states)
