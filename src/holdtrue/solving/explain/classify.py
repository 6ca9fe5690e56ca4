"""What a theory says about a query: entailed, refuted or independent.

The query follows when its negation is impossible. Each witness settles one of the two questions, so that a theory
with a known witness costs one question (as backbones are found: Janota, Lynce and Marques-Silva, "Algorithms for
computing backbones of propositional formulae", AI Communications 2015).
"""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.result import Entailed, Inconsistent, Independent, Refuted, Satisfiable, Unknown, Witness

QUERY = "=?"
"""The id of the query in a question; ids that start with '=' are the engine's (`engine.fixed_id`)."""


def classify(
    engine: Engine, soft: Soft, query: Formula, budget: Budget, *, witness: Witness | None = None
) -> Entailed | Refuted | Independent | Inconsistent | Unknown:
    """Whether `query` follows from `soft` and the background, is excluded by them, or neither.

    `witness` is one that the engine gave for just this `soft`, where there is one: it saves a question. `Unknown`
    is undecided: the budget ended.
    """
    deadline = budget.start()
    if witness is None:
        theory = engine.decide(soft, budget)
        if isinstance(theory, Unknown):
            return theory
        if not isinstance(theory, Satisfiable):
            return Inconsistent()
        witness = theory.witness
    try:
        true = query.holds(witness)
    except KeyError as error:
        raise FormulaError(f"the engine has no variable {error.args[0]!r}") from error
    result = engine.decide({**soft, QUERY: query.negation if true else query}, budget.until(deadline))
    if isinstance(result, Unknown):
        return result
    if isinstance(result, Satisfiable):
        return Independent(witness, result.witness) if true else Independent(result.witness, witness)
    return Entailed() if true else Refuted()
