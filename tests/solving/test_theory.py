"""Long and short ledgers, series of questions, and what engines keep of them, against brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula
from holdtrue.solving import sat_engine
from holdtrue.solving.incremental_solver import KeptSolver
from holdtrue.solving.result import Core, Satisfiable, Unsatisfiable
from holdtrue.solving.sat_engine import SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, formulas, possible, witnesses

BACKGROUND = (AllDifferent((A, B, C)),)
values = st.fixed_dictionaries({}, optional={"a": st.integers(-1, 4), "c": st.integers(0, 2), "d": st.integers(4, 5)})
steps = st.lists(
    st.tuples(st.sampled_from(["hold", "decide", "check"]), st.lists(st.integers(0, 7), max_size=6), values),
    max_size=12,
)


@pytest.fixture(autouse=True, params=[100, 1], ids=["few variables", "many variables"])
def small_limits(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setattr(sat_engine, "HOLD_FROM", 2)
    monkeypatch.setattr(sat_engine, "MOST_PASSING", 3)
    monkeypatch.setattr(sat_engine, "WALK_FROM", request.param)


@settings(deadline=None, max_examples=60)
@given(st.lists(formulas(), min_size=8, max_size=8), steps)
def test_whatever_was_held_and_asked_before_answers_are_right(
    drawn: list[Formula], steps: list[tuple[str, list[int], dict[str, int]]]
) -> None:
    engine = SatEngine(VARIABLES, BACKGROUND)
    held: list[int] = []
    for what, places, fixed in steps:
        if what == "hold":
            held = places
            engine.hold({f"c{place}": drawn[place] for place in held})
            continue
        # Half of what is asked begins with what is held.
        asked = dict.fromkeys([*held, *places] if len(places) % 2 else places)
        soft = {f"c{place}": drawn[place] for place in asked}
        result: Any = getattr(engine, what)(soft, AMPLE, fixed=fixed)
        every = (*BACKGROUND, *soft.values())
        if possible(VARIABLES, every, fixed):
            assert isinstance(result, Satisfiable)
            assert dict(result.witness) in witnesses(VARIABLES, every, fixed)
            continue
        assert isinstance(result, Unsatisfiable)
        if isinstance(result, Core):
            core = [soft[id] for id in result.ids if id in soft]
            named = {name: value for name, value in fixed.items() if f"={name}" in result.ids}
            assert not possible(VARIABLES, (*BACKGROUND, *core), named)


@pytest.mark.parametrize("ask", ["decide", "check"])
def test_a_variable_that_is_not_there_is_refused_also_once_a_witness_is_known(ask: str) -> None:
    engine = SatEngine(VARIABLES)
    assert isinstance(engine.decide({}, AMPLE), Satisfiable)
    with pytest.raises(FormulaError, match="no variable 'z'"):
        getattr(engine, ask)({}, AMPLE, fixed={"z": 1})


def test_what_is_held_does_not_leak_into_other_questions() -> None:
    engine = SatEngine(VARIABLES)
    engine.hold({"low": A <= 1, "even": A.ne(1), "odd": A.ne(0)})
    assert isinstance(engine.decide({"low": A <= 1, "even": A.ne(1), "odd": A.ne(0)}, AMPLE), Unsatisfiable)
    assert isinstance(engine.decide({"even": A.ne(1), "odd": A.ne(0)}, AMPLE), Satisfiable)
    assert isinstance(engine.decide({}, AMPLE), Satisfiable)


def test_a_long_series_of_questions_leaves_little_behind() -> None:
    engine = SatEngine(VARIABLES)
    engine.hold({"one": A <= 2, "two": B >= -1})
    for number in range(100):
        engine.check({"query": abs(A - B) + number * D >= 4 * number + 2}, AMPLE)
        assert len(engine._assuming.solver.literals) <= sat_engine.MOST_PASSING + 3
        assert engine._assuming.solver.size[0] <= 100, "nor do literals that are of no use any more"


def test_an_earlier_witness_is_not_taken_where_it_breaks_what_came_to_stand() -> None:
    engine = SatEngine(VARIABLES)
    soft = {"one": A <= 2, "two": B >= -1}
    engine.hold(soft)
    for value in (2, 1, 0):
        found = engine.decide({**soft, "query": A.eq(value)}, AMPLE)
        assert isinstance(found, Satisfiable)
        assert found.witness["a"] == value
    more = {**soft, "three": (A <= 1) | (A + B >= 9)}
    engine.hold(more)
    assert isinstance(engine.decide({**more, "query": A.eq(2)}, AMPLE), Unsatisfiable)
    assert isinstance(engine.decide({**more, "query": A.eq(1)}, AMPLE), Satisfiable)


def test_an_earlier_witness_spares_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SatEngine(VARIABLES)
    soft = {"one": A + B <= 2, "two": abs(A - B) >= 1}
    engine.hold(soft)
    queries = [(A + B).eq(total) & (C + D).eq(total + 5) for total in range(-1, 3)]
    first = [engine.decide({**soft, "query": query}, AMPLE) for query in queries]
    assert all(isinstance(found, Satisfiable) for found in first)
    monkeypatch.setattr(KeptSolver, "solve", None)
    for query, before in zip(queries, first, strict=True):
        assert engine.decide({**soft, "query": query}, AMPLE) == before
