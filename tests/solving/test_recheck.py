from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import EngineFault, Soft
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.recheck import Confirmed, Found, recheck
from holdtrue.solving.result import BackgroundConflict, Core, Mcs, Mus, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.route import Preference
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, pigeons, theories
from tests.solving.optional import needs_cpsat

BACKGROUND = (B <= 0,)
SOFT = {"C1": A >= 2, "C2": A + B <= 1, "C3": B.eq(0), "C4": C.eq(1)}
partial = st.fixed_dictionaries({}, optional={"a": st.integers(0, 3), "c": st.integers(0, 2)})


@settings(deadline=None, max_examples=40)
@given(theories(), partial)
def test_what_one_engine_finds_the_other_confirms(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
    for kind, by in ((SatEngine, "z3"), (Z3Engine, "sat")):
        engine, other = kind(VARIABLES, BACKGROUND), by
        first = engine.check(soft, AMPLE, fixed=fixed)
        assert not isinstance(first, Unknown)
        assert isinstance(_again(first, soft, other, fixed), Confirmed)
        smaller = mus(engine, soft, AMPLE, fixed=fixed)
        assert isinstance(smaller, Mus | BackgroundConflict | Satisfiable)
        assert isinstance(_again(smaller, soft, other, fixed), Confirmed)
        correction = greedy_mss(engine, soft, AMPLE, fixed=fixed)
        assert isinstance(correction, Mcs | BackgroundConflict)
        assert isinstance(_again(correction, soft, other, fixed), Confirmed)


def _again(
    result: Found, soft: Soft = SOFT, by: str = "z3", fixed: dict[str, int] | None = None
) -> Confirmed | Unknown:
    preferred: Preference = "sat" if by == "sat" else "z3"
    return recheck(result, VARIABLES, BACKGROUND, soft, AMPLE, by=preferred, fixed=fixed)


@pytest.mark.parametrize("by", ["sat", "z3"])
@pytest.mark.parametrize(
    ("result", "fixed"),
    [
        (Core(("C1", "C2")), None),
        (Core(("C2", "C4")), None),
        (Core(()), None),
        (Core(("C2", "=a")), {"a": 2}),
        (Mus(("C1", "C2")), None),
        (Mus(("C1", "C2", "C3", "C4")), None),
        (Mcs(("C2", "C4"), ("C1", "C3"), {"a": 1, "b": 0, "c": 1, "d": 4, "e": 2}), None),
        (Mcs(("C1", "C2", "C3"), ("C4",), {"a": 2, "b": 0, "c": 1, "d": 4, "e": 2}), None),
        (BackgroundConflict(), None),
        (Satisfiable({"a": 2, "b": -1, "c": 1, "d": 4, "e": 2}), None),
        (Satisfiable({"a": 2, "b": 1, "c": 1, "d": 4, "e": 2}), None),
        (Satisfiable({"a": 2, "b": 0, "c": 1, "d": 9, "e": 2}), None),
        (Satisfiable({"a": 1, "b": 0, "c": 1, "d": 4, "e": 2}), {"a": 2}),
    ],
)
def test_what_is_not_so_is_a_fault(result: Found, fixed: dict[str, int] | None, by: str) -> None:
    with pytest.raises(EngineFault):
        _again(result, SOFT, by, fixed)


def test_a_verdict_without_reasons_is_about_all_that_was_asked() -> None:
    assert _again(Unsatisfiable()) == Confirmed("z3")
    with pytest.raises(EngineFault, match="C1, C2 cannot hold, z3 that it can"):
        _again(Unsatisfiable(), {"C1": A >= 2, "C2": A + B <= 1})


def test_a_core_is_confirmed_with_the_fixed_values_that_it_names() -> None:
    fixed = {"a": 3, "c": 1}
    assert _again(Core(("C2", "C3", "=a")), fixed=fixed) == Confirmed("z3")
    assert _again(Core(("C2", "C3", "=a", "=c")), fixed=fixed, by="sat") == Confirmed("minisat22")


@needs_cpsat
def test_the_extra_engine_can_be_asked_too() -> None:
    found = recheck(Mus(("C1", "C2", "C3")), VARIABLES, BACKGROUND, SOFT, AMPLE, by="cp-sat")
    assert found == Confirmed("cp-sat")


def test_no_answer_in_time_is_unknown() -> None:
    birds, bare = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(bare)}
    found = recheck(Core(tuple(soft)), birds, [], soft, Budget(0.05), by="sat")
    assert isinstance(found, Unknown)


def test_what_the_other_engine_cannot_take_is_unknown() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(6)]
    soft = {"C1": Sum(tuple((1, variable) for variable in wide)) >= 600}
    found = recheck(Core(("C1",)), wide, [], soft, AMPLE, by="sat")
    assert isinstance(found, Unknown)
    assert "clauses" in found.reason
