"""What a simulated reasoner makes of the prompts for questions; those for logic are read in test_claim_model."""

from __future__ import annotations

from holdtrue.models.chat import Message, system, user
from holdtrue_claims.kind.prompts.questions import QuestionPrompt
from holdtrue_lab.kinds.claims.baselines.prompts.critiques import (
    critique_question,
    rate,
    think_on,
)
from holdtrue_lab.kinds.claims.simulation.view import QuestionTask, view_claims

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


def test_anything_else_is_none_of_it() -> None:
    assert view_claims((system("You are kind."), user("How are you?"))) is None
    assert view_claims(()) is None
