"""Validate a file of search problems: prove their labels again, and check what it says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.suites.cegvr.line import LINEAR
from holdtrue.lab.suites.cegvr.prove import prove
from holdtrue.lab.suites.cegvr.structure import difficulty_of


def faults(problems: Sequence[SearchProblem]) -> Iterator[str]:
    """Yield a line for each fault.

    Faults are a label that two provers refute, a planted solution that is none, a difficulty that does not fit the
    size, and a rewritten problem whose original is missing or has the other label.
    """
    by_id = {problem.id: problem for problem in problems}
    for problem in problems:
        found = prove(problem.variables, problem.formulas)
        if found.gold != problem.gold:
            yield f"{problem.id}: ground_truth is {problem.gold}, proved {found.gold} ({' and '.join(found.by)})"
        planted = problem.metadata.get("planted")
        if planted is not None and not problem.is_solution(planted):
            yield f"{problem.id}: what is planted does not satisfy it"
        size = difficulty_of(problem.variables, problem.formulas.values())
        if problem.domain == LINEAR and problem.difficulty != size:
            yield f"{problem.id}: its difficulty is {problem.difficulty}, by its size {size}"
        base = by_id.get(problem.base) if problem.variant else problem
        if base is None:
            yield f"{problem.id}: its original {problem.base!r} is not there"
        elif base.gold != problem.gold:
            yield f"{problem.id}: ground_truth is {problem.gold}, that of its original {base.id} is {base.gold}"
