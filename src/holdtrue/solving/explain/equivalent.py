"""Whether two formulas say the same, given what is agreed; else an assignment that tells them apart."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Different, Equivalent, Inconsistent, Satisfiable, Unknown

TRUE, FALSE = "=true", "=false"
"""The ids of the two formulas in a question; ids that start with '=' are the engine's (`engine.fixed_id`)."""


def equivalent(
    engine: Engine, one: Formula, other: Formula, budget: Budget, *, soft: Soft | None = None
) -> Equivalent | Different | Inconsistent | Unknown:
    """Whether `one` and `other` have the same truth value wherever `soft` and the background hold.

    Two questions, each with one formula and the negation of the other: what an engine keeps of them grows with
    the formulas that are compared, not with the pairs. `Inconsistent` where `soft` and the background allow nothing.
    """
    deadline = budget.start()
    given = soft or {}
    for holds, fails, first in ((one, other, True), (other, one, False)):
        question = {**given, TRUE: holds, FALSE: fails.negation}
        result = engine.decide(question, budget.until(deadline))
        if isinstance(result, Satisfiable):
            return Different(result.witness, first)
        if isinstance(result, Unknown):
            return result
    theory = engine.decide(given, budget.until(deadline))
    if isinstance(theory, Unknown):
        return theory
    return Equivalent() if isinstance(theory, Satisfiable) else Inconsistent()
