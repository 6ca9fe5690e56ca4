"""The published baselines: what is given, when they stop, and what they cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from holdtrue.models.chat import Request
from holdtrue.record import AnswerStatus, TurnOutcome
from holdtrue_claims.kind.answering import ClaimPlayed
from holdtrue_lab.kinds.claims.method import METHODS
from tests.claims.kind.test_loop import WRONG, answers
from tests.claims.kind.world import play, said, scripted
from tests.lab.kinds.claims.baselines.lightened import light

PROBLEM = '{"problems":["Rex barks."]}'


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


BASELINES = ("direct", "cot", "self_consistency", "self_refine", "tree_of_thought")
PROGRAMS = ("logic_lm", "linc", "proof_of_thought", "dsb")
CHECKING = {"decompose", "formalize", "correct", "retell", "judge", "bridge"}
BUDGETS = {"direct": 1, "cot": 1, "self_consistency": 3, "self_refine": 6, "tree_of_thought": 40}


def ever_critical(request: Request, thoughts: Iterator[int]) -> str:
    """Finds something in every answer, and never thinks the same twice."""
    replies = {
        "critique": '{"ok": false, "problems": ["The second step does not follow."]}',
        "thought": json.dumps({"thought": f"Thought {next(thoughts)} is a step."}),
        "rate": '{"rating": 5}',
    }
    return replies.get(request.purpose) or said("B", "Rex barks")


@pytest.mark.parametrize("name", BASELINES)
async def test_calls_stay_within_the_budget(name: str) -> None:
    model = scripted(_answers())
    played = await play(light(name), model)
    own = [call.purpose for attempt in played.attempts for call in attempt.calls]
    assert len(own) <= BUDGETS[name]
    if name != "self_refine":  # a critique of the last answer would change nothing
        assert len(own) == BUDGETS[name]
    else:
        assert own == ["answer", "critique", "answer", "critique", "answer"]
    assert not CHECKING & set(own)
    measured = Counter(call.purpose for call in played.measuring)
    assert set(measured) <= CHECKING and measured["decompose"] == 1, "only the last answer is checked"
    assert len(own) + len(played.measuring) == len(model.requests)


def _answers() -> Callable[[Request], str]:
    thoughts = iter(range(1000))
    return lambda request: ever_critical(request, thoughts)


@pytest.mark.parametrize("name", BASELINES)
async def test_nothing_is_checked_where_nothing_is_measured(name: str) -> None:
    model = scripted(_answers())
    played = await play(light(name), model, measured=False)
    assert not CHECKING & {request.purpose for request in model.requests}
    assert played.attempts[-1].check is None
    assert played.attempts[-1].verdict.outcome is TurnOutcome.UNDECIDED
    assert played.attempts[-1].verdict.reason == "the answer was not checked"


@pytest.mark.parametrize(("options", "given"), [("ABB", "B"), ("ABC", "A"), ("xAA", "A"), ("xxC", "C"), ("CAC", "C")])
async def test_the_option_given_most_often_wins(options: str, given: str) -> None:
    played = await play(light("self_consistency"), scripted([said(option) for option in options]))
    assert [attempt.kind for attempt in played.attempts] == ["sample"] * 3 + ["vote"]
    assert played.attempts[-1].answer == {"option": given}
    assert not played.attempts[-1].calls


async def test_without_any_option_the_first_sample_is_given() -> None:
    played = await play(light("self_consistency"), scripted(["First.", "Second.", "Third.", "", ""]), options={})
    assert played.delivered == "First."


@pytest.mark.parametrize("name", ["restate_premises", "solver_only"])
async def test_controls_ask_the_model_for_no_answer(name: str) -> None:
    model = scripted([])
    played = await play(light(name), model)
    assert {request.purpose for request in model.requests} <= CHECKING
    assert not played.attempts[-1].calls
    assert played.attempts[-1].answer == {"option": "A" if name == "restate_premises" else "B"}


async def test_the_solver_alone_gives_what_the_premises_prove() -> None:
    played = await play(light("solver_only"), scripted([]))
    assert played.delivered == "Rex barks"
    assert played.attempts[-1].verdict.answer is AnswerStatus.RESPECTING
    open_options = {"A": "Tom sleeps", "B": "Rex sleeps"}
    played = await play(light("solver_only"), scripted([]), options=open_options)
    assert played.attempts[-1].answer is None and played.attempts[-1].verdict.answer is AnswerStatus.UNPARSED


async def test_repeating_the_premises_is_supported_and_restated() -> None:
    played = await play(light("restate_premises"), scripted([]), options={"A": "Rex barks"})
    check = played.attempts[-1].check
    assert check is not None and check.accepted
    assert sum(claim.restated for claim in check.claims) == 5


def test_every_preset_is_one_of_these_or_verifies() -> None:
    others = {name for name, method in METHODS.items() if method.answerer == "model" and not method.verifies}
    assert others == {*BASELINES, *PROGRAMS}
    assert {name for name in others if METHODS[name].writes_programs} == set(PROGRAMS)
