"""Runs of searches are interrupted and taken up again like any others, and every arm keeps to the limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.budget import SearchBudget
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import FAILED
from holdtrue.kinds.search.record import CandidateOutcome, search_outcome
from holdtrue.models.chat import Request
from holdtrue.models.sampling import Sampling
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.simulation import SimulatedSearcher
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.runner import Standing, run
from tests.lab.kinds.search.problems import IMPOSSIBLE, SAT, SOLVABLE, UNSAT, plan_searches, problem
from tests.lab.kit.runs import Wrapped

MODEL = "sim/search:p=0.1,core=0.2,conflict=0.2,claim=0.2,outside=0.1,malformed=0.2@4"
NEVER = "sim/search:p=0,claim=0.2,outside=0.1,malformed=0.2@4"
CONTROLS = {"always_unsat", "random_in_domain", "solver_only"}
SEARCHES = [SOLVABLE, IMPOSSIBLE, problem("q-sat", SAT[:3], "hard"), problem("q-unsat", UNSAT[:3], "hard")]


def make(**more: Any) -> Plan:
    """All arms and controls, two trials each."""
    given = {"methods": list(SEARCH_PRESETS), "model": MODEL, "max_connections": 4, "seeds": 2, **more}
    given.setdefault("limits", SearchBudget(k=2, rounds=2))
    return plan_searches(SEARCHES, given.pop("methods"), given.pop("model"), **given)


def model(plan: Plan, before: Callable[[Request], None] | None = None, delay_s: float = 0.0) -> Wrapped:
    problems = [one for one in plan.problems if isinstance(one, SearchProblem)]
    return Wrapped(before, delay_s, SimulatedSearcher(plan.settings.model, problems))


def played(folder: Path) -> list[SearchEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, SearchEntry)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    folder, plan = tmp_path_factory.mktemp("whole"), make()
    standing = asyncio.run(run(plan, model(plan), folder))
    assert (standing.turns, standing.failures) == (plan.turns, [])
    assert plan.turns == len(SEARCHES) * len(SEARCH_PRESETS) * 2
    return folder


def test_each_trial_counts_once_and_what_is_right_is_counted(whole: Path) -> None:
    seen: list[Standing] = []
    plan = make()
    asyncio.run(run(plan, model(plan), whole, progress=seen.append))
    scores = [entry.score for entry in played(whole) if entry.score is not None]
    standing = seen[-1]
    assert (standing.scored, standing.correct) == (plan.turns, sum(score.correct for score in scores))
    assert 0 < standing.correct < standing.scored


def test_the_problem_is_told_in_the_first_trial_alone(whole: Path) -> None:
    for entry in played(whole):
        assert entry.problem_lines == (tuple(entry.record.user_message.split("\n")) if entry.turn == 1 else ())
        assert entry.record.turn == entry.turn
    first = next(entry for entry in played(whole) if entry.problem == "p-sat" and entry.turn == 1)
    assert first.problem_lines == (
        "x1, x2, x3, x4: integers from 0 to 5",
        *(f"c{place}: {formula}" for place, formula in enumerate(SAT, start=1)),
    )


def test_controls_never_ask_and_the_others_always_do(whole: Path) -> None:
    for entry in played(whole):
        assert (entry.record.usage.calls == 0) is (entry.method in CONTROLS)


def test_scores_agree_with_what_searches_came_to(whole: Path) -> None:
    for entry in played(whole):
        assert entry.score is not None
        outcome = search_outcome(entry.record)
        right = {"sat": CandidateOutcome.CERTIFIED_SAT, "unsat": CandidateOutcome.CERTIFIED_UNSAT}[entry.score.gold]
        assert entry.score.correct is (outcome is right)
        assert entry.score.verified_at == (len(entry.record.attempts) if entry.score.correct else None)
    correct = {name: [] for name in SEARCH_PRESETS}  # type: dict[str, list[bool]]
    for entry in played(whole):
        correct[entry.method].append(entry.score is not None and entry.score.correct)
    assert all(correct["solver_only"])
    assert sum(correct["always_unsat"]) * 2 == len(correct["always_unsat"])


def test_no_arm_spends_more_than_another(tmp_path: Path) -> None:
    """With a model that never succeeds, each arm spends all of its calls, and no more; its last prompts tell of a
    failure where the method says so.
    """
    fed_back: dict[int, int] = {}

    def watch(request: Request) -> None:
        fed_back[request.sample] = fed_back.get(request.sample, 0) + (FAILED in request.messages[-1].content)

    plan = make(model=NEVER, limits=SearchBudget(k=2, rounds=3))
    asyncio.run(run(plan, model(plan, watch), tmp_path))
    for entry in played(tmp_path):
        if entry.method not in CONTROLS:
            assert entry.record.usage.calls == (1 if entry.method == "one_shot" else 6)
        assert search_outcome(entry.record) is not CandidateOutcome.BUDGET_EXCEEDED
    assert [fed_back[sample] > 0 for sample in range(6)] == [False, False, True, True, True, True]


def test_a_limit_of_tokens_ends_a_search_and_is_told(tmp_path: Path) -> None:
    plan = make(model=NEVER, limits=SearchBudget(k=4, rounds=4, tokens=40), seeds=1)
    asyncio.run(run(plan, model(plan), tmp_path))
    arms = [entry for entry in played(tmp_path) if entry.method not in {*CONTROLS, "one_shot"}]
    assert len(arms) == 24
    for entry in arms:
        assert entry.record.detail.exhausted == "tokens"
        assert search_outcome(entry.record) is CandidateOutcome.BUDGET_EXCEEDED
        assert entry.record.usage.calls < 16


def test_trials_have_seeds_and_samples_of_their_own(tmp_path: Path) -> None:
    seen: list[tuple[float, int, int]] = []

    def watch(request: Request) -> None:
        seen.append((request.temperature, request.seed, request.sample))

    sampling = Sampling(temperature=0.7, seed=5)
    plan = make(methods=["multi_no_feedback"], model=NEVER, max_connections=1, limit=1, seeds=3, sampling=sampling)
    asyncio.run(run(plan, model(plan, watch), tmp_path))
    assert seen == [(0.7, 5 + 1000 * trial, sample) for trial in range(3) for sample in range(4)]


def test_the_solver_has_the_time_that_the_run_gives_it(tmp_path: Path) -> None:
    plan = make(methods=["always_unsat"], timeout_s=1e-9)
    asyncio.run(run(plan, model(plan), tmp_path))
    outcomes = {search_outcome(entry.record) for entry in played(tmp_path)}
    assert outcomes == {CandidateOutcome.VERIFIER_UNKNOWN}
