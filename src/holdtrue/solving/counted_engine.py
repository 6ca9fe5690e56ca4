"""An engine that counts what it is asked: what a method costs in questions to a solver, and in CPU seconds of it."""

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
    """The CPU time that other threads spent for this one (seconds)."""

    spent_s: float = 0.0


_ELSEWHERE = _Elsewhere()


def cpu_s() -> float:
    """Return the CPU time of this thread and of the threads that solved for it (seconds); only differences mean much.

    The clock on the wall would also count other conversations: a local model that writes their answers in other threads
    takes the processor and the interpreter's lock while a question waits.
    """
    return time.thread_time() + _ELSEWHERE.spent_s


def timed(work: Callable[[], Found]) -> Callable[[], tuple[Found, float]]:
    """Return the work as a function that also says how much CPU time its thread spent on it; see `spent_elsewhere`."""

    def run() -> tuple[Found, float]:
        started = time.thread_time()
        found = work()
        return found, time.thread_time() - started

    return run


def spent_elsewhere(seconds: float) -> None:
    """Add CPU time that another thread spent for this one."""
    _ELSEWHERE.spent_s += seconds


@dataclass(slots=True)
class SolverUse:
    """The use that was made of solvers: how many questions were `asked`, and their CPU time `took_s` (seconds)."""

    asked: int = 0
    took_s: float = 0.0

    def add(self, other: SolverUse) -> None:
        """Count another use of solvers too."""
        self.asked += other.asked
        self.took_s += other.took_s


_USE: ContextVar[SolverUse | None] = ContextVar("solver_use", default=None)


@contextmanager
def solver_use() -> Iterator[SolverUse]:
    """Count the questions to counted engines within, apart from those of other tasks and of what is around.

    What only measures a method is wrapped in a count of its own, and so is no part of the method's.
    """
    use = SolverUse()
    token = _USE.set(use)
    try:
        yield use
    finally:
        _USE.reset(token)


class CountedEngine:
    """Another engine; `asked` counts the questions put to it, and so does the `solver_use` around it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked = 0

    @classmethod
    def made(cls, make: Callable[[], Engine]) -> CountedEngine:
        """Make an engine, and count the time that this takes."""
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
        # It is no question, but it is work for those to come.
        self._count(started, questions=0)

    def _count(self, started: float, questions: int = 1) -> None:
        self.asked += questions
        use = _USE.get()
        if use is not None:
            use.asked += questions
            use.took_s += cpu_s() - started
