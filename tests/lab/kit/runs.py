"""Runs for tests: a plan over generated problems, and models that misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from holdtrue.kinds.assignment.method import find_method
from holdtrue.models.chat import ChatModel, Reply, Request
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kit.entry import FailureEntry
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.plan import Plan
from holdtrue_lab.kit.settings import JOURNAL_FILE
from holdtrue_lab.suites.drift.generate import generate
from tests.lab.kit.plans import plan_for

MODEL = "sim/forget:0.4+malform:0.1@3"
TIMES = {"latency_s", "elapsed_s", "solver_s"}


def make(
    problems: int = 6, methods: Sequence[str] = ("direct", "drift_repair"), turns: int = 3, **changes: Any
) -> Plan:
    given = {"source": "test", "model": MODEL, "extractor": "templates", "max_connections": 4, **changes}
    return plan_for("drift", generate(9, problems, turns=turns), [find_method(name) for name in methods], **given)


class Wrapped:
    """A simulated model that runs a function before every call; `calls` counts the calls that were begun."""

    def __init__(
        self, before: Callable[[Request], None] | None = None, delay_s: float = 0.0, model: ChatModel | None = None
    ) -> None:
        self.calls = 0
        self.under_way = self.most = 0
        self.model = model or open_simulated(MODEL)
        self._before = before
        self._delay_s = delay_s

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        if self._before is not None:
            self._before(request)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(self._delay_s)
            return await self.model.complete(request)
        finally:
            self.under_way -= 1

    async def aclose(self) -> None:
        await self.model.aclose()


def dying(folder: Path, calls: int) -> Callable[[Request], None]:
    """Return a function that kills this process as `kill -9` does, `calls` calls after it has written a turn."""
    journal = folder / JOURNAL_FILE
    start = journal.stat().st_size if journal.exists() else 0
    left = calls

    def before(request: Request) -> None:
        nonlocal left
        if journal.exists() and journal.stat().st_size > start:
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

    return before


def problems_of(plan: Plan) -> list[Problem]:
    """Return the problems of a plan about DRIFT."""
    return [problem for problem in plan.problems if isinstance(problem, Problem)]


def contents(folder: Path) -> dict[tuple[Any, ...], str]:
    """Return a journal by problem, method, turn and attempt, without times; attempt 0 is the turn itself."""
    found: dict[tuple[Any, ...], str] = {}
    for entry in read_entries(folder):
        key: tuple[Any, ...] = (entry.problem, entry.method, entry.turn)
        if isinstance(entry, FailureEntry):
            found[(*key, "failure")] = entry.message
            continue
        assert (*key, 0) not in found
        found[(*key, 0)] = _text(entry)
        for attempt in entry.record.attempts:
            found[(*key, attempt.attempt)] = _text(attempt)
    return found


def _text(value: Any) -> str:
    return json.dumps(_timeless(asdict(value)), sort_keys=True)


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(each) for key, each in value.items() if key not in TIMES}
    return [_timeless(each) for each in value] if isinstance(value, list | tuple) else value
