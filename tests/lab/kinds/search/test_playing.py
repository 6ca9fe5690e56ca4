from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from holdtrue.kinds.search.record import SearchAttempt, SearchDetail, SearchRecord
from holdtrue.record import AnswerStatus, Satisfiability, TurnRecord, VerdictRecord
from holdtrue_lab.kinds.search.playing import is_right, score_search
from tests.lab.kinds.search.problems import IMPOSSIBLE, SAT, SOLVABLE, X

Values = Mapping[str, Any]
EVERY = [{variable.name: n for variable, n in zip(X, choice, strict=True)} for choice in product(range(6), repeat=4)]
# x4 is 1, and so equal to True.
SOLUTION = next(values for values in EVERY if values["x4"] == 1 and all(formula.holds(values) for formula in SAT))
WRONG = {**SOLUTION, "x1": 5 - SOLUTION["x1"]}


def attempt(number: int, answer: Values | None, *, right: bool, ledger: Satisfiability) -> SearchAttempt:
    status = AnswerStatus.RESPECTING if right else AnswerStatus.VIOLATING
    return SearchAttempt(number, "candidate", "text", answer, VerdictRecord(ledger, status))


def record(*answers: Values | None, right: bool = True, ledger: Satisfiability = Satisfiability.SAT) -> SearchRecord:
    """A search whose last candidate was certified, if `right`."""
    attempts = [attempt(n, answer, right=False, ledger=ledger) for n, answer in enumerate(answers[:-1], start=1)]
    last = attempt(len(answers), answers[-1], right=right, ledger=ledger)
    return TurnRecord(
        turn=1,
        user_message="",
        method="cd_vgs",
        model="sim/test",
        variant="4x4",
        reader="none",
        attempts=(*attempts, last),
        delivered="text" if right else None,
        detail=SearchDetail(),
    )


def test_what_was_not_delivered_is_not_right() -> None:
    score = score_search(SOLVABLE, record(SOLUTION, right=False))
    assert (score.correct, score.verified_at) == (False, None)


def test_a_verdict_that_is_wrong_makes_nothing_right() -> None:
    """The score does not believe the method: it checks what was delivered itself."""
    assert not score_search(SOLVABLE, record(WRONG)).correct
    assert not score_search(SOLVABLE, record({}, ledger=Satisfiability.UNSAT)).correct
    assert not score_search(IMPOSSIBLE, record(SOLUTION)).correct


def test_a_solution_of_what_has_none_by_its_label_is_disputed() -> None:
    """It would count as recall of claims; whoever is wrong, the report has to say that somebody is."""
    score = score_search(replace(SOLVABLE, gold="unsat"), record(SOLUTION))
    assert (score.correct, score.verified_at) == (False, 1)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {name: value for name, value in SOLUTION.items() if name != "x4"},
        {**SOLUTION, "x5": 1},
        {**SOLUTION, "x4": f"{SOLUTION['x4']}"},
        {**SOLUTION, "x4": True},
        {**SOLUTION, "x4": 6},
        {**SOLUTION, "x4": -1},
    ],
)
def test_only_whole_assignments_within_bounds_solve_anything(answer: Values | None) -> None:
    assert is_right(SOLVABLE, SOLUTION)
    assert not is_right(SOLVABLE, answer)


def test_every_assignment_is_judged_as_the_formulas_say() -> None:
    for choice in product(range(-1, 7), repeat=4):
        values = {variable.name: n for variable, n in zip(X, choice, strict=True)}
        within = all(0 <= n <= 5 for n in choice)
        assert is_right(SOLVABLE, values) is (within and all(formula.holds(values) for formula in SAT))
        assert not is_right(IMPOSSIBLE, values)
