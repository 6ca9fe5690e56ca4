"""Problems whose label is proved again after they were made."""

from __future__ import annotations

from dataclasses import replace

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.suites.cegvr.prove import prove
from holdtrue.solving.engine import EngineFault


def proved(problem: SearchProblem) -> SearchProblem:
    """The problem with the two solvers that found its label again in its metadata, as `proved_by`.

    Raises `EngineFault` where they find the other label, or what was planted is no solution.
    """
    found = prove(problem.variables, problem.formulas)
    if found.gold != problem.gold:
        raise EngineFault(f"{problem.id} was made to be {problem.gold}, and is {found.gold}")
    planted = problem.metadata.get("planted")
    if planted is not None and not problem.is_solution(planted):
        raise EngineFault(f"{problem.id}: what was planted does not satisfy it: {planted}")
    return replace(problem, metadata={**problem.metadata, "proved_by": list(found.by)})
