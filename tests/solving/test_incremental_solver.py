from __future__ import annotations

import pytest
from pysat.solvers import Glucose4, Minisat22

from holdtrue.budget import Budget
from holdtrue.solving.incremental_solver import FIRST_CHUNK, solve_in_chunks
from holdtrue.solving.result import Unknown


def pigeons(count: int) -> list[list[int]]:
    """So many pigeons in one hole fewer, as clauses."""
    holes = range(1, count)
    place = {(bird, hole): bird * count + hole for bird in range(count) for hole in holes}
    apart = [[-place[one, hole], -place[other, hole]] for hole in holes for one in range(count) for other in range(one)]
    return [[place[bird, hole] for hole in holes] for bird in range(count)] + apart


@pytest.mark.parametrize("kind", [Minisat22, Glucose4])
def test_hard_questions_take_several_chunks_and_keep_their_limits(kind: type[Minisat22 | Glucose4]) -> None:
    with kind(bootstrap_with=pigeons(8)) as solver:
        assert solve_in_chunks(solver, [], Budget(None, 0)) == Unknown("the budget of 0 conflicts ran out")
        assert solve_in_chunks(solver, [], Budget(0.0)) == Unknown("the time budget ran out")
        spent = FIRST_CHUNK // 2
        assert solve_in_chunks(solver, [], Budget(None, spent)) == Unknown(f"the budget of {spent} conflicts ran out")
        assert solve_in_chunks(solver, [], Budget(None), largest=200) is False


def test_a_time_limit_is_looked_at_between_chunks() -> None:
    with Minisat22(bootstrap_with=pigeons(11)) as solver:
        assert solve_in_chunks(solver, [], Budget(0.05)) == Unknown("the time budget ran out")


def test_assumptions_are_of_one_question_only() -> None:
    with Minisat22(bootstrap_with=[[1, 2]]) as solver:
        assert solve_in_chunks(solver, [-1, -2], Budget()) is False
        assert solve_in_chunks(solver, [-1], Budget()) is True
