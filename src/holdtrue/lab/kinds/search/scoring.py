"""Scoring searches against gold: from what was written down, and by the suite's own formulas alone."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.record import SearchRecord, search_outcome
from holdtrue.lab.kinds.search.entry import SearchScore


def score_search(problem: SearchProblem, record: SearchRecord) -> SearchScore:
    """The score of one trial. What was delivered is checked here again, whatever the method's verdict said of it.

    Raises `ValueError` for a problem of which nobody knows whether it has a solution.
    """
    if problem.gold is None or problem.difficulty is None:
        raise ValueError(f"{problem.id} has no gold to be scored against")
    certified = search_outcome(record).certified
    return SearchScore(
        gold=problem.gold,
        correct=record.delivered is not None and is_right(problem, record.final.answer),
        verified_at=record.final.attempt if certified else None,
        difficulty=problem.difficulty,
        variant=problem.variant,
        base=problem.base or problem.id,
    )


def is_right(problem: SearchProblem, answer: Mapping[str, str | int] | None) -> bool:
    """Whether a candidate is: every variable within its bounds and all constraints satisfied, or, for a claim that
    there is no solution, that gold says so. Neither is right against gold: a solution of what has none by its label
    is disputed, like a claim that gold denies.
    """
    if not answer:
        return answer is not None and problem.gold == "unsat"
    if problem.gold == "unsat":
        return False
    values = {name: value for name, value in answer.items() if isinstance(value, int) and not isinstance(value, bool)}
    return values.keys() == answer.keys() and problem.is_solution(values)
