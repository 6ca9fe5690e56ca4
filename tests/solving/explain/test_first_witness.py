from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.result import Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, witnesses
from tests.solving.explain.drawn import theories
from tests.solving.explain.tiring import Tiring

NAMES = [variable.name for variable in VARIABLES]
SAT, Z3 = SatEngine(VARIABLES), Z3Engine(VARIABLES)


@settings(deadline=None, max_examples=60)
@given(theories(most=3), st.permutations(NAMES), st.dictionaries(st.just("b"), st.integers(-2, 1)))
def test_it_is_the_first_of_all_witnesses(soft: dict[str, Formula], order: list[str], fixed: dict[str, int]) -> None:
    result = first_witness(SAT, soft, AMPLE, order, fixed=fixed)
    every = witnesses(VARIABLES, soft.values(), fixed)
    if not every:
        assert isinstance(result, Unsatisfiable)
        return
    assert result == Satisfiable(min(every, key=lambda values: [values[name] for name in order]))
    if order == NAMES:
        assert result == Satisfiable(every[0])


@settings(deadline=None, max_examples=25)
@given(theories(most=3))
def test_it_does_not_depend_on_the_engine(soft: dict[str, Formula]) -> None:
    one, other = first_witness(SAT, soft, AMPLE), first_witness(Z3, soft, AMPLE)
    assert one == other or (isinstance(one, Unsatisfiable) and isinstance(other, Unsatisfiable))


@pytest.mark.parametrize("engine", [SAT, Z3], ids=["sat", "z3"])
def test_an_order_decides_only_what_it_names(engine: Engine) -> None:
    result = first_witness(engine, {"sum": A + B >= 2}, AMPLE, ["b"])
    assert isinstance(result, Satisfiable)
    assert result.witness["b"] == -1


def test_large_domains_are_bisected() -> None:
    x, y = Variable("x", IntSort(0, 10**9)), Variable("y", IntSort(-(10**9), 10**9))
    engine = Z3Engine([x, y], [x + y >= 1_234_567_890])
    result = first_witness(engine, {"gap": abs(x - y) >= 1_000}, AMPLE)
    assert result == Satisfiable({"x": 234_567_890, "y": 10**9})


def test_out_of_time_there_is_no_first() -> None:
    for answers in range(3):
        assert first_witness(Tiring(SAT, answers), {"sum": A + B >= 4}, AMPLE) == Unknown("tired")
