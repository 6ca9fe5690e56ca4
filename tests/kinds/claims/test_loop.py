"""The published loop: what is given, when it stops, and what it costs."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.kinds.claims.loop import play_claims
from holdtrue.kinds.claims.turn import ClaimPlayed, ClaimTurn
from holdtrue.language.asking import Asking
from holdtrue.record import AnswerStatus, TurnOutcome
from tests.kinds.claims.world import light, play, said, scripted

GOOD = said("B", "Rex is a dog", "All dogs bark", "Rex barks")
WRONG = said("A", "Rex is a dog", "Rex does not bark")
CLASH = said("B", "Tom does not sleep", "Rex does not sleep", "Rex barks")
EMPTY = said("", "")
PROBLEM = '{"problems":["Rex barks."]}'
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
    played = await play(light("verge_t10"), scripted([REPLIES["weak"]] * 10))
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


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("verge", ["answer", "repair"]),
        ("self_refine", ["answer", "refine"]),
        ("logic_lm", ["program", "refine", "fallback"]),
        ("linc", ["program", "program"]),
    ],
)
async def test_no_further_answer_is_begun_beyond_the_tokens_of_a_turn(name: str, kinds: list[str]) -> None:
    async def played(most: int | None) -> ClaimPlayed:
        model = scripted(lambda request: PROBLEM if request.purpose == "critique" else WRONG)
        return await play(replace(light(name), rounds=2, samples=2, converge=None, turn_tokens=most), model)

    free = await played(None)
    assert answers(free)[: len(kinds)] == kinds
    first = sum(call.usage.tokens for call in free.attempts[0].calls)
    assert len(answers(await played(first))) < len(answers(free))
    assert answers(await played(first + 1))[:2] == kinds[:2]
    assert answers(await played(1))[0] == kinds[0], "the first one is always asked for"
