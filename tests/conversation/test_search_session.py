from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.solving.certificate import Certificate, WitnessCertificate
from tests.kinds.search.searches import IMPOSSIBLE, SOLVABLE, SOLVED, WRONG, said
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


def test_what_has_no_solution_is_proved_on_request_also_before_any_trial() -> None:
    found = SearchSession(IMPOSSIBLE, model=ScriptModel([])).certificate()
    assert isinstance(found, Certificate)
    assert found.proof
    assert isinstance(SearchSession(SOLVABLE, model=ScriptModel([])).certificate(), WitnessCertificate)


def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(SettingsError, match="one_shot"):
        SearchSession(SOLVABLE, model=ScriptModel([]), method="nonsense")
    for limits in (SearchBudget(k=0), SearchBudget(k=-2, rounds=-2), SearchBudget(k=40, rounds=40)):
        with pytest.raises(SettingsError, match=f"k times rounds at most 1000, got {limits.k} times {limits.rounds}"):
            SearchSession(SOLVABLE, model=ScriptModel([]), limits=limits)


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
