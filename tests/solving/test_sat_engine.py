"""The engine for small finite problems, and its shortcuts that need no solver."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import NEVER, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Formula, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving import sat_engine
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.engine import EngineFault, confirm
from holdtrue.solving.incremental_solver import FIRST_CHUNK, KeptSolver
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.sat_engine import HOLD_FROM, SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, D, formulas, pigeons, possible, witnesses


@pytest.mark.parametrize("conflicts", [0, 1, 50, FIRST_CHUNK + 1])
def test_a_budget_of_conflicts_ends_in_unknown_and_says_so(conflicts: int) -> None:
    birds, opaque = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    engine = SatEngine(birds)
    result = engine.check(soft, Budget(timeout_s=None, conflicts=conflicts))
    assert result == Unknown(f"the budget of {conflicts} conflicts ran out")
    soft.pop("c0")
    assert isinstance(engine.check(soft, AMPLE), Satisfiable), "the next question starts afresh"


def test_questions_do_not_make_the_solver_grow() -> None:
    engine = SatEngine(VARIABLES, [AllDifferent((A, B))])
    soft = {"sum": A + B <= 2, "apart": abs(A - B) >= 2}

    def ask_everything() -> None:
        for a in range(-1, 5):
            for b in range(-2, 2):
                engine.check({**soft, "fresh copy": A + B <= 2}, AMPLE, fixed={"a": a, "b": b})

    ask_everything()
    size = engine._assuming.solver.size
    ask_everything()
    assert engine._assuming.solver.size == size


def test_too_large_a_formula_is_named_not_encoded() -> None:
    wide = [Variable(f"x{number}", IntSort(0, 99)) for number in range(4)]
    total = Sum(tuple((1, variable) for variable in wide)) <= 100
    with pytest.raises(FormulaTooLarge, match="1000000 clauses"):
        SatEngine(wide, [total])
    with pytest.raises(FormulaTooLarge, match="huge has 1000000001 values"):
        SatEngine([Variable("huge", IntSort(0, 10**9))])
    engine = SatEngine(wide)
    with pytest.raises(FormulaTooLarge):
        engine.check({"total": total}, AMPLE)
    assert isinstance(engine.check({"small": wide[0] < wide[1]}, AMPLE), Satisfiable)


@pytest.mark.parametrize(("witness", "fixed"), [({"a": 2}, {}), ({"a": 0}, {"a": 1})])
def test_a_witness_that_direct_evaluation_refutes_is_a_fault(witness: dict[str, int], fixed: dict[str, int]) -> None:
    with pytest.raises(EngineFault, match="direct evaluation"):
        confirm(witness, [A <= 1], fixed, "any")
    assert confirm({"a": 1}, [A <= 1], {"a": 1}, "any") == Satisfiable({"a": 1})


@pytest.mark.parametrize("before", [0, HOLD_FROM])
def test_what_could_not_be_held_counts_as_asserted_nowhere(before: int) -> None:
    stranger = Variable("stranger", IntSort(0, 1))
    many = {f"c{number}": A >= 0 for number in range(HOLD_FROM)}
    engine = SatEngine([A])
    engine.hold(dict(list(many.items())[:before]))
    with pytest.raises(FormulaError, match="stranger"):
        engine.hold({**many, "of another": stranger.eq(1), "impossible": A < 0})
    assert engine.check({**many, "impossible": A < 0}, AMPLE) == Core(("impossible",))
    with pytest.raises(FormulaError, match="stranger"):
        engine.decide({**many, "of another": stranger.eq(1), "impossible": A < 0}, AMPLE)


def test_unknown_variables_are_refused_whatever_was_asked_before() -> None:
    stranger, namesake = Variable("stranger", IntSort(0, 1)), Variable(A.name, IntSort(0, 100))
    engine = SatEngine([A])
    assert isinstance(engine.decide({}, AMPLE), Satisfiable)
    for formula in (stranger.eq(1), (A >= 0) | stranger.eq(1), namesake >= 2):
        with pytest.raises(FormulaError, match="no variable"):
            engine.decide({"foreign": formula}, AMPLE)
    for ask in (engine.decide, engine.check):
        with pytest.raises(FormulaError, match="no variable 'z'"):
            ask({}, AMPLE, fixed={"z": 1})


def test_an_interrupt_loses_no_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptSolver([A, B])
    kept.hold(A > B)
    kept.hold(A < B)
    add, given = kept._solver.add_clause, 0

    def interrupted(clause: list[int]) -> None:
        nonlocal given
        given += 1
        if given == 3:
            raise KeyboardInterrupt
        add(clause)

    monkeypatch.setattr(kept._solver, "add_clause", interrupted)
    with pytest.raises(KeyboardInterrupt):
        kept.solve([], AMPLE)
    assert kept.solve([], AMPLE) is False


def interrupt_at(step: int) -> None:
    """Ctrl-C when the solving room has made so many steps, each as small as an interpreter's steps are."""

    def trace(frame: FrameType, event: str, argument: object) -> object:
        nonlocal step
        if "solving" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        step -= event == "opcode"
        if step < 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]


def test_an_interrupt_while_formulas_are_forgotten_changes_no_answer() -> None:
    step, interrupted = 0, True
    while interrupted:
        kept = KeptSolver([A, B])
        held, gone, stays = abs(A - B) >= 1, abs(A - B) >= 3, abs(A + B) >= 2
        assert kept.solve(kept.literals.each([held, gone, stays], NEVER), AMPLE) is True
        kept.hold(held)
        interrupt_at(step)
        try:
            _ = kept.literals[B.eq(0)]
            kept.forget([stays])
            interrupted = False
        except KeyboardInterrupt:
            step += 1
        finally:
            sys.settrace(None)
        for _ in range(2):
            assert kept.solve(kept.literals.each([gone, stays, held], NEVER), AMPLE) is True
            assert kept.solve(kept.literals.each([gone, A.eq(0)], NEVER), AMPLE) is False
            assert kept.solve(kept.literals.each([stays, A.eq(1), B.eq(0)], NEVER), AMPLE) is False
            assert kept.solve(kept.literals.each([A.eq(1), B.eq(1)], NEVER), AMPLE) is False
            assert kept.solve(kept.literals.each([A.eq(1), B.eq(0)], NEVER), AMPLE) is True
            kept.forget([])
    assert step > 200


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
        # Half of the questions begin with the held formulas.
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
