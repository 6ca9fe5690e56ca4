"""Undecidable questions end in time as unknown, and a waiting user can interrupt. Exact figures: bench/limits.py."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving import route
from holdtrue.solving.engine import EngineFactory
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import Core, Mus, Unknown
from holdtrue.solving.route import RoutedEngine
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.patience import HANG_S, count_calls
from tests.solving.brute import AMPLE, pigeons
from tests.solving.optional import CPSAT, needs_cpsat

CHEAP = 20_000
"""Calls of functions that take a moment."""

ENGINES = [
    pytest.param(SatEngine, id="sat"),
    pytest.param(Z3Engine, id="z3"),
    pytest.param(RoutedEngine, id="routed"),
]
BIRDS, BARE = pigeons(12, 11)
SOFT = {f"c{number}": formula for number, formula in enumerate(BARE)}


def ends_in_time(kind: EngineFactory, limit_s: float) -> None:
    engine = kind(BIRDS, ())
    found = engine.check(SOFT, Budget(limit_s))
    assert isinstance(found, Unknown), "never a verdict, and without a limit it takes hours"
    assert "ran out" in found.reason


@pytest.mark.parametrize("limit_s", [0.2, 1.0])
@pytest.mark.parametrize("kind", ENGINES)
def test_bare_disequalities_end_in_time(kind: EngineFactory, limit_s: float) -> None:
    ends_in_time(kind, limit_s)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENGINES)
def test_bare_disequalities_end_in_time_with_a_long_limit(kind: EngineFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "has_cpsat", lambda: False)
    ends_in_time(kind, 5.0)


@needs_cpsat
@pytest.mark.slow
def test_with_the_extra_engine_a_long_limit_is_long_enough() -> None:
    """The only verdict that there may be: the true one."""
    found = RoutedEngine(BIRDS).check(SOFT, Budget(10.0))
    assert isinstance(found, Core)
    assert set(found.ids) == set(SOFT)


@pytest.mark.parametrize("kind", [*ENGINES, CPSAT])
def test_an_all_different_is_counted_instead(kind: EngineFactory) -> None:
    soft = {"idle": BIRDS[0] <= 5, "all": AllDifferent(tuple(BIRDS))}
    engine = kind(BIRDS, ())
    assert engine.check(soft, AMPLE) == Core(("all",))
    assert mus(engine, soft, AMPLE) == Mus(("all",))
    assert kind(BIRDS, [soft["all"]]).check({}, AMPLE) == Core(())


def test_that_takes_hardly_any_work() -> None:
    soft = {"all": AllDifferent(tuple(BIRDS))}
    assert isinstance(RoutedEngine(BIRDS).check(soft, AMPLE), Core)
    assert count_calls(lambda: RoutedEngine(BIRDS).check(soft, AMPLE)) < CHEAP


@pytest.mark.parametrize("kind", [Z3Engine, RoutedEngine])
def test_a_thousand_terms_that_differ_end_in_time(kind: EngineFactory) -> None:
    """z3 looked at no limit while it made every pair of them."""
    birds = [Variable(f"p{number}", IntSort(1, 1_000)) for number in range(1_000)]
    engine = kind(birds, ())
    engine.check({}, AMPLE)
    for terms in (birds, [bird + number for number, bird in enumerate(birds)]):
        found = engine.check({"all": AllDifferent(tuple(terms))}, Budget(0.5))
        assert not isinstance(found, Core), "never a false verdict"


WAITS = """
import sys
from holdtrue.budget import Budget
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.route import make_engine
birds = [Variable(f"p{number}", IntSort(1, 11)) for number in range(12)]
soft = {f"c{i} {j}": abs(x - y) >= 1 for i, x in enumerate(birds) for j, y in enumerate(birds[:i])}
engine = make_engine(birds, prefer=sys.argv[1])
engine.check({}, Budget(30.0))
try:
    print("ready", flush=True)
    engine.check(soft, Budget(None))
except KeyboardInterrupt:
    print("left", flush=True)
    sys.exit(0 if engine.check({}, Budget(30.0)) else 1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("name", ["sat", "z3", pytest.param("cp-sat", marks=needs_cpsat)])
def test_whoever_waits_can_leave(name: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", WAITS, name], stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "left\n"
            assert process.wait(timeout=HANG_S) == 0, "and the engine can be asked again"
        finally:
            process.kill()
