"""The promises of the engine protocol, tested on all engines."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import And, Formula, Not, Truth, Variable
from holdtrue.logic.node import DEEPEST
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Engine, EngineFactory, Soft, fixed_id
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.route import RoutedEngine, cpsat_engine, has_cpsat
from holdtrue.solving.sat_engine import SatEngine
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, theories, witnesses
from tests.solving.optional import CPSAT

ENGINES: list[Engine] = [SatEngine(VARIABLES), Z3Engine(VARIABLES)]
if has_cpsat():
    ENGINES.append(cpsat_engine(VARIABLES, ()))
BUILT_IN = [
    pytest.param(SatEngine, id="sat"),
    pytest.param(Z3Engine, id="z3"),
    pytest.param(RoutedEngine, id="routed"),
]


@pytest.fixture(params=[*BUILT_IN, CPSAT])
def kind(request: pytest.FixtureRequest) -> EngineFactory:
    chosen: EngineFactory = request.param
    return chosen


partial = st.fixed_dictionaries(
    {}, optional={"a": st.integers(-1, 4), "b": st.integers(-2, 1), "c": st.integers(0, 2), "e": st.just(2)}
)


def _agrees(engine: Engine, soft: Soft, fixed: Mapping[str, int]) -> None:
    expected = witnesses(VARIABLES, soft.values(), fixed)
    result = engine.check(soft, AMPLE, fixed=fixed)
    if isinstance(result, Satisfiable):
        assert dict(result.witness) in expected
        return
    assert isinstance(result, Core)
    assert not expected
    known = {**dict.fromkeys(soft), **{fixed_id(name): name for name in fixed}}
    assert set(result.ids) <= set(known)
    assert list(result.ids) == [id for id in known if id in result.ids], "in the order of the question"
    kept = {name: value for name, value in fixed.items() if fixed_id(name) in result.ids}
    core = [formula for id, formula in soft.items() if id in result.ids]
    assert not witnesses(VARIABLES, core, kept)


@settings(deadline=None, max_examples=120)
@given(theories(), partial)
def test_all_engines_find_what_brute_force_finds(soft: dict[str, Formula], fixed: dict[str, int]) -> None:
    for engine in ENGINES:
        _agrees(engine, soft, fixed)


def test_a_core_names_soft_ids_and_fixed_variables(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, ())
    soft = {"other": C.eq(0), "less": A < D - 3, "twin": A < D - 3}
    result = engine.check(soft, AMPLE, fixed={"a": 2, "b": 0})
    assert result in (Core(("less", "=a")), Core(("twin", "=a")))
    assert isinstance(engine.check(soft, AMPLE, fixed={"a": 1, "b": 0}), Satisfiable)


def test_a_fixed_value_outside_its_sort_is_a_core_by_itself(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, [Truth(False)])
    assert engine.check({"any": A.eq(1)}, AMPLE, fixed={"b": 0, "a": 4}) == Core(("=a",))


def test_an_impossible_background_gives_the_empty_core(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, [A < B, A.eq(3)])
    assert engine.check({}, AMPLE) == Core(())
    assert engine.check({"one": C.eq(1)}, AMPLE, fixed={"d": 4}) == Core(())


def test_unknown_variables_are_refused(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, ())
    stranger = Variable("z", IntSort(0, 3))
    with pytest.raises(FormulaError, match="'z'"):
        engine.check({"z": stranger <= 2}, AMPLE)
    with pytest.raises(FormulaError, match="'z'"):
        engine.check({}, AMPLE, fixed={"z": 1})
    with pytest.raises(FormulaError, match="'z'"):
        kind(VARIABLES, [stranger <= 2])


def test_no_time_at_all_is_unknown(kind: EngineFactory) -> None:
    assert isinstance(kind(VARIABLES, ()).check({}, Budget(timeout_s=0.0)), Unknown)


def test_the_same_questions_give_the_same_results(kind: EngineFactory) -> None:
    def ask() -> list[object]:
        engine = kind(VARIABLES, [A.ne(1)])
        soft = {"one": A + B >= 1, "two": C.ne(2), "three": abs(A - B) >= 2}
        return [engine.check(soft, AMPLE), engine.check(soft, AMPLE, fixed={"c": 2}), engine.check(soft, AMPLE)]

    assert ask() == ask()


def nested(depth: int) -> Formula:
    """A formula of that depth."""
    formula: Formula = A.eq(1)
    for _ in range(depth - 1):
        formula = And((formula, B.ne(0)))
    return formula


@pytest.mark.parametrize("depth", [DEEPEST + 1, 10_000])
def test_what_is_nested_too_deep_is_refused_in_words(kind: EngineFactory, depth: int) -> None:
    too_deep, engine, refused = nested(depth), kind(VARIABLES, ()), f"a formula may be nested {DEEPEST} deep at most"
    with pytest.raises(FormulaError, match=refused):
        kind(VARIABLES, [too_deep])
    with pytest.raises(FormulaError, match=refused):
        engine.check({"deep": too_deep}, AMPLE)
    with pytest.raises(FormulaError, match=refused):
        engine.decide({"deep": too_deep}, AMPLE)
    assert isinstance(engine.check({"other": A.eq(1)}, AMPLE), Satisfiable), "and the engine goes on"


def test_what_is_nested_as_deep_as_may_be_is_decided(kind: EngineFactory) -> None:
    engine = kind(VARIABLES, [nested(DEEPEST)])
    assert isinstance(engine.check({"same": nested(DEEPEST)}, AMPLE), Satisfiable)
    assert engine.check({"not": Not(nested(DEEPEST - 1))}, AMPLE) == Core(("not",))
