"""The worker: right answers, limits that hold, and a process that asks and lives whatever happens."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue.logic.smtlib.script import Assertion, Script, read_script
from holdtrue.logic.smtlib.structure import Element, Structure, Table, satisfies
from holdtrue.logic.smtlib.typed_terms import BOOL, Literal, Operation, SmtTerm
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.result import Unknown, Unsatisfiable
from holdtrue.solving.smt import checker as checker_module
from holdtrue.solving.smt.checker import ScriptChecker
from holdtrue.solving.smt.decide import decide_script
from holdtrue.solving.smt.result import ScriptCore, ScriptSatisfiable
from tests.logic.smtlib.scripts import possible, scripts
from tests.patience import HANG_S
from tests.solving.smt.bombs import FERMAT, LOOP, doubling, pigeonhole

AMPLE = Budget(timeout_s=30.0)
EASY = read_script("(declare-const x Int)(assert (= x 3))")
SLACK_S = HANG_S / 2
"""What a busy machine may add to every time limit."""

CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")
linux = pytest.mark.skipif(not CHILDREN.exists(), reason="needs Linux' list of child processes")


def children() -> set[int]:
    """The processes that this one has started and not yet seen the end of, dead ones included."""
    return set(map(int, CHILDREN.read_text().split()))


@pytest.fixture(scope="module")
def shared() -> Iterator[ScriptChecker]:
    with ScriptChecker() as checker:
        yield checker


@settings(max_examples=40, deadline=None)
@given(script=scripts)
def test_answers_agree_with_brute_force(shared: ScriptChecker, script: Script) -> None:
    found = shared.check(script, AMPLE)
    if possible(script):
        assert isinstance(found, ScriptSatisfiable)
        assert found.confirmed
        assert satisfies(found.witness, script) is True
    else:
        assert isinstance(found, ScriptCore)
        assert not possible(script, found.assertions)


def test_a_witness_tells_what_makes_it_true(shared: ScriptChecker) -> None:
    script = read_script("""
        (declare-sort Person 0) (declare-sort Thing 0)
        (declare-const bob Person) (declare-const x Int) (declare-const r Real)
        (declare-fun tall (Person) Bool) (declare-fun f (Int) Int)
        (assert (not (tall bob))) (assert (exists ((p Person)) (tall p)))
        (assert (= x (- 3))) (assert (= (* 3 r) 1)) (assert (= (f x) 7)) (assert (= (f 0) 1))
    """)
    bob, other = Element("Person", 0), Element("Person", 1)
    found = shared.check(script, AMPLE)
    assert isinstance(found, ScriptSatisfiable)
    assert found.confirmed
    people = found.witness.universe["Person"]
    assert set(people) == {bob, other}
    assert len(found.witness.universe["Thing"]) == 1
    constants = found.witness.constants
    assert (constants["x"], constants["r"]) == (-3, Fraction(1, 3))
    tall = found.witness.tables["tall"].entries
    assert sorted(map(bool, tall.values())) == [False, True]
    assert tall[(constants["bob"],)] is False


def test_a_core_is_unsatisfiable_in_the_words_of_the_house(shared: ScriptChecker) -> None:
    script = read_script("(declare-const x Int)(assert (< x 9))(assert (< x 1))(assert (> x 1))(assert (> x 0))")
    found = shared.check(script, AMPLE)
    assert found == ScriptCore((1, 2))
    assert isinstance(found, Unsatisfiable)


@pytest.mark.parametrize(
    "text",
    [
        "(declare-const r Real)(assert (= (* r r) 2.0))",
        "(declare-const x Int)(assert (= (div x 0) 7))",
        "(assert (forall ((x Int)) (exists ((y Int)) (< x y))))",
    ],
    ids=["irrational", "division by zero", "infinitely many"],
)
def test_what_evaluation_cannot_confirm_is_said_to_be_so(shared: ScriptChecker, text: str) -> None:
    found = shared.check(read_script(text), AMPLE)
    assert isinstance(found, ScriptSatisfiable)
    assert not found.confirmed


def test_nothing_is_satisfiable(shared: ScriptChecker) -> None:
    assert shared.check(Script(), AMPLE) == ScriptSatisfiable(Structure({}, {}), True)


def test_answers_depend_neither_on_names_nor_on_earlier_questions(shared: ScriptChecker) -> None:
    text = "(declare-fun {f} (Int) Int)(declare-const {x} Int)(assert (< ({f} {x}) {x} ({f} ({f} 2)) (* 3 {x})))"
    one = shared.check(read_script(text.format(f="f", x="x")), AMPLE)
    shared.check(pigeonhole(6, 6), AMPLE)
    other = shared.check(read_script(text.format(f="|assertion 0|", x="|function 0; (exit)|")), AMPLE)
    assert isinstance(one, ScriptSatisfiable)
    assert isinstance(other, ScriptSatisfiable)
    assert list(one.witness.tables.values()) == list(other.witness.tables.values())


@pytest.mark.parametrize("script", [FERMAT, LOOP, pigeonhole(11, 10)], ids=["nonlinear", "quantifiers", "pigeonhole"])
def test_bombs_are_unknown_in_time_and_the_next_question_is_answered(shared: ScriptChecker, script: Script) -> None:
    shared.check(EASY, AMPLE)
    started = time.monotonic()
    found = shared.check(script, Budget(timeout_s=0.3))
    assert time.monotonic() - started < 0.3 * 1.2 + 0.05 + SLACK_S
    assert isinstance(found, Unknown)
    assert "the time budget ran out" in found.reason
    assert isinstance(shared.check(EASY, AMPLE), ScriptSatisfiable)


@linux
def test_what_does_not_stop_is_stopped_and_leaves_nothing_behind() -> None:
    before = children()
    with ScriptChecker() as checker:
        checker.check(EASY, AMPLE)
        (first,) = children() - before
        # Expanding definitions, z3 does not look at the clock.
        found = checker.check(doubling(30), Budget(timeout_s=0.2))
        assert found == Unknown("the time budget ran out, and the worker with it")
        assert children() == before
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)
        assert first not in children()
        checker.close()
        checker.close()
        assert children() == before
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)
    assert children() == before


def test_memory_is_limited_and_the_process_that_asks_is_not() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with ScriptChecker(megabytes=48) as checker:
        found = checker.check(doubling(30), AMPLE)
        assert found == Unknown("the memory limit of 48 MB was reached")
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with pytest.raises(SettingsError, match="at least 1 MB of memory, not 0"):
        ScriptChecker(megabytes=0)


@linux
def test_the_system_keeps_the_worker_from_files() -> None:
    before = children()
    with ScriptChecker(megabytes=100) as checker:
        checker.check(EASY, AMPLE)
        (worker,) = children() - before
        limits = Path(f"/proc/{worker}/limits").read_text()
        for name in ("Max open files", "Max file size", "Max core file size"):
            (line,) = [line for line in limits.splitlines() if line.startswith(name)]
            assert line[len(name) :].split()[:2] == ["0", "0"]
        (space,) = [line for line in limits.splitlines() if line.startswith("Max address space")]
        assert int(space.split()[3]) == 612 * 2**20


@linux
def test_a_worker_that_dies_is_replaced() -> None:
    before = children()
    with ScriptChecker() as checker:
        checker.check(EASY, AMPLE)
        (worker,) = children() - before
        os.kill(worker, signal.SIGKILL)
        os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)  # until it is dead, but leave it to be found so
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)
        (worker,) = children() - before
        threading.Timer(0.2, os.kill, (worker, signal.SIGKILL)).start()
        assert checker.check(FERMAT, AMPLE) == Unknown("the worker ended while it worked (exit code -9)")
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)


@linux
def test_an_interrupt_ends_the_worker_too() -> None:
    before = children()
    # z3 in this process leaves behind a way of handling signals in which waiting goes on.
    decide_script(EASY, AMPLE)
    with ScriptChecker() as checker:
        checker.check(EASY, AMPLE)
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
            checker.check(FERMAT, AMPLE)
        assert time.monotonic() - started < 1 + SLACK_S
        assert children() == before
        assert isinstance(checker.check(EASY, AMPLE), ScriptSatisfiable)


def test_without_time_nothing_is_asked() -> None:
    with ScriptChecker() as checker:
        assert checker.check(EASY, Budget(timeout_s=0.0)) == Unknown("the time budget ran out")


def test_a_script_beyond_all_limits_is_unknown_with_the_reason(shared: ScriptChecker) -> None:
    deep: SmtTerm = Literal(True, BOOL)
    for _ in range(300):
        deep = Operation("not", (deep,), BOOL)
    found = shared.check(Script(assertions=(Assertion(deep),)), AMPLE)
    assert isinstance(found, Unknown)
    assert "too large for the worker: line 1, column 1254: parentheses nested more than 250 deep" in found.reason


def test_a_budget_without_limit(shared: ScriptChecker) -> None:
    assert isinstance(shared.check(EASY, Budget(timeout_s=None)), ScriptSatisfiable)


def test_a_worker_that_cannot_start_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EngineFault, match=r"the worker for SMT-LIB scripts does not start \(exit code 1\)"):
        ScriptChecker().check(EASY, AMPLE)


def test_a_refuted_witness_is_a_fault(shared: ScriptChecker, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Structure({}, {"x": Table({(): 4})})
    monkeypatch.setattr(checker_module, "structure_from_json", lambda data, script: wrong)
    with pytest.raises(EngineFault, match="a structure that direct evaluation refutes"):
        shared.check(EASY, AMPLE)


ALONE = """
import sys
from holdtrue.budget import Budget
from holdtrue.logic.smtlib.script import read_script
from holdtrue.solving.smt.checker import ScriptChecker

with ScriptChecker() as checker:
    found = checker.check(read_script("(declare-const x Int)(assert (= x 3))"), Budget(timeout_s=30.0))
print(type(found).__name__, sorted(name for name in sys.modules if name.split(".")[0] in ("z3", "pysat")))
"""


def test_the_process_that_asks_never_loads_z3(tmp_path: Path) -> None:
    # A file that would be in the way if the working directory counted.
    (tmp_path / "z3.py").write_text("raise SystemExit('not this one')", encoding="utf-8")
    script = tmp_path / "scripts" / "alone.py"
    script.parent.mkdir()
    script.write_text(ALONE, encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.split(maxsplit=1) == ["ScriptSatisfiable", "[]\n"]


ORPHAN = """
import sys, threading
from holdtrue.budget import Budget
from holdtrue.solving.smt.checker import ScriptChecker
from tests.solving.smt.bombs import FERMAT, pigeonhole

checker = ScriptChecker()
checker.check(pigeonhole(3, 3), Budget(timeout_s=30.0))
print("asking", flush=True)
checker.check(FERMAT, Budget(timeout_s=1.0))
"""


@linux
@pytest.mark.slow
def test_a_worker_does_not_outlive_its_question_when_nobody_waits() -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, text=True, cwd=root) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == "asking\n"
        (worker,) = Path(f"/proc/{asking.pid}/task/{asking.pid}/children").read_text().split()
        asking.kill()
    deadline = time.monotonic() + HANG_S
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("script", [FERMAT, LOOP, pigeonhole(12, 11), doubling(40)], ids=["n", "q", "p", "d"])
def test_time_limits_hold(shared: ScriptChecker, script: Script, limit: float) -> None:
    shared.check(EASY, AMPLE)
    started = time.monotonic()
    found = shared.check(script, Budget(timeout_s=limit))
    assert time.monotonic() - started < 1.2 * limit + 0.05 + SLACK_S
    assert isinstance(found, Unknown)
