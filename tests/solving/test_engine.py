from __future__ import annotations

import asyncio
import math
import time
from functools import partial

import pytest

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import CountedEngine, SolverUse, cpu_s, solver_use, spent_elsewhere, timed
from holdtrue.solving.route import counted_engine, engine_for_sums, has_cpsat, make_engine, reason_for

X, Y = Variable("x", IntSort(0, 9)), Variable("y", IntSort(0, 9))
SOFT: dict[str, Formula] = {"a": X > Y, "b": (X + Y).eq(9)}
BUDGET = Budget()
WORK_S = 0.05
WORKED = [WORK_S]
work = partial(WORKED.append, WORK_S)


@pytest.fixture
def wound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of threads is one that only `work` moves."""
    monkeypatch.setattr(time, "thread_time", lambda: math.fsum(WORKED))


class Slow:
    """An engine that takes a known time for each question."""

    def __init__(self) -> None:
        self._engine = make_engine([X, Y])
        self.name, self.variables, self.background = "slow", self._engine.variables, self._engine.background

    def check(self, *args: object, **named: object) -> object:
        work()
        return self._engine.check(*args, **named)  # type: ignore[arg-type]

    def decide(self, *args: object, **named: object) -> object:
        work()
        return self._engine.decide(*args, **named)  # type: ignore[arg-type]

    def hold(self, soft: object) -> None:
        work()


def test_questions_and_their_time_are_counted(wound: None) -> None:
    engine = CountedEngine(Slow())  # type: ignore[arg-type]
    with solver_use() as use:
        engine.hold(SOFT)
        engine.check(SOFT, BUDGET)
        engine.decide(SOFT, BUDGET)
        work()  # work between questions is no question
    assert (use.asked, engine.asked) == (2, 2)
    assert use.took_s == pytest.approx(3 * WORK_S)
    engine.check(SOFT, BUDGET)
    assert (use.asked, engine.asked) == (2, 3)


def test_what_measures_inside_is_counted_apart() -> None:
    engine = counted_engine([X, Y])
    with solver_use() as method:
        engine.decide(SOFT, BUDGET)
        with solver_use() as measuring:
            engine.decide(SOFT, BUDGET)
            engine.decide(SOFT, BUDGET)
        engine.decide(SOFT, BUDGET)
    assert (method.asked, measuring.asked) == (2, 2)
    both = SolverUse(1, 0.5)
    both.add(SolverUse(2, 0.25))
    assert both == SolverUse(3, 0.75)


async def test_conversations_at_the_same_time_count_their_own() -> None:
    async def converse(questions: int) -> int:
        engine = counted_engine([X, Y])
        with solver_use() as use:
            for _ in range(questions):
                engine.decide(SOFT, BUDGET)
                await asyncio.sleep(0)
        return use.asked

    assert await asyncio.gather(*map(converse, (3, 1, 7))) == [3, 1, 7]


def test_time_that_another_thread_spends_for_this_one_is_added(wound: None) -> None:
    def solve() -> str:
        work()
        return "done"

    found, took_s = timed(solve)()
    assert found == "done" and took_s == pytest.approx(WORK_S)
    before = cpu_s()
    spent_elsewhere(10.0)
    assert cpu_s() - before == pytest.approx(10.0)


@pytest.mark.skipif(not has_cpsat(), reason="CP-SAT is an extra")
def test_an_engine_that_solves_in_a_thread_of_its_own_takes_time_too() -> None:
    engine = counted_engine([X, Y], prefer="cp-sat")
    own = time.thread_time()
    with solver_use() as use:
        engine.decide(SOFT, BUDGET)
    assert use.took_s > time.thread_time() - own


def test_what_is_asked_of_the_engine_for_sums_counts_too() -> None:
    engine = counted_engine([X, Y])
    assert reason_for(engine) == reason_for(engine.engine)
    with solver_use() as use:
        engine_for_sums(engine).decide(SOFT, BUDGET)
    assert use.asked == 1
    z3 = counted_engine([X, Y], prefer="z3")
    assert engine_for_sums(z3) is z3
