from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.mus import smallest_mus
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, SmallestMus, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D
from tests.solving.explain.drawn import theories
from tests.solving.explain.naive import Theory, late_first
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)

TANGLED = {
    "sum": A + B + C >= 3,
    "less": A + B <= 1,
    "not blue": C.ne(2),
    "low": D.eq(4),
    "high": D.eq(5),
}
"""Two MUSes: of three, which deletion finds first, and of two."""


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 100), (Z3, 25)], ids=["sat", "z3"])
def test_it_is_the_smallest_of_all_muses(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
        result = smallest_mus(engine, soft, AMPLE, fixed=fixed)
        muses = Theory(VARIABLES, BACKGROUND, soft, fixed).muses()
        if muses:
            assert result == SmallestMus(min(muses, key=lambda ids: (len(ids), late_first(ids, list(soft)))))
        else:
            assert isinstance(result, Satisfiable)

    law()


def test_an_impossible_background_is_said() -> None:
    assert smallest_mus(SAT, {"one": A.eq(1)}, AMPLE, fixed={"a": 1, "b": 1}) == BackgroundConflict()


def test_out_of_time_it_is_not_called_the_smallest() -> None:
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 99)
    assert isinstance(smallest_mus(whole, TANGLED, AMPLE), SmallestMus)
    muses = Theory(VARIABLES, BACKGROUND, TANGLED).muses()
    kinds = []
    for answers in range(whole.asked):
        result = smallest_mus(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), TANGLED, AMPLE)
        kinds.append(type(result))
        if isinstance(result, Mus):
            assert result.ids in muses
    assert kinds[0] is Unknown
    assert set(kinds) == {Unknown, Core, Mus}
    assert isinstance(smallest_mus(SAT, TANGLED, Budget(timeout_s=0.0)), Unknown)
