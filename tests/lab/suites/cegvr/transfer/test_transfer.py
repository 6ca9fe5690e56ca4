"""Transfer sets: shares of labels, names, proofs, and reproducibility."""

from __future__ import annotations

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


def test_other_kinds_are_refused() -> None:
    with pytest.raises(SettingsError, match="sudoku4, sudoku9, latin5, schedule"):
        make_transfer("chess", 1, 1)
