from __future__ import annotations

import sys
from types import FrameType

import pytest

from holdtrue.budget import NEVER, Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import AllDifferent, Sum, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import FormulaTooLarge
from holdtrue.solving.engine import EngineFault, Near, confirm
from holdtrue.solving.incremental_solver import FIRST_CHUNK, KeptSolver
from holdtrue.solving.result import Core, Satisfiable, Unknown
from holdtrue.solving.sat_engine import HOLD_FROM, SatEngine
from tests.solving.brute import AMPLE, VARIABLES, A, B, pigeons


@pytest.mark.parametrize("conflicts", [0, 1, 50, FIRST_CHUNK + 1])
def test_a_budget_of_conflicts_ends_in_unknown_and_says_so(conflicts: int) -> None:
    birds, opaque = pigeons(10, 9)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    engine = SatEngine(birds)
    result = engine.check(soft, Budget(timeout_s=None, conflicts=conflicts))
    assert result == Unknown(f"the budget of {conflicts} conflicts ran out")
    soft.pop("c0")
    assert isinstance(engine.check(soft, AMPLE), Satisfiable), "the next question starts afresh"


def test_several_chunks_lead_to_a_verdict() -> None:
    birds, opaque = pigeons(8, 7)
    soft = {f"c{number}": formula for number, formula in enumerate(opaque)}
    assert isinstance(SatEngine(birds).check(soft, Budget(timeout_s=None, conflicts=FIRST_CHUNK)), Unknown)
    assert isinstance(SatEngine(birds).check(soft, Budget(timeout_s=None)), Core)


def test_questions_do_not_make_the_solver_grow() -> None:
    engine = SatEngine(VARIABLES, [AllDifferent((A, B))])
    soft = {"sum": A + B <= 2, "apart": abs(A - B) >= 2}

    def ask_everything() -> None:
        for a in range(-1, 5):
            for b in range(-2, 2):
                for changes in range(3):
                    engine.check(soft, AMPLE, near=Near({"a": a, "b": b}, changes))
                engine.check({**soft, "fresh copy": A + B <= 2}, AMPLE, fixed={"b": b})

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


@pytest.mark.parametrize(
    ("witness", "fixed", "near"),
    [({"a": 2}, {}, None), ({"a": 0}, {"a": 1}, None), ({"a": 0}, {}, Near({"a": 1}, 0))],
)
def test_a_witness_that_direct_evaluation_refutes_is_a_fault(
    witness: dict[str, int], fixed: dict[str, int], near: Near | None
) -> None:
    with pytest.raises(EngineFault, match="direct evaluation"):
        confirm(witness, [A <= 1], fixed, near, "any")
    assert confirm({"a": 1}, [A <= 1], {"a": 1}, Near({"a": 0}, 1), "any") == Satisfiable({"a": 1})


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
