from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.possible_values import count_witnesses
from holdtrue.solving.result import Satisfiable, WitnessCount
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, witnesses
from tests.solving.explain.drawn import theories
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)
NAMES = tuple(variable.name for variable in VARIABLES)


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 60), (Z3, 10)], ids=["sat", "z3"])
def test_it_is_the_number_of_all_witnesses(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(
        theories(most=3),
        st.none() | st.lists(st.sampled_from(NAMES), max_size=3),
        st.dictionaries(st.sampled_from("ad"), st.integers(3, 4)),
    )
    def law(soft: dict[str, Formula], variables: list[str] | None, fixed: dict[str, int]) -> None:
        every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()), fixed)
        names = NAMES if variables is None else variables
        expected = len({tuple(values[name] for name in names) for values in every})
        assert count_witnesses(engine, soft, AMPLE, variables=variables, fixed=fixed) == WitnessCount(expected, True)

    law()


@pytest.mark.parametrize("most", [1, 5, 15])
def test_up_to_the_bound_it_is_exact(most: int) -> None:
    soft = {"sum": A + B >= 2}
    every = len(witnesses(VARIABLES, (*BACKGROUND, *soft.values())))
    assert every > 15
    assert count_witnesses(SAT, soft, AMPLE, most=every + 1) == WitnessCount(every, True)
    result = count_witnesses(SAT, soft, AMPLE, most=most)
    assert (result.count, result.exact) == (most, False)
    assert result.reason


def test_nothing_is_left_behind() -> None:
    soft = {"sum": A + B >= 2}
    for engine in (SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)):
        assert count_witnesses(engine, soft, AMPLE).exact
        for values in witnesses(VARIABLES, (*BACKGROUND, *soft.values())):
            assert engine.check(soft, AMPLE, fixed=values) == Satisfiable(values), "what was counted is still there"


def test_few_witnesses_in_wide_domains_take_few_questions() -> None:
    x, y = Variable("x", IntSort(0, 10**9)), Variable("y", IntSort(-(10**9), 10**9))
    engine = Tiring(Z3Engine([x, y], [x + y >= 2 * 10**9 - 2]), 40)
    assert count_witnesses(engine, {}, AMPLE) == WitnessCount(6, True)
    assert count_witnesses(engine, {"equal": x.eq(y)}, AMPLE, variables=["x"]) == WitnessCount(2, True)


def test_out_of_time_it_is_a_lower_bound() -> None:
    soft = {"sum": A + B >= 2}
    every = len(witnesses(VARIABLES, (*BACKGROUND, *soft.values())))
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 999)
    assert count_witnesses(whole, soft, AMPLE).count == every
    for answers in range(whole.asked):
        result = count_witnesses(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), soft, AMPLE)
        assert not result.exact
        assert result.reason == "tired"
        assert result.count <= every


def test_variables_of_another_theory_are_refused() -> None:
    with pytest.raises(FormulaError, match="'z'"):
        count_witnesses(SAT, {}, AMPLE, variables=["a", "z"])
