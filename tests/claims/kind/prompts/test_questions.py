"""The question as it is asked, and the option that a reply gives."""

from __future__ import annotations

import json
from string import ascii_uppercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.kind.prompts.questions import (
    LONGEST_REASONING,
    ClaimSignal,
    QuestionPrompt,
    answer_hint,
    option_statement,
    read_answer,
    read_option,
    with_option,
)
from tests.data import DATA, needs_data

OPTIONS = {"A": "Rex barks", "B": "Tom is a dog", "C": "Both sleep"}
TRUTHS = {"A": "True", "B": "False", "C": "Uncertain"}
CONTEXT = ("Rex is a dog", "Tom\nsleeps")


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ('{"reasoning": "Tom is a dog.", "answer": "A"}', "A"),
        ('{"answer": "b"}', "B"),
        ('{"answer": "(C) Both sleep"}', "C"),
        ('{"answer": "C: Both sleep."}', "C"),
        ('{"answer": "tom is a dog"}', "B"),
        ('{"answer": "Option B"}', "B"),
        ('```json\n{"choice": "B"}\n```', "B"),
        ('First {"answer": "A"}, but then {"answer": "B"}', "B"),
        ("<think>The answer is A.</think>The answer is B.", "B"),
        ("So the answer is (B) Tom is a dog.", "B"),
        ("Answer: **C**", "C"),
        ("The correct option is B because Tom is a dog.", "B"),
        ("The answer is B. At first the answer: A seemed right, but the answer is C.", "C"),
        ("Therefore the answer is: Rex barks", "A"),
        ("Rex barks.\n\nB", "B"),
        ("It is a long story.\nTom is a dog.", "B"),
        ("B) Tom is a dog", "B"),
        ("The answer is a dog.", None),
        ("The answer is A dog.", None),
        ("A dog barks.", None),
        ('{"answer": "D"}', None),
        ('{"answer": ["A"]}', None),
        ('{"answer": "neither A nor B"}', None),
        ("", None),
        ("I cannot tell.", None),
    ],
)
def test_options_are_read_however_they_are_given(reply: str, option: str | None) -> None:
    assert read_option(reply, OPTIONS) == option


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ('{"answer": "True"}', "A"),
        ('{"answer": false}', "B"),
        ("The statement is uncertain.", "C"),
        ("Therefore, the statement is false, since Rex is no cat.", "B"),
        ("The statement is true only if Tom sleeps.", None),
        ("**Answer:** Uncertain", "C"),
        ("The answer is not known.", None),
    ],
)
def test_truth_values_are_read_as_words(reply: str, option: str | None) -> None:
    assert read_option(reply, TRUTHS) == option


@given(st.text(max_size=300) | st.text(alphabet='{}[]":,answerABC().* \n', max_size=200))
@settings(max_examples=150, deadline=None)
def test_nothing_that_a_model_writes_is_an_error(reply: str) -> None:
    assert read_option(reply, OPTIONS) in (None, *OPTIONS)
    answer = read_answer(reply, TRUTHS, "Rex barks.")
    assert answer.option in (None, *TRUTHS)
    assert read_option(reply, {}) is None


@given(st.sampled_from(ascii_uppercase[:3]), st.sampled_from(["{}", "({})", "{}.", "**{}**", "Option {}", '"{}"']))
def test_a_letter_is_read_in_whatever_it_is_wrapped(letter: str, wrapped: str) -> None:
    sentence = wrapped.format(letter)
    for reply in (
        sentence,
        f"I thought about it.\n{sentence}",
        f"The answer is {sentence}",
        json.dumps({"answer": sentence}),
    ):
        assert read_option(reply, OPTIONS) == letter


def test_an_answer_is_its_reasoning_and_what_the_option_says() -> None:
    answer = read_answer('{"reasoning": "Rex is a dog. ", "answer": "A"}', OPTIONS)
    assert (answer.text, answer.option) == ("Rex is a dog.\nRex barks", "A")
    assert read_answer('{"answer": "B"}', OPTIONS).text == "Tom is a dog"
    assert read_answer("Dogs bark, so rex barks. The answer is A.", OPTIONS).text == (
        "Dogs bark, so rex barks. The answer is A."
    ), "what it says already is not said again"
    assert read_answer("Both may be true.", {}).text == "Both may be true."


def test_clipped_json_leaves_its_reasoning() -> None:
    clipped = '{"reasoning": "Rex is a dog.\\nDogs \\"bark\\", and'
    assert read_answer(clipped, OPTIONS).text == 'Rex is a dog.\nDogs "bark", and'


def test_truth_values_say_the_statement_or_deny_it() -> None:
    statement = "Rex barks."
    assert option_statement("A", TRUTHS, statement) == statement
    assert option_statement("B", TRUTHS, statement) == "It is not the case that Rex barks."
    assert option_statement("C", TRUTHS, statement) == ""
    assert option_statement("B", TRUTHS, "Tom is a dog.") == "Tom is not a dog."
    assert option_statement("Z", OPTIONS) == ""
    assert with_option("It is open.", "C", TRUTHS, statement) == "It is open."


def test_a_prompt_tells_the_context_the_question_and_the_options() -> None:
    prompt = QuestionPrompt("cot", CONTEXT, "Which is true?", OPTIONS)
    first, asked = prompt.messages()
    assert first.role == "system" and "step by step" in first.content
    assert asked.content.startswith("Context:\n- Rex is a dog\n- Tom sleeps\n\nQuestion:\nWhich is true?")
    assert "A) Rex barks\nB) Tom is a dog\nC) Both sleep" in asked.content
    assert asked.content.endswith(answer_hint(OPTIONS))
    direct = QuestionPrompt("direct", CONTEXT, "Which is true?", OPTIONS)
    assert "reasoning" not in direct.messages()[1].content
    free = QuestionPrompt("cot", CONTEXT, "What is true?")
    assert free.schema() is None and "JSON" not in free.messages()[1].content


def test_a_schema_binds_reasoning_and_letter() -> None:
    schema = QuestionPrompt("cot", CONTEXT, "?", OPTIONS).schema()
    assert schema is not None
    assert list(schema["properties"]) == ["reasoning", "answer"]
    assert schema["properties"]["reasoning"]["maxLength"] == LONGEST_REASONING
    assert schema["properties"]["answer"]["enum"] == ["A", "B", "C"]
    bare = QuestionPrompt("direct", CONTEXT, "?", OPTIONS).schema()
    assert bare is not None and list(bare["properties"]) == ["answer"]


def test_what_was_said_before_comes_before_and_what_was_taken_back_is_told() -> None:
    prompt = QuestionPrompt("cot", CONTEXT, "?", {}, (("Hi.", "Hello."), ("", "Rex barks.")), ("Rex sleeps",))
    roles = [message.role for message in prompt.messages()]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert all(message.content for message in prompt.messages()), "an empty message is refused by some services"
    assert "does not hold any more:\n- Rex sleeps" in prompt.messages()[-1].content


def test_feedback_comes_with_the_answer_that_it_is_about() -> None:
    prompt = QuestionPrompt("cot", CONTEXT, "?", OPTIONS, previous="Tom\nbarks.", feedback=ClaimSignal("failed"))
    text = prompt.messages()[-1].content
    assert "You answered:\nTom barks.\nStatus: your answer did not pass" in text
    assert text.index("Options:") < text.index("You answered:") < text.index('"answer"')


@needs_data
def test_letters_of_real_answers_are_read() -> None:
    folder = DATA / "llm_formalizations"
    rows = json.loads(
        (folder / "llama3_CoT_LogicalDeduction_dev_NousResearch-Meta-Llama-3-70B-GGUF.json").read_text(encoding="utf-8")
    )
    given = [
        (row["predicted_reasoning"], row["predicted_answer"])
        for row in rows
        if "answer is" in row["predicted_reasoning"]
    ]
    options = {letter: f"what {letter} says" for letter in "ABCDEFG"}
    read = [read_option(text, options) == letter for text, letter in given]
    assert len(read) > 100
    assert sum(read) / len(read) > 0.97, [text[-80:] for (text, _), right in zip(given, read, strict=True) if not right]


@pytest.mark.parametrize("letter", ["a", "1", "iv"])
def test_options_may_be_called_otherwise(letter: str) -> None:
    options = {"0": "Rex barks", letter: "Rex sleeps"}
    assert read_option(json.dumps({"answer": letter}), options) == letter
