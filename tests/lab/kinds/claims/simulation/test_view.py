"""What a simulated reasoner makes of the prompts for questions; those for logic are read in test_claim_model."""

from __future__ import annotations

from holdtrue.models.chat import Message, system, user
from holdtrue_claims.kind.prompts.decomposition import decompose_messages
from holdtrue_claims.kind.prompts.judges import judge_messages
from holdtrue_claims.kind.prompts.questions import ClaimSignal, QuestionPrompt
from holdtrue_lab.kinds.claims.baselines.prompts.critiques import (
    conclude,
    critique_question,
    rate,
    refine_answer,
    think_on,
)
from holdtrue_lab.kinds.claims.simulation.view import ClaimsTask, JudgeTask, QuestionTask, view_claims

OPTIONS = {"A": "Mia sings.", "B": "Mia dances."}
CONTEXT = ("Mia sings: loudly.", "Tom dances.")
PROMPT = QuestionPrompt("cot", CONTEXT, "Which is true?", OPTIONS, taken_back=("Tom sings.",))


def question(messages: tuple[Message, ...]) -> QuestionTask:
    task = view_claims(messages)
    assert isinstance(task, QuestionTask)
    assert (task.context, task.question) == (CONTEXT, "Which is true?")
    assert task.options == OPTIONS
    return task


def test_questions_are_told_apart() -> None:
    kinds = {
        "answer": PROMPT.messages(),
        "critique": critique_question(PROMPT, "It is A."),
        "thought": think_on(PROMPT, ["Mia sings."]),
        "rate": rate(PROMPT, ["Mia sings.", "So it is A."]),
    }
    tasks = {kind: question(messages) for kind, messages in kinds.items()}
    assert {kind: task.kind for kind, task in tasks.items()} == {kind: kind for kind in kinds}
    assert tasks["critique"].said == "It is A." and tasks["rate"].said == "- Mia sings.\n- So it is A."
    assert tasks["answer"].reasons and tasks["answer"].said == ""


def test_what_asks_for_an_answer_again_asks_for_an_answer() -> None:
    again = QuestionPrompt(
        "direct", PROMPT.context, PROMPT.question, OPTIONS, previous="It is B.", feedback=ClaimSignal("failed")
    )
    asked = (refine_answer(PROMPT, "It is B.", ["no"]), conclude(PROMPT, ["Mia sings."]), again.messages())
    tasks = [question(messages) for messages in asked]
    assert [task.kind for task in tasks] == ["answer"] * 3
    assert [task.reasons for task in tasks] == [True, True, False]
    assert len({messages[-1].content for messages in asked}) == 3  # each is another throw of the dice


def test_claims_and_judges() -> None:
    answer = "Mia sings. Tom dances, so Tom is tired."
    assert view_claims(decompose_messages(answer)) == ClaimsTask(("Mia sings.", "Tom dances.", "Tom is tired."))
    assert view_claims(judge_messages("Mia sings.\nTom dances.", "Mia is loud.")) == JudgeTask(
        "Mia sings. Tom dances.", "Mia is loud."
    )


def test_anything_else_is_none_of_it() -> None:
    assert view_claims((system("You are kind."), user("How are you?"))) is None
    assert view_claims(()) is None
