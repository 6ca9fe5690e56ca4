from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine, Soft, fixed_id
from holdtrue.solving.explain.mus import mus
from holdtrue.solving.result import BackgroundConflict, Core, Mus, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, C, is_mus, pigeons, possible
from tests.solving.explain.drawn import theories
from tests.solving.standin import StandIn

SAT, Z3 = SatEngine(VARIABLES), Z3Engine(VARIABLES)


def _minimal(other: Engine, soft: Soft, ids: tuple[str, ...], fixed: dict[str, int]) -> bool:
    """Unsat, and sat without any one of them, in the eyes of another engine."""
    whole = other.check({id: soft[id] for id in ids}, AMPLE, fixed=fixed)
    smaller = [
        other.check({id: soft[id] for id in kept}, AMPLE, fixed=fixed) for kept in combinations(ids, len(ids) - 1)
    ]
    return isinstance(whole, Core) and all(isinstance(result, Satisfiable) for result in smaller)


@pytest.mark.parametrize(("engine", "other"), [(SAT, Z3), (Z3, SAT)], ids=["sat", "z3"])
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
    """An engine whose cores are no help: always all that was asked."""

    name = "blunt"
    variables = SAT.variables

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        result = SAT.check(soft, budget, fixed=fixed)
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
    # Engines of its own: which core a solver gives depends on what it was asked before, and mus begins with one.
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
