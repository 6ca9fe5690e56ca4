"""Transfer sets: shares of labels, names, proofs, and reproducibility."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.solving.result import Satisfiable, Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.suites.cegvr.transfer import KINDS, make_transfer
from tests.slow import first_of
from tests.solving.brute import AMPLE

EACH_KIND = pytest.mark.parametrize("kind", first_of(sorted(KINDS), len(KINDS) - 1))


@cache
def ten(kind: str) -> list[SearchProblem]:
    """Return ten problems of a kind, made once."""
    return make_transfer(kind, 7, 10)


@EACH_KIND
def test_seven_of_ten_can_be_solved(kind: str) -> None:
    problems = ten(kind)
    assert [number for number, problem in enumerate(problems, 1) if problem.gold == "unsat"] == [4, 7, 10]
    assert Counter((problem.gold, problem.difficulty) for problem in problems) == {
        ("sat", "easy"): 3, ("sat", "medium"): 2, ("sat", "hard"): 2,
        ("unsat", "easy"): 1, ("unsat", "medium"): 1, ("unsat", "hard"): 1,
    }  # fmt: skip
    assert problems[3].id == f"{kind}-unsat-0004"
    assert {problem.domain for problem in problems} == {kind}
    assert len({tuple(constraint.text for constraint in problem.constraints) for problem in problems}) == 10


@EACH_KIND
def test_labels_are_proved(kind: str) -> None:
    for problem in ten(kind)[:4]:
        assert problem.metadata["proved_by"] == ["sat", "z3"]
        if problem.gold == "sat":
            assert problem.is_solution(problem.metadata["planted"])
            continue
        core = problem.metadata["mus"]
        engine = make_engine(problem.variables, prefer="z3")
        conflict = {id: problem.formulas[id] for id in core}
        assert isinstance(engine.decide(conflict, AMPLE), Unsatisfiable)
        for id in core:
            rest = {other: formula for other, formula in conflict.items() if other != id}
            assert isinstance(engine.decide(rest, AMPLE), Satisfiable)
        assert problem.metadata.get("smallest_mus", len(core)) == len(core)


@EACH_KIND
def test_they_are_the_same_again_and_the_first_of_more(kind: str) -> None:
    first = ten(kind)[:2]
    assert make_transfer(kind, 7, 2) == first
    assert make_transfer(kind, 6, 1)[0].formulas != first[0].formulas


def test_other_kinds_are_refused() -> None:
    with pytest.raises(SettingsError, match="sudoku4, sudoku9, latin5, schedule"):
        make_transfer("chess", 1, 1)
