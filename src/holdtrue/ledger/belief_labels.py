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
    holds, fails = base.find(formula), base.find(formula.negation)
    if holds is not None and fails is not None:
        newest = list(base.active)
        return Label.ENTAILED if newest.index(holds.id) > newest.index(fails.id) else Label.CONTRADICTED
    if holds is not None:
        return Label.ENTAILED
    return Label.CONTRADICTED if fails is not None else Label.UNKNOWN


def entailed_label(base: BeliefBase, formula: Formula, budget: Budget) -> Label | Inconsistent | Unknown:
    """What follows of the statement from rules and active beliefs.

    `Label.UNKNOWN` is proved: they leave it open. `result.Unknown` is not: the budget ended. `Inconsistent` where they
    cannot all hold, and so say nothing of it.
    """
    return label_of(base.rules.engine, base.soft, formula, budget, witness=base.witness)
