"""Count the questions to a solver and the CPU seconds that they take. Methods are compared by these costs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable

Found = TypeVar("Found")


class _Elsewhere(threading.local):
    """The CPU seconds that other threads have spent for the current thread."""

    spent_s: float = 0.0


_ELSEWHERE = _Elsewhere()


def cpu_s() -> float:
    """Return the CPU seconds of this thread and of the threads that solved for it. Only differences are meaningful."""
    return time.thread_time() + _ELSEWHERE.spent_s


def timed(work: Callable[[], Found]) -> Callable[[], tuple[Found, float]]:
    """Wrap `work` in a function that also returns the CPU seconds of its thread. Report them by `spent_elsewhere`."""

    def run() -> tuple[Found, float]:
        started = time.thread_time()
        found = work()
        return found, time.thread_time() - started

    return run


def spent_elsewhere(seconds: float) -> None:
    """Add CPU seconds that another thread has spent for this one."""
    _ELSEWHERE.spent_s += seconds


@dataclass(slots=True)
class SolverUse:
    """A `SolverUse` counts the questions to solvers (`asked`) and their CPU seconds (`took_s`)."""

    asked: int = 0
    took_s: float = 0.0

    def add(self, other: SolverUse) -> None:
        """Add the counts of another `SolverUse`."""
        self.asked += other.asked
        self.took_s += other.took_s


_USE: ContextVar[SolverUse | None] = ContextVar("solver_use", default=None)


@contextmanager
def solver_use() -> Iterator[SolverUse]:
    """Count the questions to counted engines within the `with` block, separately for each task.

    An outer `solver_use` does not count them too. Work that only measures a method is wrapped in a block by itself, so
    it does not add to the method's costs.
    """
    use = SolverUse()
    token = _USE.set(use)
    try:
        yield use
    finally:
        _USE.reset(token)


class CountedEngine:
    """A `CountedEngine` wraps another engine and counts its questions in `asked` and in the current `solver_use`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked = 0

    @classmethod
    def made(cls, make: Callable[[], Engine]) -> CountedEngine:
        """Make an engine, and add the time that this takes to the current `solver_use`."""
        started = cpu_s()
        engine = cls(make())
        engine._count(started, questions=0)
        return engine

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def variables(self) -> Sequence[Variable]:
        return self.engine.variables

    @property
    def background(self) -> Sequence[Formula]:
        return self.engine.background

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        started = cpu_s()
        try:
            return self.engine.check(soft, budget, fixed=fixed)
        finally:
            self._count(started)

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        started = cpu_s()
        try:
            return self.engine.decide(soft, budget, fixed=fixed)
        finally:
            self._count(started)

    def hold(self, soft: Soft) -> None:
        started = cpu_s()
        self.engine.hold(soft)
        # Holding is no question, but it is work for the next ones.
        self._count(started, questions=0)

    def _count(self, started: float, questions: int = 1) -> None:
        self.asked += questions
        use = _USE.get()
        if use is not None:
            use.asked += questions
            use.took_s += cpu_s() - started
