"""The labels that a method started from in a turn."""

from __future__ import annotations

from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.record import DRAWN, Label

LABELS = frozenset(Label)


def first_labels(record: LabelsRecord) -> dict[str, str]:
    """Return by query id the first label that each query of the turn was given; a query without any is left out.

    Samples and their vote count as one answer, which is the vote. If the first answer leaves a query out, its label
    comes from the next attempt that gives one.
    """
    drawn = 0
    for attempt in record.attempts:
        if attempt.kind not in DRAWN:
            break
        drawn += 1
    found: dict[str, str] = {}
    for attempt in record.attempts[max(0, drawn - 1) :]:
        for id, label in (attempt.answer or {}).items():
            if id in record.detail.asked and label in LABELS:
                found.setdefault(id, str(label))
    return found
