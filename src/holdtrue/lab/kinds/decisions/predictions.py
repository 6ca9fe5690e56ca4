"""Decisions in the forms of two scorers: airline conversations (`score_tau.py`) and dialogues (`score_sgd.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.lab.kinds.decisions.entry import DecisionEntry


def predict(entries: Iterable[DecisionEntry]) -> Iterator[Mapping[str, Any]]:
    """Yield the decision of each entry, with its rules by the ids of the labels; of dialogues all calls of each."""
    dialogues: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        detail = entry.record.detail
        if detail.call:
            form = {"call": detail.call, "mutant": detail.form, "decision": detail.decision.value}
            dialogues.setdefault(entry.problem, []).append({**form, "slots": list(detail.named)})
            continue
        yield {
            "task": detail.task,
            "trial": detail.trial,
            "message": detail.message,
            "decision": detail.decision.value,
            "rules": list(detail.labelled_rules),
        }
    for problem, calls in dialogues.items():
        yield {"id": problem, "turns": [], "calls": calls}
