from __future__ import annotations

import pytest

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.engine import EngineFault, Near, confirm
from holdtrue.solving.kept_solver import FIRST_CHUNK
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, pigeons


@pytest.mark.parametrize("conflicts", [0, 1, 50, FIRST_CHUNK + 1])
def test_a_budget_of_conflicts_ends_in_unknown_and_says_so(conflicts: int) -> None:
    birds, opaque = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    engine = SatEngine(birds)
    result = engine.check(soft, Budget(timeout_s=None, conflicts=conflicts))
    assert result == Unknown(f"the budget of {conflicts} conflicts ran out")
    soft.pop("c0")
    assert isinstance(engine.check(soft, AMPLE), Satisfiable), "the next question starts afresh"


def test_several_chunks_lead_to_a_verdict() -> None:
    birds, opaque = pigeons(8, 7)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    assert isinstance(SatEngine(birds).check(soft, Budget(timeout_s=None, conflicts=FIRST_CHUNK)), Unknown)
    assert isinstance(SatEngine(birds).check(soft, Budget(timeout_s=None)), Core)


def test_questions_do_not_make_the_solver_grow() -> None:
    engine = SatEngine(VARIABLES, [AllDifferent((A, B))])
    soft = {"sum": A + B <= 2, "apart": abs(A - B) >= 2}

    def ask_everything() -> None:
        for a in range(-1, 5):
            for b in range(-2, 2):
                for changes in range(3):
                    engine.check(soft, AMPLE, near=Near({"a": a, "b": b}, changes))
                engine.check({**soft, "fresh copy": A + B <= 2}, AMPLE, fixed={"b": b})

    ask_everything()
    size = engine._assuming.solver.size
    ask_everything()
    assert engine._assuming.solver.size == size


def test_too_large_a_formula_is_named_not_encoded() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(4)]
    total = Sum(tuple((1, variable) for variable in wide)) <= 100
    with pytest.raises(FormulaTooLarge, match="1000000 clauses"):
        SatEngine(wide, [total])
    engine = SatEngine(wide)
    with pytest.raises(FormulaTooLarge):
        engine.check({"total": total}, AMPLE)
    assert isinstance(engine.check({"small": wide[0] < wide[1]}, AMPLE), Satisfiable)


@pytest.mark.parametrize(
    ("witness", "fixed", "near"),
    [({"a": 2}, {}, None), ({"a": 0}, {"a": 1}, None), ({"a": 0}, {}, Near({"a": 1}, 0))],
)
def test_a_witness_that_direct_evaluation_refutes_is_a_fault(
    witness: dict[str, int], fixed: dict[str, int], near: Near | None
) -> None:
    with pytest.raises(EngineFault, match="direct evaluation"):
        confirm(witness, [A <= 1], fixed, near, "any")
    assert confirm({"a": 1}, [A <= 1], {"a": 1}, Near({"a": 0}, 1), "any") == Satisfiable({"a": 1})
