from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.errors import ModelError, SettingsError
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.record import CandidateOutcome, search_outcome
from holdtrue.models.chat import Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.solving.certificate import Certificate, WitnessCertificate
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.journal import decode, encode
from tests.kinds.search.searches import CLAIM, IMPOSSIBLE, SOLVABLE, SOLVED, WRONG, said
from tests.recorder import Recorder


def test_defaults_are_those_of_the_study() -> None:
    session = SearchSession(SOLVABLE, model=ScriptModel([]))
    assert session.method == SEARCH_PRESETS["cd_vgs"]
    assert session.limits == SearchBudget(k=4, rounds=4)
    assert session.sampling == Sampling(temperature=0.2, max_tokens=256)
    assert session.budget == Budget(timeout_s=1.5)


def test_trials_are_counted_and_know_nothing_of_each_other() -> None:
    model = Recorder(lambda request: said(WRONG))
    session = SearchSession(SOLVABLE, model=model, limits=SearchBudget(k=2, rounds=2), sampling=Sampling(seed=5))
    first, second = session.ask(), session.ask()
    session.close()
    assert (first.turn, second.turn) == (1, 2)
    prompts = model.prompts
    assert prompts[:4] == prompts[4:], "the second trial begins as the first did"
    assert [request.seed for request in model.requests] == [5] * 4 + [1005] * 4
    assert [request.sample for request in model.requests] == [0, 1, 2, 3] * 2
    assert first.solver_calls == second.solver_calls > 0
    assert first.elapsed_s > 0


def test_a_failing_model_leaves_the_session_as_it_was() -> None:
    model = ScriptModel([said(WRONG), said(WRONG), said(SOLVED)])
    session = SearchSession(SOLVABLE, model=model, limits=SearchBudget(k=3, rounds=1))
    assert asyncio.run(session.turn()).turn == 1
    engine = session.engine
    for _ in range(2):
        with pytest.raises(ModelError):
            asyncio.run(session.turn())
    assert session.engine == engine
    recovered: list[Request] = []

    def reply(request: Request) -> str:
        recovered.append(request)
        return said(SOLVED)

    session.model = ScriptModel(reply)
    assert asyncio.run(session.turn()).turn == 2
    assert recovered[0].seed == Sampling().seed + 1000


def test_a_record_survives_the_journal() -> None:
    session = SearchSession(SOLVABLE, model=ScriptModel([said(WRONG), CLAIM, said(WRONG, a=500), said(SOLVED)]))
    record = asyncio.run(session.turn())
    assert search_outcome(record) is CandidateOutcome.CERTIFIED_SAT
    entry = SearchEntry("cegvr", "four", "linear", "cd_vgs", 1, 1, record, None)
    assert decode(encode(entry)) == entry


def test_the_engine_is_told_after_a_trial() -> None:
    session = SearchSession(IMPOSSIBLE, model=ScriptModel([CLAIM]))
    assert session.engine == ""
    asyncio.run(session.turn())
    assert session.engine.startswith("sat: 4 variables")


def test_what_has_no_solution_is_proved_on_request_also_before_any_trial() -> None:
    found = SearchSession(IMPOSSIBLE, model=ScriptModel([])).certificate()
    assert isinstance(found, Certificate)
    assert found.proof
    assert isinstance(SearchSession(SOLVABLE, model=ScriptModel([])).certificate(), WitnessCertificate)


def test_a_problem_of_ones_own_needs_no_gold() -> None:
    own = SearchProblem.of(SOLVABLE.variables, SOLVABLE.constraints, setting=["Two sums."])
    assert (own.gold, own.difficulty) == (None, None)
    with SearchSession(own, model=ScriptModel([said(SOLVED)])) as session:
        record = session.ask()
    assert record.user_message.startswith("Two sums.\n")
    assert record.final.answer == SOLVED


def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(SettingsError, match="one_shot"):
        SearchSession(SOLVABLE, model=ScriptModel([]), method="nonsense")
    for limits in (SearchBudget(k=0), SearchBudget(k=-2, rounds=-2), SearchBudget(k=40, rounds=40)):
        with pytest.raises(SettingsError, match=f"k times rounds at most 1000, got {limits.k} times {limits.rounds}"):
            SearchSession(SOLVABLE, model=ScriptModel([]), limits=limits)


def test_the_synchronous_face_is_the_same() -> None:
    with SearchSession(SOLVABLE, model=ScriptModel([said(SOLVED)])) as session:
        assert session.ask().final.answer == SOLVED


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (SearchBudget(k="4"), "k must be a whole number, not '4'"),  # type: ignore[arg-type]
        (SearchBudget(tokens=0), "tokens .* must be a whole number of at least 1, not 0"),
        (SearchBudget(seconds=float("nan")), "seconds .* must be a number of at least 0, not nan"),
    ],
)
def test_limits_are_numbers(limits: SearchBudget, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        SearchSession(SOLVABLE, model=ScriptModel([]), limits=limits)


@given(st.integers(0, 3))
def test_an_explanation_counts_the_candidates_that_failed_before(failed: int) -> None:
    model = ScriptModel([said(WRONG)] * failed + [said(SOLVED)])
    with SearchSession(
        SOLVABLE, model=model, method="multi_generic_feedback", limits=SearchBudget(k=1, rounds=4)
    ) as session:
        told = session.explain(session.ask())
    counted = "One candidate" if failed == 1 else f"{failed} candidates"
    counted += f" failed before this one; {'it' if failed == 1 else 'the first'}"
    assert told[0] == "Every constraint holds."
    assert [line.split(" broke ")[0] for line in told[1:]] == ([counted] if failed else [])


def test_where_nothing_is_delivered_no_candidate_is_called_the_one_before() -> None:
    with SearchSession(SOLVABLE, model=ScriptModel([said(WRONG)] * 2), limits=SearchBudget(k=1, rounds=2)) as session:
        assert not any("failed before this one" in line for line in session.explain(session.ask()))
