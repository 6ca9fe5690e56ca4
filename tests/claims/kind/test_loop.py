"""Tests of the published loop: the answer that it gives, its end, and its calls."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.record import AnswerStatus, TurnOutcome
from holdtrue_claims.claim_record import (
    CheckRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    PremiseRecord,
    SoftVerdict,
)
from holdtrue_claims.kind.answering import ClaimPlayed, ClaimTurn
from holdtrue_claims.kind.loop import claim_signal, play_claims
from holdtrue_claims.kind.prompts.questions import VERDICTS, ClaimSignal, signal_lines
from tests.claims.kind.test_answering import check
from tests.claims.kind.world import light, play, said, scripted

GOOD = said("B", "Rex is a dog", "All dogs bark", "Rex barks")
WRONG = said("A", "Rex is a dog", "Rex does not bark")
CLASH = said("B", "Tom does not sleep", "Rex does not sleep", "Rex barks")
EMPTY = said("", "")
REPLIES = {
    "good": GOOD,
    "wrong": WRONG,
    "worse": said("A", "Rex does not bark", "Tom is a dog"),
    "weak": said("B", "Tom barks", "Tom sleeps", "Rex barks"),
    "soft": said("B", "This answer is nice", "Rex barks", "That one is bad"),
    "clash": CLASH,
    "empty": EMPTY,
}


def answers(played: ClaimPlayed) -> list[str]:
    return [attempt.kind for attempt in played.attempts]


async def test_an_accepted_answer_ends_it() -> None:
    model = scripted([GOOD])
    played = await play(light("verge"), model)
    assert answers(played) == ["answer"]
    (attempt,) = played.attempts
    assert attempt.answer == {"option": "B"}
    assert attempt.check is not None and attempt.check.accepted and attempt.check.score == 1.0
    assert attempt.verdict.outcome is TurnOutcome.CONSISTENT
    assert [call.purpose for call in attempt.calls][:2] == ["answer", "decompose"]
    assert not played.measuring


async def test_a_wrong_answer_is_asked_for_again_with_what_contradicts_it() -> None:
    model = scripted([WRONG, GOOD])
    played = await play(light("verge"), model)
    assert answers(played) == ["answer", "repair"]
    first, last = played.attempts
    assert first.verdict.answer is AnswerStatus.VIOLATING and first.verdict.refuted == ("C2",)
    assert last.verdict.answer is AnswerStatus.RESPECTING
    prompt = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert "This claim is contradicted by what was said: Rex does not bark" in prompt
    report = prompt.split("VERIFICATION REPORT")[1]
    assert "- Rex is a dog." in report and "- All dogs bark." in report
    assert "No cat is a dog." not in report, "it has no part in the conflict"


async def test_claims_that_clash_together_are_a_conflict_of_the_answer() -> None:
    played = await play(light("verge", rounds=1), scripted([CLASH]))
    (attempt,) = played.attempts
    assert attempt.verdict.answer is AnswerStatus.VIOLATING and not attempt.verdict.refuted
    assert attempt.verdict.mus is not None and set(attempt.verdict.mus) == {"P5", "C1", "C2"}
    assert attempt.verdict.outcome is TurnOutcome.DRIFT


async def test_the_best_answer_is_given_where_none_is_accepted() -> None:
    played = await play(light("verge", converge=None), scripted([REPLIES["weak"], REPLIES["worse"], REPLIES["worse"]]))
    assert answers(played) == ["answer", "repair", "repair", "best"]
    first, last = played.attempts[0], played.attempts[-1]
    assert last == replace(first, attempt=4, kind="best", calls=())
    assert "Tom barks" in played.delivered


async def test_a_score_that_stands_still_ends_it() -> None:
    played = await play(light("verge"), scripted([REPLIES["weak"]] * 2))
    assert answers(played) == ["answer", "repair", "best"]
    played = await play(light("verge", rounds=10, converge=None, patient=True), scripted([REPLIES["weak"]] * 10))
    assert answers(played) == ["answer", *["repair"] * 9, "best"]


async def test_a_patient_method_goes_on_after_an_accepted_answer_and_gives_it_all_the_same() -> None:
    replies = [REPLIES["weak"], GOOD, REPLIES["worse"]]
    played = await play(light("verge", converge=None, patient=True), scripted(replies))
    assert answers(played) == ["answer", "repair", "repair", "best"]
    assert played.attempts[-1].text == GOOD
    impatient = await play(light("verge", converge=None), scripted(replies))
    assert answers(impatient) == ["answer", "repair"]


async def test_an_answer_without_claims_is_unparsed_and_scores_nothing() -> None:
    played = await play(light("verge", rounds=2, converge=None), scripted([EMPTY, GOOD]))
    assert played.attempts[0].verdict.answer is AnswerStatus.UNPARSED
    assert played.attempts[-1].verdict.answer is AnswerStatus.RESPECTING


def expected(scores: list[float], accepted: list[bool], rounds: int, converge: float | None) -> tuple[int, int]:
    """How many answers algorithm 1 asks for, and which of them (from 0) it gives: line by line, as it is printed."""
    best, best_score = -1, -1.0  # below any score, so that the first answer is better than none
    before: float | None = None
    for t in range(rounds):
        if scores[t] > best_score:
            best, best_score = t, scores[t]
        if accepted[t]:
            return t + 1, t
        if converge is not None and before is not None and abs(scores[t] - before) < converge:
            return t + 1, best
        before = scores[t]
    return rounds, best


@given(
    st.lists(st.sampled_from(sorted(REPLIES)), min_size=4, max_size=4),
    st.integers(1, 4),
    st.sampled_from([None, 0.01, 0.3]),
)
@settings(max_examples=15, deadline=None)
def test_it_stops_and_gives_what_algorithm_1_does(names: list[str], rounds: int, converge: float | None) -> None:
    single = {name: asyncio.run(play(light("verge", rounds=1), scripted([REPLIES[name]]))) for name in set(names)}
    checks = [single[name].attempts[0].check for name in names]
    scores = [check.score for check in checks if check is not None]
    accepted = [check.accepted for check in checks if check is not None]
    asked, given = expected(scores, accepted, rounds, converge)
    model = scripted([REPLIES[name] for name in names])
    played = asyncio.run(play(light("verge", rounds=rounds, converge=converge), model))
    own = [attempt for attempt in played.attempts if attempt.kind != "best"]
    assert len(own) == asked
    assert played.attempts[-1].text == REPLIES[names[given]]
    assert played.attempts[-1].check == own[given].check
    assert (played.attempts[-1].kind == "best") == (given != asked - 1)
    # Every call is counted once, with the answer that it was for.
    assert sum(len(attempt.calls) for attempt in played.attempts) == len(model.requests)


async def test_a_method_that_verifies_needs_premises() -> None:
    turn = ClaimTurn(Asking(scripted([])), (), "?", {}, None)
    with pytest.raises(ValueError, match="premises"):
        await play_claims(light("verge"), turn)


CONTEXT = ContextRecord(
    {},
    {},
    (
        PremiseRecord("P1", "Rex is a dog", "Dog(Rex)"),
        PremiseRecord("U2.1", "Dogs bark", None, "user"),
        PremiseRecord("T1.C2", "Rex sleeps", None, "claim"),
    ),
    "consistent",
)


def mixed() -> CheckRecord:
    """Claims with all that can be wrong."""
    joint = JointRecord(
        "conflict", ("T1.C2", "B1", "C3"), bridges=(PremiseRecord("B1", "Who sleeps is silent", None, "bridge"),)
    )
    found = check("entailed", "contradictory", "possible", "unsupported", joint=joint)
    made = FormalizationRecord(("Loud(Rex)",), 0, refused="unread", reason="no sample could be read")
    first, second, third, fourth = found.claims
    second = replace(second, premises=("P1", "U2.1"), holds={"Secret(Rex)": 1})
    fourth = replace(fourth, formalization=made)
    return replace(
        found, claims=(first, second, third, fourth), change=("C2", "C3"), option="A", supported="C", proved="B"
    )


def test_full_feedback_says_everything_in_sentences() -> None:
    lines = signal_lines(claim_signal("full", mixed(), CONTEXT), "It barks.")
    assert lines[1:3] == ["You answered:", "It barks."]
    text = "\n".join(lines)
    assert "Status: contradicted." in text
    assert "contradicted by what was said: Claim 2\n  It cannot be true together with:\n  - Rex is a dog" in text
    assert "  - Dogs bark (the user said this)" in text
    assert (
        "These cannot all be true together:\n- Rex sleeps (you said this before)\n"
        "- Who sleeps is silent (this is assumed)\n- Claim 3 (your claim)"
    ) in text
    assert "enough to change these claims:\n- Claim 2\n- Claim 3\n" in text
    assert "keep them:\n- Claim 1\n" in text
    assert "- Claim 3 (possible, but it does not follow)\n- Claim 4 (nothing supports it)" in text
    assert "- Claim 4 (no sample could be read)" in text
    assert text.endswith("correct your own reasoning.")


def test_each_kind_says_less() -> None:
    full = claim_signal("full", mixed(), CONTEXT)
    assert claim_signal("no_mcs", mixed(), CONTEXT) == replace(full, change=())
    assert claim_signal("core", mixed(), CONTEXT) == ClaimSignal(full.status, full.refuted, full.clash)
    assert claim_signal("minimal", mixed(), CONTEXT) == ClaimSignal("failed")


@pytest.mark.parametrize("kind", ["full", "no_mcs", "core", "minimal"])
def test_neither_a_witness_nor_the_solver_s_option_is_told(kind: str) -> None:
    one = claim_signal(kind, mixed(), CONTEXT)  # type: ignore[arg-type]
    other = claim_signal(kind, replace(mixed(), proved="C", supported="B", option="D"), CONTEXT)  # type: ignore[arg-type]
    assert one == other
    assert "Secret" not in "\n".join(signal_lines(one, ""))


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (check(), "no_claims"),
        (check("possible"), "weak"),
        (check("contradictory"), "refuted"),
        (check("possible", "possible", joint=JointRecord("conflict", ("C1", "C2"))), "clash"),
        (check("inconsistent_context"), "context"),
        (check("supported", joint=JointRecord("inconsistent_context")), "context"),
    ],
)
def test_the_status_is_the_worst_that_was_found(found: CheckRecord, status: str) -> None:
    assert claim_signal("core", found, CONTEXT).status == status


def test_premises_that_clash_are_quoted() -> None:
    context = replace(CONTEXT, status="inconsistent", conflict=("P1", "U2.1"))
    signal = claim_signal("full", check("inconsistent_context"), context)
    assert signal.clash == ("Rex is a dog", "Dogs bark (the user said this)")


def test_every_verdict_that_may_be_mended_has_words() -> None:
    settled = {"entailed", "contradictory", "inconsistent_context", "supported"}
    assert set(VERDICTS) == {*ClaimVerdict, *SoftVerdict} - settled


async def test_a_method_gives_its_kind_of_feedback() -> None:
    model = scripted([said("A", "Rex is a dog", "Rex does not bark"), said("B", "Rex barks")])
    await play(light("verge", feedback="minimal"), model)
    prompt = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert "did not pass" in prompt and "contradicted" not in prompt
