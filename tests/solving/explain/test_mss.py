from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.result import BackgroundConflict, Mcs, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, possible
from tests.solving.explain.drawn import theories
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


def _naive(soft: dict[str, Formula], order: list[str], fixed: dict[str, int]) -> set[str]:
    kept: set[str] = set()
    for id in order:
        if possible(VARIABLES, (*BACKGROUND, soft[id], *(soft[other] for other in kept)), fixed):
            kept.add(id)
    return kept


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 80), (Z3, 25)], ids=["sat", "z3"])
def test_it_keeps_what_the_naive_way_keeps(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(), st.randoms(use_true_random=False), st.dictionaries(st.just("d"), st.integers(4, 5)))
    def law(soft: dict[str, Formula], random: st.DataObject, fixed: dict[str, int]) -> None:
        order = list(soft)
        random.shuffle(order)  # type: ignore[attr-defined]
        result = greedy_mss(engine, soft, AMPLE, order, fixed=fixed)
        assert isinstance(result, Mcs)
        kept = _naive(soft, order, fixed)
        assert result.kept == tuple(id for id in soft if id in kept)
        assert result.set_aside == tuple(id for id in soft if id not in kept)
        assert all(evaluate(soft[id], result.witness) for id in kept)

    law()


def test_the_order_decides_and_unnamed_ids_come_last() -> None:
    soft = {"low": A <= 1, "colour": C.eq(1), "high": A >= 2}
    for order, aside in [(None, "high"), (["high"], "low"), (["low", "high"], "high")]:
        result = greedy_mss(SAT, soft, AMPLE, order)
        assert isinstance(result, Mcs)
        assert result.set_aside == (aside,)


@pytest.mark.parametrize("engine", [SAT, Z3], ids=["sat", "z3"])
def test_values_that_break_the_background_leave_nothing_to_set_aside(engine: Engine) -> None:
    assert greedy_mss(engine, {"one": A.eq(1)}, AMPLE, fixed={"a": 1, "b": 1}) == BackgroundConflict()


def test_without_time_nothing_is_set_aside() -> None:
    assert isinstance(greedy_mss(SAT, {"one": A.eq(9)}, Budget(timeout_s=0.0)), Unknown)


def test_a_conflict_that_the_last_statement_closes_takes_two_questions() -> None:
    soft = {"low": A <= 1, "colour": C.eq(2), "other": B.eq(0), "high": A >= 2}
    result = greedy_mss(Tiring(SatEngine(VARIABLES, BACKGROUND), 2), soft, AMPLE)
    assert isinstance(result, Mcs)
    assert result.set_aside == ("high",)


def test_out_of_time_nothing_is_called_maximal() -> None:
    soft = {"zero": A.eq(0), "one": A >= 1, "two": A >= 2, "low": B < 0, "high": B > 0}
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 99)
    assert isinstance(greedy_mss(whole, soft, AMPLE), Mcs)
    for answers in range(whole.asked):
        assert greedy_mss(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), soft, AMPLE) == Unknown("tired")
