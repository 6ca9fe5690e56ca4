"""The label of a statement, in two ways: as an answer last committed to it, and as rules and beliefs entail it."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import BeliefBase
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.result import Inconsistent, Unknown


def committed_label(base: BeliefBase, formula: Formula) -> Label:
    """Return the label by the last active belief about just this statement, or UNKNOWN if there is none."""
    said = ((base.find(formula), Label.ENTAILED), (base.find(formula.negation), Label.CONTRADICTED))
    labels = {belief.id: label for belief, label in said if belief is not None}
    return next((labels[id] for id in reversed(list(base.active)) if id in labels), Label.UNKNOWN)


def entailed_label(base: BeliefBase, formula: Formula, budget: Budget) -> Label | Inconsistent | Unknown:
    """Return the label that rules and active beliefs entail for a statement.

    `Label.UNKNOWN` means it is proved that they leave the statement open, and `result.Unknown` that the budget ended.
    `Inconsistent` means that they cannot all hold, so that they would entail anything.
    """
    return label_of(base.rules.engine, base.soft, formula, budget, witness=base.witness)
