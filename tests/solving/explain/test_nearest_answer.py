from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError, InputError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, fixed_id
from holdtrue.solving.explain import relaxation
from holdtrue.solving.explain import target as near_target
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Unknown
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, Values, pigeons, witnesses
from tests.solving.explain.drawn import BACKGROUND, SAT, both, theories, tiring
from tests.solving.explain.naive import cost, early_first
from tests.solving.explain.tiring import Tiring

targets = st.fixed_dictionaries(
    {},
    optional={"a": st.integers(-1, 4), "b": st.integers(-3, 2), "c": st.integers(0, 3), "d": st.integers(3, 6)},
)


NAMES = tuple(variable.name for variable in VARIABLES)


def _moved(values: Values, target: dict[str, int]) -> tuple[str, ...]:
    return tuple(name for name in NAMES if name in target and values[name] != target[name])


def _naive(
    soft: dict[str, Formula], target: dict[str, int], held: dict[str, int], weights: dict[str, int]
) -> Nearest | None:
    """The cheapest of all; of these the one that leaves early variables alone, then the lexicographically first."""

    def key(values: Values) -> tuple[int, list[bool], list[int]]:
        moved = _moved(values, target)
        return cost(moved, weights), early_first(moved, NAMES), list(values.values())

    every = witnesses(VARIABLES, (*BACKGROUND, *soft.values()), held)
    best = min(every, key=key, default=None)
    return None if best is None else Nearest(best, _moved(best, target))


@pytest.mark.parametrize("tried", [near_target.MOST_TRIED, 4, -1], ids=["by trial", "by both", "by solver"])
@pytest.mark.parametrize("plain", [relaxation.PLAIN, 0], ids=["easy", "thorough"])
@both(60, 15)
def test_it_is_the_defined_one_of_the_nearest(
    engine: Engine, examples: int, plain: int, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaxation, "PLAIN", plain)
    monkeypatch.setattr(near_target, "MOST_TRIED", tried)

    @settings(deadline=None, max_examples=examples)
    @given(theories(most=3), targets, st.data())
    def law(soft: dict[str, Formula], target: dict[str, int], data: st.DataObject) -> None:
        frozen = data.draw(st.sets(st.sampled_from(sorted(target)), max_size=1)) if target else set()
        weights = {name: data.draw(st.integers(1, 3)) for name in target} if data.draw(st.booleans()) else {}
        held = {name: target[name] for name in frozen}
        result = nearest(engine, soft, target, AMPLE, frozen=frozen, weights=weights)
        expected = _naive(soft, target, held, weights)
        if expected is None:
            assert isinstance(result, Core)
            assert set(result.ids) <= {*soft, *map(fixed_id, frozen)}
            core = [formula for id, formula in soft.items() if id in result.ids]
            kept = {name: value for name, value in held.items() if fixed_id(name) in result.ids}
            assert not witnesses(VARIABLES, (*BACKGROUND, *core), kept)
        else:
            assert result == expected

    law()


def test_sums_can_be_what_differs() -> None:
    assert nearest(SAT, {"apart": AllDifferent((A + 1, B))}, {"a": 0, "b": 1}, AMPLE, frozen=["b"]) == Nearest(
        {"a": 2, "b": 1, "c": 0, "d": 4, "e": 2}, ("a",)
    )


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


def test_many_changes_in_a_sum_are_counted_and_not_guessed() -> None:
    # Each set of 12 of the 15 is a core: hitting them all one by one would take hundreds of questions.
    many = [Variable(f"x{number}", IntSort(0, 3)) for number in range(15)]
    engine = Tiring(Z3Engine(many), 60)
    total = sum(many[1:], start=many[0] + 0)
    result = nearest(engine, {"much": total >= 36}, {variable.name: 0 for variable in many}, AMPLE)
    assert isinstance(result, Nearest)
    assert result.changed == tuple(f"x{number}" for number in range(3, 15))
    assert result.optimal


@pytest.mark.parametrize("weights", [{"a": 0}, {"d": 1}])
def test_weights_are_positive_and_of_targets(weights: dict[str, int]) -> None:
    with pytest.raises(InputError, match=next(iter(weights))):
        nearest(SAT, {}, {"a": 1}, AMPLE, weights=weights)


@pytest.mark.parametrize("weights", [None, {"a": 2}], ids=["unit", "weighted"])
@pytest.mark.parametrize("plain", [relaxation.PLAIN, 0], ids=["easy", "thorough"])
def test_out_of_time_the_best_so_far_is_not_called_optimal(
    weights: dict[str, int] | None, plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaxation, "PLAIN", plain)
    monkeypatch.setattr(near_target, "MOST_TRIED", -1)
    soft: dict[str, Formula] = {"a": A.eq(0), "d": D.eq(4), "c": C.ne(2)}
    target = {"a": 3, "b": -1, "c": 2, "d": 5}
    whole = tiring()
    best = nearest(whole, soft, target, AMPLE, weights=weights)
    assert best == _naive(soft, target, {}, weights or {})
    kinds = []
    for answers in range(whole.asked + 1):
        result = nearest(tiring(answers), soft, target, AMPLE, weights=weights)
        if isinstance(result, Nearest):
            assert result.witness in witnesses(VARIABLES, (*BACKGROUND, *soft.values()))
            assert result.changed == _moved(result.witness, target)
            assert result.changed == ("a", "c", "d") or not result.optimal
            kinds.append("optimal" if result.optimal else "some")
        else:
            assert result == Unknown("tired")
            kinds.append("none")
    assert kinds == sorted(kinds, key=["none", "some", "optimal"].index), "more time never makes it worse"
    assert set(kinds) == ({"none", "optimal"} if plain else {"none", "some", "optimal"})
