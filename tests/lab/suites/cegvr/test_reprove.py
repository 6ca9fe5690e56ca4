"""Labels that are proved again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.lab.suites.cegvr.notation import notation
from holdtrue.lab.suites.cegvr.reprove import proved
from holdtrue.solving.engine import EngineFault
from tests.lab.suites.cegvr.constraints import VARIABLES, X, Y, Z

FORMULAS = {"c1": X + Y >= 2, "c2": Y.eq(1), "c3": Z <= X}
PROBLEM = SearchProblem(
    id="p",
    suite="cegvr",
    domain="linear",
    variables=VARIABLES,
    constraints=tuple(Requirement(id, notation(formula), formula) for id, formula in FORMULAS.items()),
    gold="sat",
    difficulty="easy",
    metadata={"planted": {"x1": 2, "x2": 1, "x3": 1}, "note": "kept"},
)


def test_two_solvers_are_named() -> None:
    assert proved(PROBLEM).metadata == {**PROBLEM.metadata, "proved_by": ["sat", "z3"]}


def test_the_other_label_is_a_fault() -> None:
    with pytest.raises(EngineFault, match="p was made to be unsat, and is sat"):
        proved(replace(PROBLEM, gold="unsat", metadata={}))
    impossible = (*PROBLEM.constraints, Requirement("c4", "x1 <= 0", X <= 0))
    with pytest.raises(EngineFault, match="p was made to be sat, and is unsat"):
        proved(replace(PROBLEM, constraints=impossible, metadata={}))


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param({"x1": 0, "x2": 1, "x3": 1}, id="breaks a constraint"),
        pytest.param({"x1": 2, "x2": 1}, id="lacks a value"),
        pytest.param({"x1": 4, "x2": 1, "x3": 1}, id="leaves the bounds"),
    ],
)
def test_what_was_planted_has_to_be_a_solution(planted: dict[str, int]) -> None:
    assert not PROBLEM.is_solution(planted)
    with pytest.raises(EngineFault, match="what was planted does not satisfy it"):
        proved(replace(PROBLEM, metadata={"planted": planted}))
