"""Decisions in the form that the scorer of the recorded airline conversations reads (`score_tau.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.lab.kinds.decisions.entry import DecisionEntry


def predict(entries: Iterable[DecisionEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the decision of each entry, with its rules by the ids of the labels."""
    for entry in entries:
        detail = entry.record.detail
        yield {
            "task": detail.task,
            "trial": detail.trial,
            "message": detail.message,
            "decision": detail.decision.value,
            "rules": list(detail.labelled_rules),
        }
