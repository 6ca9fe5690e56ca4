from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Compare, Comparison, Constant, Element, Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, EngineFault, Soft, fixed_id
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.explain.mus import all_mus, mus, smallest_mus, used_bounds
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import AllMuses, BackgroundConflict, Core, Mus, Satisfiable, SmallestMus, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, is_mus, pigeons, possible
from tests.solving.explain.drawn import BACKGROUND, SAT, Z3, both, theories, tiring
from tests.solving.explain.naive import Theory, late_first
from tests.solving.standin import StandIn

OPEN_SAT, OPEN_Z3 = SatEngine(VARIABLES), Z3Engine(VARIABLES)


def _minimal(other: Engine, soft: Soft, ids: tuple[str, ...], fixed: dict[str, int]) -> bool:
    """Unsat, and sat without any one of them, in the eyes of another engine."""
    whole = other.check({id: soft[id] for id in ids}, AMPLE, fixed=fixed)
    smaller = [
        other.check({id: soft[id] for id in kept}, AMPLE, fixed=fixed) for kept in combinations(ids, len(ids) - 1)
    ]
    return isinstance(whole, Core) and all(isinstance(result, Satisfiable) for result in smaller)


@pytest.mark.parametrize(("engine", "other"), [(OPEN_SAT, OPEN_Z3), (OPEN_Z3, OPEN_SAT)], ids=["sat", "z3"])
@settings(deadline=None, max_examples=60)
@given(soft=theories(), fixed=st.dictionaries(st.sampled_from("abc"), st.integers(0, 1), max_size=2))
def test_a_mus_is_minimal_for_the_other_engine_and_for_brute_force(
    engine: Engine, other: Engine, soft: dict[str, Formula], fixed: dict[str, int]
) -> None:
    result = mus(engine, soft, AMPLE, fixed=fixed)
    if isinstance(result, Satisfiable):
        assert possible(VARIABLES, soft.values(), fixed)
        return
    assert isinstance(result, Mus)
    assert _minimal(other, soft, result.ids, fixed)
    assert is_mus(VARIABLES, (), soft, result.ids, fixed)


class Blunt(StandIn):
    """An engine with useless cores: they always name the whole question."""

    name = "blunt"
    variables = OPEN_SAT.variables

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        result = OPEN_SAT.check(soft, budget, fixed=fixed)
        return Core((*soft, *map(fixed_id, fixed or ()))) if isinstance(result, Core) else result


@settings(deadline=None, max_examples=60)
@given(soft=theories(most=8), fixed=st.dictionaries(st.sampled_from("abc"), st.integers(0, 1), max_size=2))
def test_minimality_does_not_rest_on_good_cores(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
    result = mus(Blunt(), soft, AMPLE, fixed=fixed)
    assert isinstance(result, Satisfiable | Mus)
    if isinstance(result, Mus):
        assert is_mus(VARIABLES, (), soft, result.ids, fixed)


def test_one_of_early_commitments_is_preferred_and_ids_keep_their_order() -> None:
    soft = {"low": A <= 1, "other": C.eq(1), "high": A >= 2, "later": A <= 1, "more": A >= 3}
    # Fresh engines, because a solver's cores depend on earlier questions, and `mus` begins with a core.
    assert mus(SatEngine(VARIABLES), soft, AMPLE) == Mus(("low", "high"))
    assert mus(Z3Engine(VARIABLES), soft, AMPLE) == Mus(("low", "high"))


@pytest.mark.parametrize("kind", [SatEngine, Z3Engine])
def test_an_impossible_background_leaves_nothing_to_blame(kind: type[SatEngine | Z3Engine]) -> None:
    birds, opaque = pigeons(5, 4)
    soft = {"one": birds[0].eq(1), "two": birds[1].eq(2), "three": birds[2].ne(3)}
    assert mus(kind(birds, opaque), soft, AMPLE) == BackgroundConflict()


def test_without_a_budget_nothing_is_claimed() -> None:
    birds, opaque = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    assert isinstance(mus(SatEngine(birds), soft, Budget(conflicts=100)), Unknown)


def test_where_minimality_is_not_proved_it_is_only_a_core() -> None:
    birds, opaque = pigeons(6, 5)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    engine = SatEngine(birds, [birds[0].eq(1), birds[1].eq(2)])
    # The unsat question is learned with plenty of conflicts; the sat ones need some again, and get none.
    proved = mus(engine, soft, AMPLE)
    assert isinstance(proved, Mus)

    class Hasty(StandIn):
        """The same engine, but after its first answer it never has time."""

        name = "hasty"
        variables = engine.variables
        asked = 0

        def check(self, soft: Soft, budget: Budget, **more: object) -> Satisfiable | Core | Unknown:
            self.asked += 1
            return engine.check(soft, budget) if self.asked == 1 else Unknown("no time")

    result = mus(Hasty(), soft, AMPLE)
    assert isinstance(result, Core)
    assert set(proved.ids) <= set(result.ids)


TANGLED = {
    "sum": A + B + C >= 3,
    "less": A + B <= 1,
    "not blue": C.ne(2),
    "low": D.eq(4),
    "high": D.eq(5),
}
"""Two MUSes: of three, which deletion finds first, and of two."""


@both(100, 25)
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


def test_out_of_time_it_is_not_called_the_smallest() -> None:
    whole = tiring()
    assert isinstance(smallest_mus(whole, TANGLED, AMPLE), SmallestMus)
    muses = Theory(VARIABLES, BACKGROUND, TANGLED).muses()
    kinds = []
    for answers in range(whole.asked):
        result = smallest_mus(tiring(answers), TANGLED, AMPLE)
        kinds.append(type(result))
        if isinstance(result, Mus):
            assert result.ids in muses
    assert kinds[0] is Unknown
    assert set(kinds) == {Unknown, Core, Mus}
    assert isinstance(smallest_mus(SAT, TANGLED, Budget(timeout_s=0.0)), Unknown)


STEPS = {"at least 1": A >= 1, "at least 2": A >= 2, "at least 3": A >= 3, "at most 0": A <= 0, "at most 1": A <= 1}


@both(100, 25)
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


@pytest.mark.parametrize("engine", [SAT, Z3], ids=["sat", "z3"])
@pytest.mark.parametrize("ask", [mus, smallest_mus, all_mus, minimum_mcs, greedy_mss])
def test_values_that_break_the_background_leave_nothing_to_blame(ask: Callable[..., object], engine: Engine) -> None:
    assert ask(engine, {"one": A.eq(1)}, AMPLE, fixed={"a": 1, "b": 1}) == BackgroundConflict()


def test_out_of_time_what_was_found_is_right_and_not_called_complete() -> None:
    theory = Theory(VARIABLES, BACKGROUND, STEPS)
    whole = tiring()
    assert all_mus(whole, STEPS, AMPLE) == AllMuses(tuple(theory.muses()), tuple(theory.mcses()), complete=True)
    found = set()
    for answers in range(whole.asked):
        result = all_mus(tiring(answers), STEPS, AMPLE)
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


X, Y, Z = (Variable(name, IntSort(0, 4)) for name in "xyz")
FEW = (X, Y, Z)
FAR = range(-40, 41)
"""A range far beyond the differences that two variables with such small coefficients can make."""


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
