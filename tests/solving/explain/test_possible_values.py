from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Compare, Comparison, Constant, Element, Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, EngineFault
from holdtrue.solving.explain.mus import used_bounds
from holdtrue.solving.explain.possible_values import possible_values, runs
from holdtrue.solving.result import PossibleValues, Unknown, Unsatisfiable
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, possible, witnesses
from tests.solving.explain.drawn import theories
from tests.solving.explain.tiring import Tiring

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)


def by_brute_force(soft: Mapping[str, Formula]) -> dict[str, list[int]]:
    every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()))
    return {v.name: sorted({values[v.name] for values in every}) for v in VARIABLES}


def ends(values: list[int]) -> PossibleValues:
    """The range of these values, and nothing said about what is between."""
    low, high = values[0], values[-1]
    return PossibleValues(tuple(sorted({low, high})), ((low + 1, high - 1),) if low + 1 < high else ())


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 60), (Z3, 10)], ids=["sat", "z3"])
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
    whole = Tiring(SatEngine(VARIABLES, BACKGROUND), 999)
    assert isinstance(possible_values(whole, soft, AMPLE, listed=listed), dict)
    assert whole.asked > 5
    for answers in range(1, whole.asked):
        found = possible_values(Tiring(SatEngine(VARIABLES, BACKGROUND), answers), soft, AMPLE, listed=listed)
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


X, Y, Z = (Variable(name, IntSort(0, 4)) for name in "xyz")
FEW = (X, Y, Z)
FAR = range(-40, 41)
"""Far beyond what two variables with so small coefficients can tell apart."""


def linear() -> st.SearchStrategy[Formula]:
    factors = st.sampled_from([-2, -1, 0, 1, 2])
    relations: st.SearchStrategy[Comparison] = st.sampled_from(["<=", ">=", "=="])
    return st.builds(
        lambda a, b, op, right: Compare(op, Sum(((a, X), (b, Y))), Constant(right)),
        factors,
        factors,
        relations,
        st.integers(-6, 9),
    )


@settings(deadline=None, max_examples=25)
@given(drawn=st.lists(linear(), min_size=1, max_size=3))
def test_the_bounds_are_needed_and_suffice(drawn: list[Formula]) -> None:
    """The twin lets both variables range widely, and has the bounds as formulas like others."""
    soft = {f"c{number}": formula for number, formula in enumerate(drawn, 1)}
    assume(not possible((X, Y), drawn))
    bounds = {"x >= 0": X >= 0, "x <= 4": X <= 4, "y >= 0": Y >= 0, "y <= 4": Y <= 4}

    def can(kept: Iterable[str]) -> bool:
        checks = [formula.holds for formula in (*drawn, *(bounds[bound] for bound in kept))]
        return any(all(holds({"x": x, "y": y}) for holds in checks) for x in FAR for y in FAR)

    found = used_bounds(FEW, soft, tuple(soft), AMPLE)
    assert [bound for bound in bounds if bound in found] == list(found)
    assert not can(found)
    assert all(can(kept for kept in found if kept != spared) for spared in found)


SOFT: Mapping[str, Formula] = {"c1": (3 * X + Y).eq(43), "c2": X + 1 <= Y, "c3": Y <= X, "c4": Z >= 0}


def test_a_conflict_of_constraints_alone_rests_on_no_bound() -> None:
    assert used_bounds(FEW, SOFT, ("c2", "c3"), AMPLE) == ()


def test_out_of_time_every_bound_that_could_matter_is_named() -> None:
    assert used_bounds(FEW, SOFT, ("c1",), Budget(timeout_s=0.0)) == ("x >= 0", "x <= 4", "y >= 0", "y <= 4")


def test_what_is_no_conflict_is_refused() -> None:
    with pytest.raises(EngineFault, match="c2, c4"):
        used_bounds(FEW, SOFT, ("c2", "c4"), AMPLE)


def test_beyond_its_bounds_an_index_has_no_entries() -> None:
    soft = {"c1": Element((1, 2, 3, 4, 5), X) >= 6}
    with pytest.raises(FormulaError, match="table"):
        used_bounds(FEW, soft, ("c1",), AMPLE)
