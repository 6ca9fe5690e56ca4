from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.mus import all_mus
from holdtrue.solving.result import AllMuses, BackgroundConflict, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C
from tests.solving.explain.drawn import theories
from tests.solving.explain.naive import Theory
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)
STEPS = {"at least 1": A >= 1, "at least 2": A >= 2, "at least 3": A >= 3, "at most 0": A <= 0, "at most 1": A <= 1}


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 100), (Z3, 25)], ids=["sat", "z3"])
def test_they_are_all_and_no_others(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
        result = all_mus(engine, soft, AMPLE, fixed=fixed)
        theory = Theory(VARIABLES, BACKGROUND, soft, fixed)
        if theory.possible(soft):
            assert isinstance(result, Satisfiable)
        else:
            assert result == AllMuses(tuple(theory.muses()), tuple(theory.mcses()), complete=True)

    law()


@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_capped_enumeration_says_that_it_is_not_complete(most: int) -> None:
    theory = Theory(VARIABLES, BACKGROUND, STEPS)
    assert len(theory.muses()) == 5
    result = all_mus(SAT, STEPS, AMPLE, most=most)
    assert isinstance(result, AllMuses)
    assert not result.complete
    assert result.reason == f"there are more than {most}"
    assert max(len(result.muses), len(result.mcses)) == most
    assert set(result.muses) <= set(theory.muses())
    assert set(result.mcses) <= set(theory.mcses())


def test_just_as_many_as_the_cap_are_complete() -> None:
    result = all_mus(SAT, STEPS, AMPLE, most=5)
    assert isinstance(result, AllMuses)
    assert result.complete
    assert len(result.muses) == 5


def test_an_impossible_background_is_said() -> None:
    assert all_mus(SAT, {"one": A.eq(1)}, AMPLE, fixed={"a": 1, "b": 1}) == BackgroundConflict()


def test_out_of_time_what_was_found_is_right_and_not_called_complete() -> None:
    theory = Theory(VARIABLES, BACKGROUND, STEPS)
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 99)
    assert all_mus(whole, STEPS, AMPLE) == AllMuses(tuple(theory.muses()), tuple(theory.mcses()), complete=True)
    found = set()
    for answers in range(whole.asked):
        result = all_mus(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), STEPS, AMPLE)
        if answers < 2:
            assert result == Unknown("tired")
            continue
        assert isinstance(result, AllMuses)
        assert not result.complete
        assert result.reason
        assert set(result.muses) <= set(theory.muses())
        assert set(result.mcses) <= set(theory.mcses())
        found.add(len(result.muses))
    assert found == {0, 1, 2, 3, 4}, "what was found so far is not thrown away"
    assert isinstance(all_mus(SAT, STEPS, Budget(timeout_s=0.0)), Unknown)
