"""Controls that never ask the model: they show what is reached without answering, and by the solver alone."""

from __future__ import annotations

from holdtrue.kinds.labels.method import LabelAnswerer
from holdtrue.kinds.labels.replies import LabelReading
from holdtrue.kinds.labels.turn import LabelTurn
from holdtrue.ledger.beliefs import BeliefBase, entailed_label
from holdtrue.record import Label


def control_labels(answerer: LabelAnswerer, turn: LabelTurn) -> LabelReading:
    """The labels of a control.

    `always_unknown` says UNKNOWN throughout, which is never inconsistent. `one_model` reads all labels off one witness
    of the premises, which is consistent by construction. `solver_only` says what the solver proves of the premises.
    What has no formula, or no verdict in time, is UNKNOWN.
    """
    return LabelReading({id: _label(answerer, turn, id) for id in turn.queries}, {}, ())


def _label(answerer: LabelAnswerer, turn: LabelTurn, id: str) -> Label:
    formula = turn.formulas.get(id)
    if answerer == "always_unknown" or formula is None or turn.witness is None:
        return Label.UNKNOWN
    if answerer == "one_model":
        return Label.ENTAILED if formula.holds(turn.witness) else Label.CONTRADICTED
    found = entailed_label(BeliefBase(turn.base.rules), formula, turn.budget)
    return found if isinstance(found, Label) else Label.UNKNOWN
