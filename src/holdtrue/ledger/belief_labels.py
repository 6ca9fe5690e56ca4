"""Labels of statements, in two ways: as they were last committed to, and as they follow from rules and beliefs."""

from __future__ import annotations

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import BeliefBase
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.explain.classification import label_of
from holdtrue.solving.result import Inconsistent, Unknown


def committed_label(base: BeliefBase, formula: Formula) -> Label:
    """What the last active belief about just this statement says of it; UNKNOWN where there is none."""
    said = ((base.find(formula), Label.ENTAILED), (base.find(formula.negation), Label.CONTRADICTED))
    labels = {belief.id: label for belief, label in said if belief is not None}
    return next((labels[id] for id in reversed(list(base.active)) if id in labels), Label.UNKNOWN)


def entailed_label(base: BeliefBase, formula: Formula, budget: Budget) -> Label | Inconsistent | Unknown:
    """What follows of the statement from rules and active beliefs.

    `Label.UNKNOWN` is proved: they leave it open. `result.Unknown` is not: the budget ended. `Inconsistent` where they
    cannot all hold, and so say nothing of it.
    """
    return label_of(base.rules.engine, base.soft, formula, budget, witness=base.witness)
