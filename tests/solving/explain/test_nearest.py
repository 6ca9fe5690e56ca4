from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, Soft, changes, fixed_id
from holdtrue.solving.explain.nearest import nearest
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Satisfiable, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, pigeons, theories, witnesses
from tests.solving.standin import StandIn

BACKGROUND = (AllDifferent((A, B, C)),)
SAT, Z3 = SatEngine(VARIABLES, BACKGROUND), Z3Engine(VARIABLES, BACKGROUND)
targets = st.fixed_dictionaries(
    {},
    optional={"a": st.integers(-1, 4), "b": st.integers(-3, 2), "c": st.integers(0, 3), "d": st.integers(3, 6)},
)


@pytest.mark.parametrize(("engine", "examples"), [(SAT, 100), (Z3, 25)], ids=["sat", "z3"])
def test_it_is_the_first_of_the_nearest(engine: Engine, examples: int) -> None:
    @settings(deadline=None, max_examples=examples)
    @given(theories(most=3), targets, st.data())
    def law(soft: dict[str, Formula], target: dict[str, int], data: st.DataObject) -> None:
        frozen = data.draw(st.sets(st.sampled_from(sorted(target)), max_size=1)) if target else set()
        held = {name: target[name] for name in frozen}
        result = nearest(engine, soft, target, AMPLE, frozen=frozen)
        every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()), held)
        if not every:
            assert isinstance(result, Core)
            assert set(result.ids) <= {*soft, *map(fixed_id, frozen)}
            return
        best = min(every, key=lambda values: (changes(values, target), list(values.values())))
        moved = tuple(name for name in best if name in target and best[name] != target[name])
        assert result == Nearest(best, moved)

    law()


def test_an_answer_that_holds_is_its_own_nearest() -> None:
    target = {"a": 3, "b": 1, "c": 2, "d": 5, "e": 2}
    assert nearest(SAT, {"sum": A + B >= 4}, target, AMPLE) == Nearest(target, ())


def test_a_frozen_value_can_make_it_impossible() -> None:
    soft = {"high": A >= 2}
    assert nearest(SAT, soft, {"a": 1, "d": 4}, AMPLE, frozen=["a"]) == Core(("high", "=a"))
    assert nearest(SAT, soft, {"a": 7}, AMPLE, frozen=["a"]) == Core(("=a",))
    with pytest.raises(FormulaError, match="d"):
        nearest(SAT, soft, {"a": 1}, AMPLE, frozen=["d"])


def test_a_target_of_another_theory_is_refused() -> None:
    with pytest.raises(FormulaError, match="'z'"):
        nearest(SAT, {}, {"z": 1}, AMPLE)


@pytest.mark.parametrize("kind", [SatEngine, Z3Engine])
def test_an_impossible_background_is_said(kind: type[SatEngine | Z3Engine]) -> None:
    birds, opaque = pigeons(5, 4)
    soft = {"one": birds[0].eq(1)}
    assert nearest(kind(birds, opaque), soft, {"p1": 1}, AMPLE) == BackgroundConflict()


def test_many_changes_in_many_variables() -> None:
    line = [Variable(f"x{number}", IntSort(1, 40)) for number in range(40)]
    engine = SatEngine(line, [AllDifferent(tuple(line))])
    soft = {f"c{number}": before < after for number, (before, after) in enumerate(pairwise(line))}
    target = {variable.name: number for number, variable in enumerate(line, 1)}
    target["x3"], target["x30"] = 31, 4
    result = nearest(engine, soft, target, AMPLE)
    assert isinstance(result, Nearest)
    assert result.changed == ("x3", "x30")


def test_out_of_time_the_best_so_far_is_not_called_optimal() -> None:
    class Tiring(StandIn):
        """Answers so many questions, then no more."""

        name = "tiring"
        variables = SAT.variables

        def __init__(self, answers: int) -> None:
            self.left = answers

        def check(self, soft: Soft, budget: Budget, **more: object) -> Satisfiable | Core | Unknown:
            self.left -= 1
            return SAT.check(soft, budget, **more) if self.left >= 0 else Unknown("tired")  # type: ignore[arg-type]

    soft = {"a": A.eq(0), "d": D.eq(4)}
    target = {"a": 3, "b": 1, "c": 2, "d": 5}
    results = [nearest(Tiring(answers), soft, target, AMPLE) for answers in range(6)]
    assert results[0] == Unknown("tired")
    for result in results[1:3]:
        assert isinstance(result, Nearest)
        assert not result.optimal, "not even one change was ruled out before the end"
        assert result.witness["a"] == 0
    for result in results[4:]:
        assert isinstance(result, Nearest)
        assert result.optimal, "two are proved to be the fewest, though no time was left to choose between equals"
        assert result.changed == ("a", "d")
