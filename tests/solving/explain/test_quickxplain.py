from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.quickxplain import quickxplain
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C
from tests.solving.explain.drawn import theories
from tests.solving.explain.naive import Theory, late_first
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 80), (Z3, 25)], ids=["sat", "z3"])
def test_it_is_the_preferred_of_all_muses(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.randoms(use_true_random=False), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], random: st.DataObject, fixed: dict[str, int]) -> None:
        order = list(soft)
        random.shuffle(order)  # type: ignore[attr-defined]
        result = quickxplain(engine, soft, AMPLE, order=order, fixed=fixed)
        muses = Theory(VARIABLES, BACKGROUND, soft, fixed).muses()
        if muses:
            assert result == Mus(min(muses, key=lambda ids: late_first(ids, order)))
        else:
            assert isinstance(result, Satisfiable)

    law()


def test_by_default_the_first_are_preferred_and_unnamed_ids_come_last() -> None:
    soft = {"low": A <= 1, "colour": C.eq(1), "high": A >= 2, "higher": A >= 3}
    assert quickxplain(SAT, soft, AMPLE) == Mus(("low", "high"))
    assert quickxplain(SAT, soft, AMPLE, order=["higher", "colour"]) == Mus(("low", "higher"))


def test_a_small_conflict_among_many_takes_few_questions() -> None:
    soft: dict[str, Formula] = {f"c{number}": A - number <= 3 for number in range(1_000)}
    soft |= {"c37": A <= 0, "c974": A >= 1}
    engine = Tiring(SAT, 50)
    assert quickxplain(engine, soft, AMPLE) == Mus(("c37", "c974"))


def test_an_impossible_background_is_said() -> None:
    assert quickxplain(SAT, {"one": A.eq(1)}, AMPLE, fixed={"a": 1, "b": 1}) == BackgroundConflict()
    assert quickxplain(SatEngine(VARIABLES, [A < 0]), {"one": A.eq(1)}, AMPLE) == BackgroundConflict()


def test_out_of_time_it_is_a_core_and_not_called_minimal() -> None:
    soft = {"low": A <= 1, "colour": C.eq(1), "high": A >= 2, "sum": A + B >= 4, "higher": A >= 3}
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 99)
    assert isinstance(quickxplain(whole, soft, AMPLE), Mus)
    theory = Theory(VARIABLES, BACKGROUND, soft)
    for answers in range(whole.asked):
        result = quickxplain(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), soft, AMPLE)
        assert isinstance(result, Core if answers else Unknown), answers
        assert not isinstance(result, Core) or not theory.possible(result.ids)
    assert isinstance(quickxplain(SAT, soft, Budget(timeout_s=0.0)), Unknown)
