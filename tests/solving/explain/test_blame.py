from __future__ import annotations

from typing import Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving.engine import Engine, EngineFactory, fixed_id
from holdtrue.solving.explain.blame import blame
from holdtrue.solving.result import BackgroundConflict, Blame, Core, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, possible
from tests.solving.explain.drawn import theories
from tests.solving.explain.tiring import Tiring

Side = Literal["commitments", "values"]
BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)
SIDES: tuple[Side, ...] = get_args(Side)

partial = st.fixed_dictionaries(
    {}, optional={"a": st.integers(0, 3), "b": st.integers(-2, 2), "c": st.integers(0, 2), "d": st.integers(4, 5)}
)


def _with_one_less(some: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [(*some[:place], *some[place + 1 :]) for place in range(len(some))]


@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize(("engine", "examples"), [(SAT, 80), (Z3, 20)], ids=["sat", "z3"])
def test_both_sides_are_minimal_together_and_the_first_beside_all_of_the_other(
    engine: Engine, examples: int, first: Side
) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(most=5), partial)
    def law(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
        def fits(ids: tuple[str, ...], names: tuple[str, ...]) -> bool:
            formulas = (*BACKGROUND, *(soft[id] for id in ids))
            return possible(VARIABLES, formulas, {name: fixed[name] for name in names})

        result = blame(engine, soft, fixed, AMPLE, first=first)
        if fits(tuple(soft), tuple(fixed)):
            assert isinstance(result, Satisfiable)
            return
        assert isinstance(result, Blame)
        ids, names = result.ids, result.values
        assert not fits(ids, names)
        beside_ids, beside_names = (ids, tuple(fixed)) if first == "commitments" else (tuple(soft), names)
        assert all(fits(fewer, beside_names) for fewer in _with_one_less(ids))
        assert all(fits(beside_ids, fewer) for fewer in _with_one_less(names))

    law()


@pytest.mark.parametrize("kind", [SatEngine, Z3Engine], ids=["sat", "z3"])
def test_the_values_and_the_commitments_that_clash(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, ())
    soft = {"sum": A + B >= 2, "apart": abs(A - D) >= 3, "red": C.eq(0)}
    for first in SIDES:
        assert blame(engine, soft, {"c": 0, "d": 4, "b": 0}, AMPLE, first=first) == Blame(("sum", "apart"), ("d", "b"))
    assert blame(engine, {"low": A <= 1, "high": A >= 2}, {"c": 2}, AMPLE) == Blame(("low", "high"), ())
    assert blame(engine, soft, {"c": 0, "d": 9}, AMPLE) == Blame((), ("d",))
    assert blame(kind(VARIABLES, BACKGROUND), soft, {"d": 4, "c": 0, "b": 0}, AMPLE) == Blame((), ("c", "b"))


def test_an_impossible_background_is_said() -> None:
    assert blame(SatEngine(VARIABLES, [A < 0]), {"one": A.eq(1)}, {"b": 0}, AMPLE) == BackgroundConflict()


@pytest.mark.parametrize("first", SIDES)
def test_out_of_time_it_is_only_a_core(first: Side) -> None:
    soft = {"sum": A + B >= 2, "apart": abs(A - D) >= 3, "red": C.ne(0)}
    fixed = {"c": 1, "d": 4, "b": 0}
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 99)
    assert isinstance(blame(whole, soft, fixed, AMPLE, first=first), Blame)
    for answers in range(whole.asked):
        result = blame(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), soft, fixed, AMPLE, first=first)
        if not answers:
            assert result == Unknown("tired")
            continue
        assert isinstance(result, Core)
        core = [formula for id, formula in soft.items() if id in result.ids]
        values = {name: value for name, value in fixed.items() if fixed_id(name) in result.ids}
        assert not possible(VARIABLES, (*BACKGROUND, *core), values)
    assert isinstance(blame(SAT, soft, fixed, Budget(timeout_s=0.0)), Unknown)
