"""Decisions in the form that the scorer of the recorded airline conversations reads (`score_tau.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdtrue.lab.kinds.decisions.entry import DecisionEntry


def predict(entry: DecisionEntry) -> Iterator[Mapping[str, Any]]:
    """Yield the decision of an entry, with its rules by the ids of the labels."""
    detail = entry.record.detail
    yield {
        "task": detail.task,
        "trial": detail.trial,
        "message": detail.message,
        "decision": detail.decision.value,
        "rules": list(detail.labelled_rules),
    }
