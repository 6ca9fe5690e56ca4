"""Score recorded searches against gold, by the suite's own formulas alone."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.record import SearchRecord, search_outcome
from holdtrue.lab.kinds.search.entry import SearchScore


def score_search(problem: SearchProblem, record: SearchRecord) -> SearchScore:
    """Return the score of one trial; the delivered candidate is checked again, whatever the method's verdict was.

    Raises `ValueError` for a problem without a gold verdict.
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
    """Return whether a candidate is right.

    An assignment is right if every variable is within its bounds and all constraints hold, and a claim that there is no
    solution if gold says so. A candidate that contradicts gold is never right: if it was certified all the same, the
    report counts it as disputed.
    """
    if not answer:
        return answer is not None and problem.gold == "unsat"
    if problem.gold == "unsat":
        return False
    values = {name: value for name, value in answer.items() if isinstance(value, int) and not isinstance(value, bool)}
    return values.keys() == answer.keys() and problem.is_solution(values)
