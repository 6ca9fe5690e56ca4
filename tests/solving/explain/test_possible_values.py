from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.possible_values import count_witnesses, possible_values, runs
from holdtrue.solving.result import PossibleValues, Satisfiable, Unknown, Unsatisfiable, WitnessCount
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, witnesses
from tests.solving.explain.drawn import BACKGROUND, SAT, both, theories, tiring
from tests.solving.explain.tiring import Tiring

NAMES = tuple(variable.name for variable in VARIABLES)


def by_brute_force(soft: Mapping[str, Formula]) -> dict[str, list[int]]:
    every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()))
    return {v.name: sorted({values[v.name] for values in every}) for v in VARIABLES}


def ends(values: list[int]) -> PossibleValues:
    """The range of these values, with nothing known between its ends."""
    low, high = values[0], values[-1]
    return PossibleValues(tuple(sorted({low, high})), ((low + 1, high - 1),) if low + 1 < high else ())


@both(60, 10)
def test_they_are_what_all_witnesses_have(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(most=4))
    def law(soft: dict[str, Formula]) -> None:
        expected = by_brute_force(soft)
        listed, ranges = possible_values(engine, soft, AMPLE), possible_values(engine, soft, AMPLE, listed=0)
        if not expected["a"]:
            assert isinstance(listed, Unsatisfiable) and isinstance(ranges, Unsatisfiable)
            return
        assert listed == {name: PossibleValues(tuple(values)) for name, values in expected.items()}
        assert ranges == {name: ends(values) for name, values in expected.items()}

    law()


def test_ends_of_wide_variables_take_few_questions() -> None:
    x, y = Variable("x", IntSort(0, 10**9)), Variable("y", IntSort(-(10**9), 10**9))
    engine = Tiring(Z3Engine([x, y], [x + y >= 2 * 10**9 - 2, x >= 10**9 - 1]), 150)
    assert possible_values(engine, {}, AMPLE) == {
        "x": PossibleValues((10**9 - 1, 10**9)),
        "y": PossibleValues((10**9 - 2, 10**9), ((10**9 - 1, 10**9 - 1),)),
    }


@pytest.mark.parametrize("listed", [0, 50])
def test_out_of_time_what_is_told_is_true_and_the_rest_is_open(listed: int) -> None:
    soft = {"sum": A + B >= 2}
    expected = by_brute_force(soft)
    whole = tiring()
    assert isinstance(possible_values(whole, soft, AMPLE, listed=listed), dict)
    assert whole.asked > 5
    for answers in range(1, whole.asked):
        found = possible_values(tiring(answers), soft, AMPLE, listed=listed)
        assert isinstance(found, dict)
        assert any(known.reason == "tired" for known in found.values())
        for name, known in found.items():
            assert set(known.values) <= set(expected[name])
            open = {value for part in known.open for value in IntSort(*part).values}
            assert set(expected[name]) <= open | set(known.values)
            assert open.isdisjoint(known.values)
            assert known.open or known.reason is None


def test_without_any_time_nothing_is_known() -> None:
    assert isinstance(possible_values(Tiring(SAT, 0), {}, AMPLE), Unknown)
    assert isinstance(possible_values(SatEngine(VARIABLES, BACKGROUND), {}, Budget(0.0)), Unknown)


def test_runs_join_what_is_next_to_each_other() -> None:
    assert list(runs([])) == []
    assert list(runs([1, 2, 3, 7, 9, 10])) == [(1, 3), (7, 7), (9, 10)]


@both(60, 10)
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
    whole = tiring()
    assert count_witnesses(whole, soft, AMPLE).count == every
    for answers in range(whole.asked):
        result = count_witnesses(tiring(answers), soft, AMPLE)
        assert not result.exact
        assert result.reason == "tired"
        assert result.count <= every


def test_variables_of_another_theory_are_refused() -> None:
    with pytest.raises(FormulaError, match="'z'"):
        count_witnesses(SAT, {}, AMPLE, variables=["a", "z"])
