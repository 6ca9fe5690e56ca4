"""What a theory says about a query, as a label."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine, Soft
from holdtrue.solving.explain.classify import classify
from holdtrue.solving.result import Entailed, Inconsistent, Refuted, Unknown, Witness


def label_of(
    engine: Engine, soft: Soft, query: Formula, budget: Budget, *, witness: Witness | None = None
) -> Label | Inconsistent | Unknown:
    """The label that `classify` proves.

    `Label.UNKNOWN` is proved: the theory leaves the query open. `result.Unknown` is not: the budget ended.
    `Inconsistent` where the theory cannot hold, and so says nothing of the query.
    """
    found = classify(engine, soft, query, budget, witness=witness)
    if isinstance(found, Inconsistent | Unknown):
        return found
    if isinstance(found, Entailed):
        return Label.ENTAILED
    return Label.CONTRADICTED if isinstance(found, Refuted) else Label.UNKNOWN
