"""The protocol of all solver engines, several questions under one deadline, and counts of questions and CPU time.

An engine is given integer variables and a background of formulas. A question is a set of `soft` formulas, each under an
id: can they all hold with the background?
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, TypeVar

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable, Witness

Soft = Mapping[Id, Formula]
Found = TypeVar("Found")
SAT = "minisat22"
"""The name of the SAT engine. Sums over all variables need too many clauses there."""


class Engine(Protocol):
    """An `Engine` is a solver that is kept for a whole conversation. Its variables and its background are fixed.

    Each question assumes its formulas only while it is answered. Learned clauses are kept, and nothing is ever
    retracted. The same questions in the same order give the same results. Two threads must not use one engine at once.
    """

    @property
    def name(self) -> str: ...

    @property
    def variables(self) -> Sequence[Variable]:
        """Return all variables in the order in which they were given."""
        ...

    @property
    def background(self) -> Sequence[Formula]:
        """Return the formulas that hold in every question, besides the ranges of the variables."""
        ...

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        """Decide whether all `soft` formulas can hold with the background and the `fixed` values of variables.

        The witness gives every variable a value. A core names ids of `soft`, and `fixed_id(name)` for fixed variables.
        An empty core means that the background alone is impossible. In that case, a core may also name ids that play no
        part. A value of `fixed` outside its variable's sort gives a core of that variable alone. Raises `FormulaError`
        for a variable that the engine does not have.
        """
        ...

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        """Return the verdict of `check` without a core, which is cheaper if `soft` begins with the held formulas."""
        ...

    def hold(self, soft: Soft) -> None:
        """Announce formulas with which the next questions will begin, in this order, so that these become cheap.

        This is a hint and changes no answer. Appending to the held formulas costs only the new ones. Any other change
        costs as much as holding all of them anew.
        """
        ...


def fixed_id(variable: str) -> Id:
    """Return the id under which a fixed variable appears in a core."""
    return f"={variable}"


class EngineFactory(Protocol):
    def __call__(self, variables: Sequence[Variable], background: Iterable[Formula]) -> Engine: ...


class Signature(Protocol):
    """A `Signature` makes engines for formulas that have no variables, such as first-order sentences."""

    def engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine whose questions are counted."""
        ...

    def second_engine(self, background: Iterable[Formula] = ()) -> Engine:
        """Return an engine of another kind, to check the results of the first."""
        ...


class EngineFault(RuntimeError):
    """Direct evaluation refutes a solver's answer. The defect is in holdtrue or in the solver, never in the input."""


def misfit(variables: Mapping[str, Variable], fixed: Mapping[str, int]) -> Core | None:
    """Return the core of the first fixed value outside its variable's sort, or None if there is none.

    Raises `FormulaError` for a variable that the engine does not have.
    """
    foreign = fixed.keys() - variables.keys()
    if foreign:
        raise FormulaError(f"the engine has no variable {min(foreign)!r}")
    for name, value in fixed.items():
        if value not in variables[name].sort:
            return Core((fixed_id(name),))
    return None


def confirm(witness: Witness, formulas: Iterable[Formula], fixed: Mapping[str, int], engine: str) -> Satisfiable:
    """Return the witness as a result. Raises `EngineFault` if direct evaluation finds that it breaks a formula."""
    broken = [formula for formula in formulas if not formula.holds(witness)]
    if broken or any(witness[name] != value for name, value in fixed.items()):
        raise EngineFault(f"{engine} gave a witness that direct evaluation refutes: {dict(witness)!r}")
    return Satisfiable(witness)


def changes(witness: Witness, target: Mapping[str, int]) -> int:
    """Return the number of the target's variables that have another value in the witness."""
    return sum(witness[name] != value for name, value in target.items())


SOON = Budget(0.5)
"""The budget for evaluating a formula under a witness before the engine is asked instead."""


class Questions:
    """`Questions` ask an engine about subsets of `soft`, always with the same `fixed` values and the background.

    `budget.timeout_s` limits all questions together, and `budget.conflicts` limits each one.
    """

    def __init__(self, engine: Engine, soft: Soft, budget: Budget, fixed: Mapping[str, int] | None = None) -> None:
        self.engine = engine
        self.soft = soft
        self.fixed = fixed
        self.deadline = budget.start()
        self._budget = budget

    @property
    def budget(self) -> Budget:
        """Return the rest of the budget."""
        return self._budget.until(self.deadline)

    def check(self, ids: Iterable[Id]) -> Satisfiable | Core | Unknown:
        return self.engine.check({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)

    def decide(self, ids: Iterable[Id]) -> Satisfiable | Unsatisfiable | Unknown:
        return self.engine.decide({id: self.soft[id] for id in ids}, self.budget, fixed=self.fixed)


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

    An outer `solver_use` block does not count these questions again. Work that only measures a method is wrapped in a
    block by itself, so it does not add to the method's costs.
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
        # Holding is not a question, but it is work for the next questions.
        self._count(started, questions=0)

    def _count(self, started: float, questions: int = 1) -> None:
        self.asked += questions
        use = _USE.get()
        if use is not None:
            use.asked += questions
            use.took_s += cpu_s() - started
