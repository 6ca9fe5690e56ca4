"""Controls of searches, which ask no model."""

from __future__ import annotations

import asyncio

import pytest

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.kinds.search.record import (
    CandidateOutcome,
    SearchAttempt,
    SearchRecord,
    candidate_outcome,
    search_outcome,
)
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from tests.kinds.search.searches import IMPOSSIBLE, SOLVABLE, search

FIRST, SECOND = Variable("x", IntSort(2, 4)), Variable("y", IntSort(-3, 0))


def small(rhs: int) -> SearchProblem:
    """Twelve assignments, of which those with this sum are solutions."""
    wanted = (Requirement("c1", f"x + y = {rhs}", (FIRST + SECOND).eq(rhs)),)
    return SearchProblem("small", "cegvr", "linear", (FIRST, SECOND), wanted, "sat", "easy")


def trials(about: SearchProblem, method: str, number: int, seed: int = 42) -> list[SearchRecord]:
    session = SearchSession(about, model=ScriptModel([]), method=method, sampling=Sampling(seed=seed))

    async def play() -> list[SearchRecord]:
        return [await session.turn() for _ in range(number)]

    return asyncio.run(play())


def answers(attempts: tuple[SearchAttempt, ...]) -> list[object]:
    return [attempt.answer for attempt in attempts]


@pytest.mark.parametrize(
    ("about", "outcome"),
    [(SOLVABLE, CandidateOutcome.FALSE_UNSAT_CLAIM), (IMPOSSIBLE, CandidateOutcome.CERTIFIED_UNSAT)],
)
def test_giving_up_is_right_where_there_is_nothing(about: SearchProblem, outcome: CandidateOutcome) -> None:
    record = search("always_unsat", [], about=about).record
    assert [candidate_outcome(attempt) for attempt in record.attempts] == [outcome]
    assert record.usage.calls == 0


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


def test_luck_stops_at_the_first_that_holds() -> None:
    for record in trials(small(2), "random_in_domain", 20):
        outcomes = [candidate_outcome(attempt) for attempt in record.attempts]
        assert CandidateOutcome.CERTIFIED_SAT not in outcomes[:-1]
        assert (outcomes[-1] is CandidateOutcome.CERTIFIED_SAT) == (record.delivered is not None)


def test_luck_finds_every_value_and_none_outside() -> None:
    drawn = [attempt.answer for record in trials(small(9), "random_in_domain", 20) for attempt in record.attempts]
    assert len(drawn) == 320
    assert {(answer["x"], answer["y"]) for answer in drawn if answer} == {
        (x, y) for x in (2, 3, 4) for y in (-3, -2, -1, 0)
    }


def test_luck_depends_on_the_seed_and_the_trial() -> None:
    first, second = (answers(record.attempts) for record in trials(small(9), "random_in_domain", 2))
    assert first != second
    assert [answers(r.attempts) for r in trials(small(9), "random_in_domain", 2)] == [first, second]
    assert answers(trials(small(9), "random_in_domain", 1, seed=43)[0].attempts) != first
