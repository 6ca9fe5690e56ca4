"""Rules, and conflicts that name them."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import Rules
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown, Unsatisfiable
from tests.ledger.horn import BUDGET, Clause, Horn, atoms

A, B, C, D = atoms(4)
WORLD = Horn((A, B, C, D), (Clause((0,), 1), Clause((1,), 2), Clause((0, 2), None), Clause((3,), 0)))


def test_verdicts_know_the_rules_without_being_told() -> None:
    engine = WORLD.known().engine
    assert isinstance(engine.decide({"q1": A.eq(1)}, BUDGET), Unsatisfiable)
    assert isinstance(engine.decide({"q1": B.eq(1)}, BUDGET), Satisfiable)


def test_a_conflict_names_rules_and_beliefs_and_is_as_small_as_can_be() -> None:
    conflict = WORLD.known().conflict({"q1": D.eq(1), "q2": A.eq(1), "q3": C.eq(0)}, BUDGET)
    assert isinstance(conflict, Mus)
    assert conflict.ids == ("P1", "P2", "P3", "q2")
    assert WORLD.known().conflict({"q1": B.eq(1)}, BUDGET) is None


def test_a_conflict_of_rules_alone_and_of_laws_alone() -> None:
    impossible = Rules((A,), (), {"P1": A.eq(0), "P2": A.eq(1), "P3": A.eq(1)})
    conflict = impossible.conflict({}, BUDGET)
    assert isinstance(conflict, Mus) and conflict.ids == ("P1", "P2")
    assert Rules((A,), (A.eq(0), A.eq(1)), {}).conflict({"q1": A.eq(1)}, BUDGET) == Core(())


def test_without_time_there_is_no_conflict_and_no_peace() -> None:
    assert isinstance(WORLD.known().conflict({"q1": B.eq(1)}, Budget(timeout_s=0.0)), Unknown)
