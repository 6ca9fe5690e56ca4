"""What a message does in a talk."""

from __future__ import annotations

import pytest

from holdtrue.language.slots.talk import is_asked_about, last_question, talk_of


@pytest.mark.parametrize(
    "message", ["Sounds good to me", "ja, das passt", "sí, perfecto", "Yes please", "I'll take it"]
)
def test_a_yes_in_three_languages_accepts(message: str) -> None:
    assert talk_of(message, None).accepts


@pytest.mark.parametrize("message", ["Is there another one?", "nein danke", "mejor otro", "No, a different one, okay?"])
def test_what_refuses_does_not_accept(message: str) -> None:
    assert not talk_of(message, None).accepts and talk_of(message, None).no


def test_the_question_is_what_was_asked_last() -> None:
    assert last_question("I found 2. In which town? And when?") == "In which town? And when?"
    assert last_question("Done. It costs 5.") == "It costs 5."
    assert last_question(None) == ""


def test_a_question_about_what_is_so_states_nothing() -> None:
    text = "Great. Do they have wifi?"
    assert is_asked_about(text, text.index("wifi") + 4)
    assert not is_asked_about("I want wifi. Can you find it?", 11)
