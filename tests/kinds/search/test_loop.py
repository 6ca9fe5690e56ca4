"""Search methods, played through a session with a scripted model, keep to their limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.kinds.search.prompts import ASKED, CONFLICT, CORE, FAILED, GIVEN, KEEP, KEPT, REFUTED, REVISE, VIOLATED
from holdtrue.kinds.search.record import (
    CandidateOutcome,
    SearchAttempt,
    SearchRecord,
    candidate_outcome,
    search_outcome,
)
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.chat import Reply, Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, ReplyKind, Satisfiability
from tests.kinds.search.searches import (
    ASKING,
    CLAIM,
    IMPOSSIBLE,
    METHODS,
    SOLVABLE,
    SOLVED,
    WRONG,
    Search,
    costing,
    said,
    search,
)
from tests.lab.suites.cegvr.test_worked_example import FIRST, FORMULAS, SECOND, VARIABLES
from tests.recorder import Recorder

SMALL = SearchBudget(k=2, rounds=3)
WORSE = {"a": 1, "b": 2, "c": 3, "d": 4}


def outcomes(played: Search) -> list[CandidateOutcome]:
    return [candidate_outcome(attempt) for attempt in played.record.attempts]


def mends(played: Search) -> list[int | None]:
    return [attempt.step.mends for attempt in played.record.attempts if attempt.step is not None]


@pytest.mark.parametrize("name", ASKING)
def test_a_solution_at_once_is_delivered_at_once(name: str) -> None:
    played = search(name, [said(SOLVED)])
    record = played.record
    assert outcomes(played) == [CandidateOutcome.CERTIFIED_SAT]
    assert json.loads(record.delivered or "") == {"status": "sat", "assignment": SOLVED}
    assert (record.final.answer, record.final.kind, record.usage.calls) == (SOLVED, "candidate", 1)
    assert (record.solver_calls, record.detail.exhausted, record.variant) == (0, None, "2x2")
    assert record.user_message.split("\n")[:3] == ["A riddle.", "a, b, c, d: integers from 0 to 199", "c1: a + b = 288"]


@pytest.mark.parametrize("name", [name for name in ASKING if name != "one_shot"])
def test_a_search_stops_within_a_round(name: str) -> None:
    played = search(name, [said(WRONG), said(WORSE), said(SOLVED), said(WRONG)], limits=SMALL)
    assert outcomes(played) == [CandidateOutcome.FAILED_CERTIFICATION] * 2 + [CandidateOutcome.CERTIFIED_SAT]
    assert [attempt.step.round for attempt in played.record.attempts if attempt.step] == [1, 1, 2]
    assert len(played.model.requests) == 3
    assert search_outcome(played.record) is CandidateOutcome.CERTIFIED_SAT


@pytest.mark.parametrize("name", ASKING)
def test_a_proved_claim_is_delivered_with_the_reason(name: str) -> None:
    record = search(name, [CLAIM], about=IMPOSSIBLE).record
    assert record.delivered == CLAIM
    assert (record.final.answer, record.final.verdict.mus) == ({}, ("c1", "c2"))
    assert record.final.verdict.basis is Satisfiability.UNSAT
    assert record.solver_calls > 0


def test_without_feedback_all_prompts_are_the_same() -> None:
    played = search("multi_no_feedback", [said(WRONG), CLAIM, "what?"], limits=SMALL)
    assert len(set(played.model.prompts)) == 1
    assert len(played.model.requests) == 6
    assert mends(played) == [None] * 6


def test_generic_feedback_tells_the_last_failure_of_the_round_before_and_no_more_than_how() -> None:
    played = search(
        "multi_generic_feedback", [said(WORSE), said(WRONG), said(WORSE, a=-3), CLAIM, "what?"], limits=SMALL
    )
    assert mends(played) == [None, None, 2, 2, 4, 4]
    assert FAILED not in played.prompts[1]
    assert f"{GIVEN}{json.dumps(WRONG)}\nIt does not satisfy all constraints.\n\nAnswer" in played.prompts[2]
    assert f"{FAILED}\nYou said that no values satisfy all constraints. This claim is wrong.\n\n" in played.prompts[4]
    assert outcomes(played)[2] is CandidateOutcome.REJECTED_DOMAIN
    assert all(attempt.step and attempt.step.conflict == () for attempt in played.record.attempts)


def test_core_feedback_quotes_the_core_of_the_last_failure() -> None:
    played = search("multi_unsat_core_feedback", [said(WORSE), said(WRONG)])
    first, last = played.record.attempts[:2]
    assert last.step and first.step and first.step.conflict == ()
    assert last.step.conflict and set(last.step.conflict) <= set(SOLVABLE.formulas)
    texts = {constraint.id: constraint.text for constraint in SOLVABLE.constraints}
    quoted = "\n".join(f"- {id}: {texts[id]}" for id in last.step.conflict)
    assert f"{CORE}\n{quoted}\n\n" in played.prompts[2]
    assert (REVISE in played.prompts[2], KEEP in played.prompts[2]) == (False, False)


def test_ranked_feedback_goes_on_from_the_best_of_the_round() -> None:
    played = search("cd_vgs_core_rank", ["what?", said(WRONG), said(WORSE), CLAIM], limits=SearchBudget(k=4, rounds=2))
    assert mends(played) == [None] * 4 + [2] * 4
    step = played.record.attempts[1].step
    assert step is not None
    kept = [f"{name} = {value}" for name, value in WRONG.items() if name not in step.revise]
    assert f"{REVISE}{', '.join(step.revise)}\n{KEEP}{', '.join(kept)}" in played.prompts[4]
    assert all(attempt.step and attempt.step.asked == () for attempt in played.record.attempts)


def test_conflict_feedback_asks_for_what_cannot_stay() -> None:
    played = search("cd_vgs", [said(WRONG), said(WRONG), said({"a": 137, "b": 151})])
    prompt, attempts = played.prompts[2], played.record.attempts
    assert [attempt.step.repeated for attempt in attempts if attempt.step] == [False, True, False]
    assert attempts[1].verdict == attempts[0].verdict
    assert attempts[2].step and attempts[2].step.asked == ("a", "b")
    assert attempts[2].answer == {**WRONG, "a": 137, "b": 151}, "what was kept is part of the candidate"
    assert json.loads(played.record.delivered or "")["assignment"] == attempts[2].answer
    assert f"{VIOLATED}\n- c1: a + b = 288\n- c2: b - a = 14\n{CONFLICT}\n- c1: a + b = 288\n{REVISE}a, b\n" in prompt
    assert f"{KEPT}c = 190, d = 190.\n{ASKED}a, b\n" in prompt
    assert REFUTED not in prompt, "the answer that the prompt is about stands there already"
    schema = played.model.requests[2].schema
    assert schema is not None and list(schema["anyOf"][0]["properties"]["assignment"]["properties"]) == ["a", "b"]


def test_a_part_of_what_is_asked_for_is_incomplete() -> None:
    played = search("cd_vgs", [said(WRONG), said(WRONG), said({"a": 137})])
    last = played.record.attempts[2]
    assert (last.verdict.answer, last.verdict.missing) == (AnswerStatus.INCOMPLETE, ("b",))
    assert last.answer == {"a": 137, "c": 190, "d": 190}


def test_an_assignment_of_nothing_is_no_claim() -> None:
    record = search("one_shot", [said({})], about=IMPOSSIBLE).record
    assert (record.final.answer, record.delivered) == (None, None)
    assert candidate_outcome(record.final) is CandidateOutcome.FAILED_SCHEMA


@pytest.mark.parametrize(("k", "shares"), [(1, (1, 0)), (2, (1, 1)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2))])
def test_calls_are_shared_between_the_best_two_failures(k: int, shares: tuple[int, int]) -> None:
    wrong = [said(WORSE, a=number) if number else said(WRONG) for number in range(k)]
    played = search("cd_vgs", [*wrong[1:], wrong[0]], limits=SearchBudget(k=k, rounds=2))
    of_second_round = mends(played)[k:]
    assert of_second_round.count(k) == shares[0], "the last one breaks fewest"
    assert len(of_second_round) - of_second_round.count(k) == shares[1]


def test_what_was_refuted_is_remembered_latest_first() -> None:
    played = search("cd_vgs", lambda request: said(WORSE, a=request.sample // 2), limits=SearchBudget(k=4, rounds=7))
    assert [attempt.step.repeated for attempt in played.record.attempts if attempt.step] == [False, True] * 14
    last = played.prompts[-1]
    listed = [json.loads(line[2:]) for line in last[last.index(REFUTED) :].split("\n\n")[0].splitlines()[1:]]
    source = json.loads(last.split(GIVEN)[1].splitlines()[0])
    given = [{**WORSE, "a": number} for number in range(12)]
    assert listed == [values for values in reversed(given) if values != source][:8]


def test_a_repeated_claim_is_not_checked_again() -> None:
    played = search("cd_vgs", [CLAIM])
    assert [attempt.step.repeated for attempt in played.record.attempts if attempt.step] == [False, True, True, True]
    assert outcomes(played) == [CandidateOutcome.FALSE_UNSAT_CLAIM] * 4
    assert played.record.solver_calls == search("one_shot", [CLAIM]).record.solver_calls


@pytest.mark.parametrize("name", [name for name in ASKING if name != "one_shot"])
def test_a_claim_that_nobody_could_decide_is_told_to_nobody(name: str) -> None:
    played = search(name, [CLAIM], budget=Budget(timeout_s=0.0))
    assert outcomes(played) == [CandidateOutcome.VERIFIER_UNKNOWN] * 4
    assert len(set(played.model.prompts)) == 1


@pytest.mark.parametrize("name", ASKING)
def test_the_last_round_is_not_looked_into(name: str) -> None:
    """Conflicts cost solver calls, and after the last round no prompt would report them."""
    record = search(name, [said(WRONG)], limits=SearchBudget(k=2, rounds=1)).record
    assert record.solver_calls == 0


def test_a_search_that_runs_out_of_tokens_says_so() -> None:
    played = search("cd_vgs", [costing(said(WRONG), 60)], limits=SearchBudget(k=2, rounds=2, tokens=100))
    assert (len(played.record.attempts), played.record.detail.exhausted) == (2, "tokens")
    assert search_outcome(played.record) is CandidateOutcome.BUDGET_EXCEEDED
    solved = search("cd_vgs", [costing(said(SOLVED), 100)], limits=SearchBudget(k=2, rounds=2, tokens=100))
    assert (solved.record.detail.exhausted, search_outcome(solved.record)) == (None, CandidateOutcome.CERTIFIED_SAT)


def test_the_published_example_of_two_rounds() -> None:
    example = SearchProblem.of(VARIABLES, [Requirement(id, str(formula), formula) for id, formula in FORMULAS.items()])
    limits = SearchBudget(k=1, rounds=2)
    played = search("cd_vgs_core_rank", [said(FIRST), said(SECOND)], about=example, limits=limits)
    step = played.record.attempts[0].step
    assert step is not None and (step.conflict, step.revise) == (("c2",), ("x1", "x2"))
    assert f"- c2: {FORMULAS['c2']}\n{REVISE}x1, x2\n{KEEP}x3 = 3, x4 = 7\n" in played.prompts[1]
    assert outcomes(played)[1] is CandidateOutcome.REJECTED_DOMAIN, "published as certified"
    assert played.record.final.verdict.background == ("x1 = 14 is outside 0..9",)
    claimed = search("cd_vgs", [said(FIRST), CLAIM], about=example, limits=limits)
    assert (claimed.record.delivered, claimed.record.final.verdict.mus) == (CLAIM, ("c2",))
    assert ASKED not in claimed.prompts[1]


def test_refuted_candidates_of_many_variables_are_fewer() -> None:
    """A prompt must fit into the model's context."""
    names = [f"v{place}" for place in range(60)]
    wide = [Variable(name, IntSort(0, 9)) for name in names]
    about = SearchProblem(
        "wide", "cegvr", "linear", tuple(wide), (Requirement("c1", "x", wide[0] >= 8),), "sat", "easy"
    )
    replies = [said({**dict.fromkeys(names, 1), "v1": number}) for number in range(9)]
    played = search("cd_vgs", replies, about=about, limits=SearchBudget(k=8, rounds=2))
    prompt = played.prompts[-1]
    assert len(prompt[prompt.index(REFUTED) :].split("\n\n")[0].splitlines()[1:]) == 3


X, Y = Variable("x", IntSort(2, 4)), Variable("y", IntSort(-3, 0))


def small(rhs: int) -> SearchProblem:
    """Twelve assignments. Those with this sum are solutions."""
    wanted = (Requirement("c1", f"x + y = {rhs}", (X + Y).eq(rhs)),)
    return SearchProblem("small", "cegvr", "linear", (X, Y), wanted, "sat", "easy")


def trials(about: SearchProblem, method: str, number: int) -> list[SearchRecord]:
    session = SearchSession(about, model=ScriptModel([]), method=method, sampling=Sampling(seed=42))

    async def play() -> list[SearchRecord]:
        return [await session.turn() for _ in range(number)]

    return asyncio.run(play())


def answers(attempts: tuple[SearchAttempt, ...]) -> list[object]:
    return [attempt.answer for attempt in attempts]


@pytest.mark.parametrize(
    ("about", "outcome"),
    [(SOLVABLE, CandidateOutcome.CERTIFIED_SAT), (IMPOSSIBLE, CandidateOutcome.CERTIFIED_UNSAT)],
)
def test_the_solver_alone_is_always_right(about: SearchProblem, outcome: CandidateOutcome) -> None:
    record = search("solver_only", [], about=about).record
    assert search_outcome(record) is outcome
    assert (len(record.attempts), record.usage.calls) == (1, 0)
    assert record.solver_calls > 0


def test_a_solver_without_time_certifies_nothing() -> None:
    record = search("solver_only", [], budget=Budget(timeout_s=0.0)).record
    assert (search_outcome(record), record.delivered) == (CandidateOutcome.VERIFIER_UNKNOWN, None)


def test_luck_draws_as_often_as_a_model_is_asked() -> None:
    record = search("random_in_domain", [], limits=SearchBudget(k=3, rounds=4)).record
    assert len(record.attempts) == 12
    assert [attempt.step.round for attempt in record.attempts if attempt.step] == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    assert {candidate_outcome(attempt) for attempt in record.attempts} == {CandidateOutcome.FAILED_CERTIFICATION}
    assert len({str(answer) for answer in answers(record.attempts)}) > 1
    assert (record.solver_calls, record.detail.exhausted) == (0, None)


def test_luck_finds_every_value_and_none_outside() -> None:
    drawn = [attempt.answer for record in trials(small(9), "random_in_domain", 20) for attempt in record.attempts]
    assert len(drawn) == 320
    assert {(answer["x"], answer["y"]) for answer in drawn if answer} == {
        (x, y) for x in (2, 3, 4) for y in (-3, -2, -1, 0)
    }


TALK = "so " * 300


def _obedient(request: Request) -> Reply:
    """Talks as long as it may."""
    return Reply(TALK, costing("", request.max_tokens, 0.7).usage, ReplyKind.CUT)


MODELS: dict[str, Callable[[Request], Reply]] = {
    "long": _obedient,
    "longer than it may": lambda request: costing(TALK, 10_000, 30.0),
    "wrong": lambda request: costing(said(WRONG, a=request.sample), min(25, request.max_tokens), 1.0),
    "always the same": lambda request: costing(said(WRONG), min(25, request.max_tokens), 1.0),
    "claims": lambda request: costing(CLAIM, min(7, request.max_tokens), 0.1),
    "free": lambda request: costing("what?", 0, 0.0),
}
LIMITS = {
    "calls": SearchBudget(k=4, rounds=4),
    "tokens": SearchBudget(k=4, rounds=4, tokens=330),
    "few tokens": SearchBudget(k=3, rounds=2, tokens=1),
    "seconds": SearchBudget(k=4, rounds=4, seconds=2.5),
    "both": SearchBudget(k=2, rounds=3, tokens=100, seconds=3.0),
    "one call": SearchBudget(k=1, rounds=1, tokens=100, seconds=3.0),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", METHODS)
def test_no_method_exceeds_its_limits(name: str, model: str, limit: str) -> None:
    limits = LIMITS[limit]
    record = (played := search(name, MODELS[model], limits=limits)).record
    costs = [call.usage for attempt in record.attempts for call in attempt.calls]
    assert len(costs) == len(played.model.requests) <= (1 if METHODS[name].single else limits.calls)
    if METHODS[name].answerer != "model":
        assert costs == []
        return
    for place, (request, _) in enumerate(zip(played.model.requests, costs, strict=True)):
        spent = sum(usage.completion_tokens for usage in costs[:place])
        assert limits.tokens is None or 1 <= request.max_tokens <= limits.tokens - spent
        assert limits.seconds is None or sum(usage.latency_s for usage in costs[:place]) < limits.seconds
    if model != "longer than it may":
        assert limits.tokens is None or record.usage.completion_tokens <= limits.tokens
    calls = 1 if METHODS[name].single else limits.calls
    assert (record.detail.exhausted is None) == (len(costs) == calls), "a search ends early for a limit, and never else"
    if record.detail.exhausted is not None:
        assert search_outcome(record) is CandidateOutcome.BUDGET_EXCEEDED


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.answerer == "model"])
def test_no_two_calls_are_the_same_draw(name: str) -> None:
    model = Recorder(lambda request: said(WRONG))
    session = SearchSession(SOLVABLE, model=model, method=METHODS[name], sampling=Sampling(seed=7))

    async def play() -> None:
        for _ in range(3):
            await session.turn()

    asyncio.run(play())
    draws = [(request.seed, request.sample) for request in model.requests]
    calls = len(model.requests) // 3
    assert draws == [(7 + 1000 * trial, number) for trial in range(3) for number in range(calls)]
    assert len({seed + sample for seed, sample in draws}) == len(draws)
    assert len({request.key("m") for request in model.requests}) == len(draws)
