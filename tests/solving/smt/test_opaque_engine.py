"""Opaque formulas beside all others in an engine: they go to z3, and mean there what their closure says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.opaque import opaque
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.result import Core, Satisfiable
from holdtrue.solving.route import RoutedEngine, make_engine
from holdtrue.world.declared import declare
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
