"""Scripts decided in this process: our translation means what z3's own parser reads."""

from __future__ import annotations

import pytest
import z3
from hypothesis import given, settings

from holdtrue.budget import Budget
from holdtrue.logic.smtlib.printer import script_text
from holdtrue.logic.smtlib.script import Script, read_script
from holdtrue.logic.smtlib.structure import satisfies
from holdtrue.solving.smt.decide import Answer, decide_script
from holdtrue.solving.smt.messages import structure_from_json
from tests.logic.smtlib.scripts import possible
from tests.logic.smtlib.scripts import scripts as small_scripts
from tests.logic.smtlib.test_script import EVERYTHING
from tests.solving.smt.bombs import FERMAT, LOOP, pigeonhole
from tests.solving.smt.quantified import scripts

AMPLE = Budget(timeout_s=20.0)


def parsed(script: Script, milliseconds: int = 20_000) -> str:
    """The verdict of z3 on what its own parser reads."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", milliseconds)
    solver.from_string(script_text(script))
    return str(solver.check())


def verdict(answer: Answer) -> str:
    (kind,) = answer
    return "unsat" if kind == "core" else kind


@settings(max_examples=40, deadline=None)
@given(small_scripts)
def test_small_scripts_agree_with_brute_force(script: Script) -> None:
    answer = decide_script(script, AMPLE)
    if possible(script):
        assert satisfies(structure_from_json(answer["sat"], script), script) is True
    else:
        assert not possible(script, answer["core"])


@settings(max_examples=30, deadline=None)
@given(scripts)
def test_scripts_with_quantifiers_agree_with_the_parser(script: Script) -> None:
    answer = decide_script(script, Budget(timeout_s=1.0))
    ours = verdict(answer)
    theirs = parsed(script, 1_000)
    assert ours == theirs or "unknown" in (ours, theirs)
    if ours == "sat":
        assert satisfies(structure_from_json(answer["sat"], script), script) is not False


VOCABULARY = """
(declare-const x Int) (declare-const y Int) (declare-const r Real) (declare-const p Bool) (declare-const q Bool)
(define-fun twice ((n Int)) Int (* 2 n)) (define-fun seven () Int 7)
(define-fun some ((p Bool) (x Int)) Bool (exists ((y Int)) (and p (= (* 2 y) x))))
"""


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("(and (= x (- 7)) (= (div x 2) (- 4)) (= (mod x 2) 1) (= (div x (- 2)) 4) (= (mod x (- 2)) 1))", "sat"),
        ("(= (mod x y) (- y))", "sat"),
        ("(and (distinct y 0) (< (mod x y) 0))", "unsat"),
        ("(and (= r 2.5) (= (to_int r) 2) (= (to_int (- r)) (- 3)) (not (is_int r)))", "sat"),
        ("(and (= r (/ 1 3)) (= (* 3 r) 1.0))", "sat"),
        ("(= (* r r) 2.0)", "sat"),
        ("(= (* x x) 2)", "unsat"),
        ("(and (= (abs x) 3) (< x 0) (= (- 1 x 1) 3))", "sat"),
        ("(< 0 x y 2)", "unsat"),
        ("(and (= p q false) (=> p q p) (xor p q true))", "sat"),
        ("(=> true p false)", "sat"),
        ("(not (=> true p false))", "sat"),
        ("(and p (=> p p (not p)))", "unsat"),
        ("(distinct p q true)", "unsat"),
        ("(= (ite p x y) (let ((x y) (y x)) (ite p y x)))", "sat"),
        ("(distinct (ite p x y) (let ((x y) (y x)) (ite p y x)))", "unsat"),
        ("(and (= (twice (twice x)) (+ x 21)) (= x seven))", "sat"),
        ("(= (twice x) seven)", "unsat"),
        ("(some true seven)", "unsat"),
        ("(and (some p (twice y)) (= y 3))", "sat"),
        ("(forall ((x Int)) (exists ((y Int)) (< x y)))", "sat"),
        ("(exists ((y Int)) (forall ((x Int)) (< x y)))", "unsat"),
        ("(forall ((x Int)) (let ((y x)) (forall ((x Int)) (or (< y x) (>= y x)))))", "sat"),
        ("(forall ((x Int)) (exists ((x Int)) (= x 3)))", "sat"),
        ("(exists ((x Bool) (p Bool)) (and x (not p)))", "sat"),
    ],
)
def test_every_operator(formula: str, found: str) -> None:
    script = read_script(f"{VOCABULARY}(assert {formula})")
    assert verdict(decide_script(script, AMPLE)) == found
    assert parsed(script) == found


def test_all_of_them_together() -> None:
    script = read_script(EVERYTHING)
    assert verdict(decide_script(script, AMPLE)) == parsed(script)


def test_operands_do_not_capture_bound_names() -> None:
    # `some` binds y; an operand that names the outer y must stay what it is.
    script = read_script(
        f"{VOCABULARY}(assert (forall ((y Int)) (some true (+ y y))))(assert (not (some true (+ y y))))"
    )
    assert decide_script(script, AMPLE) == {"core": [1]}


def test_cores_name_what_is_needed() -> None:
    texts = ["(> x 3)", "(< x 100)", "p", "(< x 2)", "(< y x)"]
    script = read_script(VOCABULARY + "".join(f"(assert {text})" for text in texts))
    assert decide_script(script, AMPLE) == {"core": [0, 3]}
    assert decide_script(read_script("(assert true)(assert false)"), AMPLE) == {"core": [1]}
    assert decide_script(read_script("(assert false)(assert false)"), AMPLE)["core"] in ([0], [1], [0, 1])


@pytest.mark.parametrize("script", [FERMAT, LOOP, pigeonhole(11, 10)], ids=["nonlinear", "quantifiers", "pigeonhole"])
def test_what_takes_too_long_is_unknown(script: Script) -> None:
    assert decide_script(script, Budget(timeout_s=0.2)) == {"unknown": "the time budget ran out"}


def test_conflicts_are_a_budget_too() -> None:
    answer = decide_script(pigeonhole(11, 10), Budget(timeout_s=20.0, conflicts=50))
    assert answer["unknown"].startswith("z3 gave up: ")
    assert "max-conflicts-reached" in answer["unknown"]


def test_no_setting_of_z3_is_changed() -> None:
    names = ("timeout", "verbose", "memory_max_size", "smt.random_seed", "model", "unsat_core", "rlimit", "auto_config")
    before = [z3.get_param(name) for name in names]
    decide_script(read_script("(declare-const x Int)(assert (< x 3))"), Budget(timeout_s=1.0, conflicts=10))
    assert [z3.get_param(name) for name in names] == before
