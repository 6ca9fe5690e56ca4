"""What a simulated reasoner makes of what it is told about its last answer."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.models.chat import user
from holdtrue_claims.kind.prompts.questions import ClaimSignal, QuestionPrompt, Refuted, Status
from holdtrue_lab.kinds.claims.baselines.prompts.critiques import critique_question, refine_answer
from holdtrue_lab.kinds.claims.simulation.view import Feedback, view_feedback

OPTIONS = {"A": "Mia sings.", "B": "Mia dances."}
CONTEXT = ("Mia sings or dances.", "Mia does not dance.")
WRONG, OTHER = "Mia dances.", "Mia sings or dances."


def told(signal: ClaimSignal, previous: str = f"{OTHER} {WRONG}") -> Feedback:
    prompt = QuestionPrompt("cot", CONTEXT, "Which is true?", OPTIONS, previous=previous, feedback=signal)
    found = view_feedback(prompt.messages())
    assert found is not None and found.previous == " ".join(previous.split())
    return found


@pytest.mark.parametrize(
    ("signal", "kind"),
    [
        (ClaimSignal("refuted", (Refuted(WRONG, CONTEXT),), change=(WRONG,), keep=(OTHER,)), "mend"),
        (ClaimSignal("refuted", (Refuted(WRONG, CONTEXT),), keep=(OTHER,)), "mend_verdicts"),
        (ClaimSignal("weak", weak=("Mia dances (possible, but it does not follow)",)), "mend_verdicts"),
        (ClaimSignal("weak", alerts=("Mia dances (it could not be read)",)), "mend_verdicts"),
        (ClaimSignal("refuted", (Refuted(WRONG, CONTEXT),)), "mend_core"),
        (ClaimSignal("clash", clash=(CONTEXT[1], "Mia dances (your claim)")), "mend_core"),
        (ClaimSignal("failed"), "mend_minimal"),
        (ClaimSignal("refuted", (Refuted(OTHER, (WRONG,)),)), ""),
        (ClaimSignal("weak", keep=(OTHER,)), ""),
    ],
)
def test_what_is_said_of_a_claim_is_told_apart(signal: ClaimSignal, kind: str) -> None:
    assert told(signal).about(WRONG) == kind


def test_a_critique_of_ones_own_is_known_by_its_words() -> None:
    prompt = QuestionPrompt("cot", CONTEXT, "Which is true?", OPTIONS)
    found = view_feedback(refine_answer(prompt, WRONG, ["It does not follow."]))
    assert found == Feedback(WRONG, own=True) and found.about(WRONG) == "mend_critique"
    assert view_feedback(critique_question(prompt, WRONG)) is None
    assert view_feedback(prompt.messages()) is None
    assert view_feedback((user("VERIFICATION REPORT on your previous answer"),)) is None


TEXTS = st.lists(st.sampled_from([f"Mia sings {place} songs." for place in range(30)]), max_size=4, unique=True).map(
    tuple
)


@given(st.sampled_from(get_args(Status)), TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
def test_a_report_is_read_as_it_was_written(
    status: Status,
    refuted: tuple[str, ...],
    clash: tuple[str, ...],
    change: tuple[str, ...],
    keep: tuple[str, ...],
    weak: tuple[str, ...],
) -> None:
    signal = ClaimSignal(status, tuple(Refuted(claim, clash) for claim in refuted), clash, change, keep, weak)
    found = told(signal)
    assert (found.change, found.against, found.doubted) == (change, (*refuted, *clash), weak)
    assert found.verdicts == bool(change or keep or weak)
