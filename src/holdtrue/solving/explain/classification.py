"""Prove that a theory entails a query, refutes it or leaves it open, and whether two formulas are equivalent.

The query follows if its negation is impossible. A witness of the theory already shows that the query is possible, or
that its negation is. So a theory with a known witness costs one question. Backbones are found in the same way: Janota,
Lynce and Marques-Silva, "Algorithms for computing backbones of propositional formulae", AI Communications 2015.
"""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.formula import Formula
from holdtrue.logic.partial_witness import told
from holdtrue.record import Label
from holdtrue.solving.engine import SOON, Engine, Soft
from holdtrue.solving.result import (
    Different,
    Entailed,
    Equivalent,
    Inconsistent,
    Independent,
    Refuted,
    Satisfiable,
    Unknown,
    Witness,
)


def label_of(
    engine: Engine, soft: Soft, query: Formula, budget: Budget, *, witness: Witness | None = None
) -> Label | Inconsistent | Unknown:
    """Return the label that `classify` proves.

    `Label.UNKNOWN` is proved: the theory leaves the query open. `result.Unknown` means that the budget ended first.
    `Inconsistent` means that the theory cannot hold, so it gives no label.
    """
    found = classify(engine, soft, query, budget, witness=witness)
    if isinstance(found, Inconsistent | Unknown):
        return found
    if isinstance(found, Entailed):
        return Label.ENTAILED
    return Label.CONTRADICTED if isinstance(found, Refuted) else Label.UNKNOWN


QUERY = "=?"
"""The id of the query in a question. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""


def classify(
    engine: Engine, soft: Soft, query: Formula, budget: Budget, *, witness: Witness | None = None
) -> Entailed | Refuted | Independent | Inconsistent | Unknown:
    """Decide whether `soft` and the background entail `query`, exclude it, or do neither.

    `witness`, if given, must be one that the engine found for exactly this `soft`. It saves a question. `Unknown` means
    that the budget ended first.
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
        true = told(query, witness, SOON.start().check)
    except KeyError as error:
        raise FormulaError(f"the engine has no variable {error.args[0]!r}") from error
    if true is None:
        found = engine.decide({**soft, QUERY: query}, budget.until(deadline, 2))
        if isinstance(found, Unknown):
            return found
        true = isinstance(found, Satisfiable)
        witness = found.witness if isinstance(found, Satisfiable) else witness
    result = engine.decide({**soft, QUERY: query.negation if true else query}, budget.until(deadline))
    if isinstance(result, Unknown):
        return result
    if isinstance(result, Satisfiable):
        return Independent(witness, result.witness) if true else Independent(result.witness, witness)
    return Entailed() if true else Refuted()


TRUE, FALSE = "=true", "=false"
"""The ids of the two formulas in a question. Ids that start with '=' are reserved for engines (`engine.fixed_id`)."""


def equivalent(
    engine: Engine, one: Formula, other: Formula, budget: Budget, *, soft: Soft | None = None
) -> Equivalent | Different | Inconsistent | Unknown:
    """Decide whether `one` and `other` have the same truth value under all assignments that `soft` and the background
    allow.

    Each of two questions has one formula and the negation of the other. So the formulas that an engine keeps grow with
    the number of compared formulas, not of pairs. Returns `Inconsistent` if `soft` and the background allow nothing.
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
