"""What a model is asked about its own answers and thoughts, and what its replies say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.kind.prompts.questions import QuestionPrompt
from holdtrue_lab.kinds.claims.baselines.prompts.critiques import (
    HIGHEST,
    LOWEST,
    conclude,
    critique_question,
    rate,
    read_rating,
    read_thought,
    refine_answer,
    think_on,
)

PROMPT = QuestionPrompt("cot", ("Rex is a dog",), "Does Rex bark?", {"A": "Yes", "B": "No"})


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ('{"rating": 7}', 7),
        ('{"rating": 11}', LOWEST),
        ('{"rating": true}', LOWEST),
        ('{"rating": "8"}', 8),
        ("I would give it 10 of 10.", 10),
        ("0.8", LOWEST),
        ("<think>9</think> a 4", 4),
        ("", LOWEST),
    ],
)
def test_ratings_are_read(reply: str, rating: int) -> None:
    assert read_rating(reply) == rating


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_is_a_rating_and_a_thought(reply: str) -> None:
    assert LOWEST <= read_rating(reply) <= HIGHEST
    assert "\n" not in read_thought(reply)


def test_thoughts_are_read_from_json_and_from_prose() -> None:
    assert read_thought('{"thought": "Rex is\\n a dog."}') == "Rex is a dog."
    assert read_thought("Rex is a dog, so it barks.") == "Rex is a dog, so it barks."


def test_a_critique_and_a_better_answer_follow_the_first_one() -> None:
    critique = critique_question(PROMPT, "It does not.")
    assert critique[:-2] == PROMPT.messages() and critique[-2].content == "It does not."
    refined = refine_answer(PROMPT, "It does not.", ("Rex is\na dog.",))
    assert refined[:-1] == critique[:-1]
    assert "- Rex is a dog." in refined[-1].content and refined[-1].content.endswith('"answer": "<A | B>"}')


def test_thoughts_are_shown_with_the_question() -> None:
    for messages in (think_on(PROMPT, ("Rex is a dog.",)), rate(PROMPT, ("Rex is a dog.",))):
        assert messages[-1].content.startswith(PROMPT.opening())
        assert "Reasoning so far:\n- Rex is a dog." in messages[-1].content
    assert "Reasoning so far" not in think_on(PROMPT, ())[-1].content


def test_an_answer_is_concluded_from_thoughts() -> None:
    assert conclude(PROMPT, ()) == PROMPT.messages()
    concluded = conclude(PROMPT, ("Rex is a dog.", "Dogs bark."))
    assert [message.role for message in concluded] == ["system", "user", "assistant", "user"]
    assert concluded[2].content == "Rex is a dog. Dogs bark."
