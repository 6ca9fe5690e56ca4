"""Searches keep to the limits of their run, and an arm spends no more than another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdtrue.budget import SearchBudget
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import FAILED
from holdtrue.kinds.search.record import CandidateOutcome, search_outcome
from holdtrue.models.chat import Request
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kinds.search.simulation import SimulatedSearcher
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.runner import run
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


def model(plan: Plan, before: Callable[[Request], None] | None = None) -> Wrapped:
    problems = [one for one in plan.problems if isinstance(one, SearchProblem)]
    return Wrapped(before, model=SimulatedSearcher(plan.settings.model, problems))


def played(folder: Path) -> list[SearchEntry]:
    return [entry for entry in read_entries(folder) if isinstance(entry, SearchEntry)]


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


def test_the_solver_has_the_time_that_the_run_gives_it(tmp_path: Path) -> None:
    plan = make(methods=["always_unsat"], timeout_s=1e-9)
    asyncio.run(run(plan, model(plan), tmp_path))
    outcomes = {search_outcome(entry.record) for entry in played(tmp_path)}
    assert outcomes == {CandidateOutcome.VERIFIER_UNKNOWN}
