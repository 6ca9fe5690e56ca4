"""Opaque formulas beside all others in an engine: they go to z3, and mean there what their closure says.

What takes too long is unknown, whatever its text or its names.
"""

from __future__ import annotations

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.opaque import opaque
from holdtrue.logic.smtlib.theory_text import theory_text
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import RoutedEngine, make_engine
from holdtrue.solving.z3_engine import Z3Engine
from holdtrue.world.json_domain import declare
from tests.logic.formulas import VARIABLES, formulas
from tests.solving.brute import AMPLE, possible, witnesses

BY_NAME = {variable.name: variable for variable in VARIABLES}
TEXTS = [
    "(= (mod a 3) b.start)",
    "(<= (* a b.start) |c d|)",
    "(= (div a (- 2)) |c d|)",
    "(let ((s (* a a))) (xor (< s b.start) (= s |c d| 1)))",
    "(=> (< a 0) (distinct (abs a) b.start |c d|))",
    "(= (ite (< a 1) (* 2 b.start) (- |c d|)) 4)",
]
opaques = st.sampled_from(TEXTS).map(lambda text: opaque(text, BY_NAME.__getitem__))
mixed = st.builds(lambda hidden, other: hidden.iff(other), opaques, formulas) | opaques | opaques.map(lambda own: ~own)


@settings(max_examples=40, deadline=None)
@given(st.lists(mixed, min_size=1, max_size=3), st.booleans())
def test_engines_agree_with_brute_force(stated: list[Formula], background: bool) -> None:
    soft = {f"c{number}": formula for number, formula in enumerate(stated)}
    engine = make_engine(VARIABLES, stated[:1] if background else ())
    found = engine.check(soft, AMPLE)
    assert engine.name == "z3"
    if possible(VARIABLES, stated):
        assert isinstance(found, Satisfiable)
        assert found.witness in witnesses(VARIABLES, stated)
    else:
        assert isinstance(found, Core)


WIDE = [Variable(name, IntSort(-1000, 1000)) for name in ("x", "y", "p", "q")]
NAMED = {variable.name: variable for variable in WIDE}


def parsed(formula: Formula) -> str:
    """The verdict of z3 on what its own parser reads."""
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(theory_text(WIDE, [("", formula)]))
    return str(solver.check())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(and (= x (- 7)) (= (div x 2) (- 4)) (= (mod x 2) 1) (= (div x (- 2)) 4) (= (mod x (- 2)) 1))", True),
        ("(= (mod x (+ 1 (abs y))) (+ y 3))", True),
        ("(< (mod x (+ 1 (abs y))) 0)", False),
        ("(= (* x x) 2)", False),
        ("(= (div x 3 2) 4)", True),
        ("(and (= (abs x) 3) (< x 0) (= (- 1 x 1) 3))", True),
        ("(< 0 x y 2)", False),
        ("(let ((p (= p 1)) (q (= q 1))) (and (= p q false) (=> p q p) (xor p q true)))", True),
        ("(let ((p (= p 1))) (=> true p false))", True),
        ("(let ((p (= p 1))) (not (=> true p false)))", True),
        ("(let ((p (= p 1))) (and p (=> p p (not p))))", False),
        ("(let ((p (= p 1)) (q (= q 1))) (distinct p q true))", False),
        ("(let ((p (= p 1))) (= (ite p x y) (let ((x y) (y x)) (ite p y x))))", True),
        ("(let ((p (= p 1))) (distinct (ite p x y) (let ((x y) (y x)) (ite p y x))))", False),
        ("(let ((x (* 2 x))) (let ((y (* 2 x))) (= y (+ x 42))))", True),
        ("(= (* 2 x) 7)", False),
        ("(or (xor (< x 1) true (< y 1)) false)", True),
        ("(and (<= x y) (>= x y) (> (+ x y 1) (* 2 x y)) (distinct x y))", False),
    ],
)
def test_every_operator_is_what_z3_reads(text: str, found: bool) -> None:
    formula = opaque(text, NAMED.__getitem__)
    assert isinstance(Z3Engine(WIDE).check({"it": formula}, AMPLE), Satisfiable) is found
    assert parsed(formula) == ("sat" if found else "unsat")


FERMAT = "(and (> x 0) (> y 0) (= (+ (* x x x) (* y y y)) (* p p p)))"
CUBES = "(= (+ (* x x x) (* y y y) (* p p p)) 42)"


def pigeonhole(birds: int, holes: int) -> tuple[list[Variable], Formula]:
    """One bird more than holes, said pair by pair."""
    variables = [Variable(f"b{bird}", IntSort(1, holes)) for bird in range(birds)]
    apart = [f"(not (= b{i} b{j}))" for i in range(birds) for j in range(i)]
    return variables, opaque(f"(and {' '.join(apart)})", {own.name: own for own in variables}.__getitem__)


@pytest.mark.parametrize("text", [FERMAT, CUBES])
def test_what_takes_too_long_is_unknown(text: str) -> None:
    wide = {own.name: Variable(own.name, IntSort(-(10**12), 10**12)) for own in WIDE}
    found = make_engine(list(wide.values())).check({"it": opaque(text, wide.__getitem__)}, Budget(timeout_s=0.3))
    assert isinstance(found, Unknown)


def test_pigeons_are_unknown_in_time() -> None:
    variables, formula = pigeonhole(12, 11)
    assert isinstance(Z3Engine(variables).check({"it": formula}, Budget(timeout_s=0.2)), Unknown)


def test_names_that_are_commands_change_no_answer() -> None:
    text = "(and (= (* {x} {x}) 49) (< {y} {x} (* 3 {y})))"
    names = [("x", "y"), ("|assertion 0|", "|function 0; (exit)|"), ('|(echo "a")|', "|(set-option :rlimit 1)|")]
    for x, y in names:
        one, two = (Variable(own.strip("|"), IntSort(0, 9)) for own in (x, y))
        formula = opaque(text.format(x=x, y=y), {own.name: own for own in (one, two)}.__getitem__)
        found = Z3Engine([one, two]).check({"it": formula}, AMPLE)
        assert isinstance(found, Satisfiable)
        assert found.witness[one.name] == 7


def test_no_setting_of_z3_is_changed() -> None:
    names = ("timeout", "verbose", "memory_max_size", "smt.random_seed", "model", "unsat_core", "rlimit", "auto_config")
    before = [z3.get_param(name) for name in names]
    Z3Engine(WIDE).check({"it": opaque("(< x 3)", NAMED.__getitem__)}, Budget(timeout_s=1.0, conflicts=10))
    assert [z3.get_param(name) for name in names] == before


def test_the_engine_says_why_it_changed() -> None:
    engine = RoutedEngine(VARIABLES)
    assert engine.name != "z3"
    hidden = opaque("(= (* a a) 4)", BY_NAME.__getitem__)
    assert isinstance(engine.check({"x": hidden, "y": BY_NAME["a"] < 0}, AMPLE), Satisfiable)
    assert engine.name == "z3"
    assert "SMT-LIB text" in engine.reason


def test_a_foreign_variable_is_refused() -> None:
    hidden = opaque("(= (* z z) 4)", lambda name: Variable("z", IntSort(0, 3)))
    with pytest.raises(FormulaError, match="the engine has no variable 'z'"):
        make_engine(VARIABLES).check({"x": hidden}, AMPLE)


def test_declared_domains_can_state_them() -> None:
    domain = declare(
        {
            "name": "shifts",
            "attributes": [{"name": "day", "low": 1, "high": 5}],
            "constraint_types": [
                {
                    "name": "product",
                    "args": ["entity", "entity", {"integer": [1, 9]}],
                    "sentence": "{0} times {1} times {2} is at most the limit",
                    "formula": ["smt", "(<= (* $0.day $1.day $2) |#limit|)"],
                }
            ],
            "context": {"limit": 12},
        }
    )
    instance = domain.instance(["Ann", "Bob"], {})
    formula = instance.formula(instance.constraint("product", ["Ann", "Bob", 3]))
    assert str(formula) == "(<= (* Ann.day Bob.day 3) 12)"
