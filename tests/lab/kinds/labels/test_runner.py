"""Runs about queries are interrupted and taken up again like any others."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holdtrue.errors import ModelUnreachable
from holdtrue.kinds.labels.case import Case
from holdtrue.models.chat import Request
from holdtrue_lab.kinds.labels.measure import measure_labels
from holdtrue_lab.kinds.labels.simulation.model import SimulatedAnswerer
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kinds.labels.study import plan_labels
from tests.lab.kit.runs import Wrapped, contents

MODEL = "sim/labels:wrong=0.4,confidence=0.9/0.6@3"
SUITES = ("cross_query", "belief")


def make(suite: str, **more: object) -> Plan:
    """A run of a suite: bundles with repairs, votes and a control, or dialogues."""
    given = {"max_connections": 4, **more}
    if suite == "belief":
        return plan_labels(generate_dialogues(9, 3), ["none", "cot_greedy", "min_change"], MODEL, **given)
    methods = ["direct", "self_consistency", "check_repair", "conflict_repair", "maxsat_repair", "one_model"]
    return plan_labels(generate(9, {"relational": 2, "policy": 2}), methods, MODEL, **given)


def model(plan: Plan, before: Callable[[Request], None] | None = None, delay_s: float = 0.0) -> Wrapped:
    cases = [case for case in plan.problems if isinstance(case, Case)]
    return Wrapped(before, delay_s, SimulatedAnswerer(MODEL, cases))


def measured(folder: Path) -> list[tuple[object, ...]]:
    """The rows without times; those of methods come as their first turns ended."""
    rows = measure_labels(read_entries(folder)).rows
    return sorted(((row.arm, row.domain, row.accuracy, row.sets, row.revisions) for row in rows), key=str)


@pytest.fixture(scope="module", params=SUITES)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A run of a suite that nothing interrupted."""
    folder, plan = tmp_path_factory.mktemp("whole"), make(request.param)
    standing = asyncio.run(run(plan, model(plan), folder))
    assert (standing.turns, standing.failures) == (plan.turns, [])
    return request.param, folder


@pytest.mark.slow
def test_the_same_run_twice_gives_the_same_records(whole: tuple[str, Path], tmp_path: Path) -> None:
    suite, folder = whole
    plan = make(suite, max_connections=1)
    asyncio.run(run(plan, model(plan), tmp_path))
    assert contents(tmp_path) == contents(folder)
    assert measured(tmp_path) == measured(folder)


def test_a_finished_run_asks_nothing_more(whole: tuple[str, Path]) -> None:
    suite, folder = whole
    before, plan = (folder / JOURNAL_FILE).read_bytes(), make(suite)
    again = model(plan)
    standing = asyncio.run(run(plan, again, folder))
    assert (again.calls, standing.turns) == (0, plan.turns)
    assert (folder / JOURNAL_FILE).read_bytes() == before


def test_a_broken_run_goes_on_in_the_middle_of_a_conversation(whole: tuple[str, Path], tmp_path: Path) -> None:
    suite, folder = whole
    plan = make(suite)

    def trip(request: Request) -> None:
        if broken.calls == 17:
            raise ModelUnreachable("gone")

    broken = model(plan, trip)
    with pytest.raises(ModelUnreachable):
        asyncio.run(run(plan, broken, tmp_path))
    asyncio.run(run(plan, model(plan), tmp_path))
    assert contents(tmp_path) == contents(folder)


KILLED = """
import asyncio, sys
from pathlib import Path
from holdtrue_lab.kit.runner import run
from tests.lab.kit.runs import dying
from tests.lab.kinds.labels.test_runner import make, model
plan = make(sys.argv[1])
folder = Path(sys.argv[2])
asyncio.run(run(plan, model(plan, dying(folder, 2), delay_s=0.04), folder))
"""


@pytest.mark.slow
def test_kill_9_loses_nothing_and_pays_nothing_twice(whole: tuple[str, Path], tmp_path: Path) -> None:
    suite, folder = whole
    journal, calls, plan = tmp_path / JOURNAL_FILE, tmp_path / CALLS_FILE, make(suite)
    command = [sys.executable, "-c", KILLED, suite, str(tmp_path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    kept = journal.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert 1 <= kept.count(b"\n") < plan.turns
    asyncio.run(run(plan, model(plan), tmp_path))
    assert journal.read_bytes().startswith(kept)
    assert contents(tmp_path) == contents(folder)
    keys = [json.loads(line)["key"] for line in calls.read_text().splitlines()]
    assert len(keys) == len(set(keys)), "no call was made twice"
