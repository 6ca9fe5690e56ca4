"""Runs of decisions for other programs: Parquet rows, one for each call that was decided on, and forms of scorers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue_lab.kinds.decisions.entry import DecisionEntry, DecisionScore
from holdtrue_lab.kit.flat import FlatRows, solver


@dataclass(frozen=True, slots=True)
class _Call:
    folder: Path
    entry: DecisionEntry

    @property
    def score(self) -> DecisionScore | None:
        return self.entry.against

    @property
    def record(self) -> str | None:
        """The guard's own record as JSON."""
        record = self.entry.record.detail.record
        return None if record is None else json.dumps(record)


def _calls(folder: Path, turns: Sequence[DecisionEntry]) -> Iterator[_Call]:
    return (_Call(folder, entry) for entry in turns)


CALLS = FlatRows(
    DecisionEntry,
    {
        "run": (str, "folder"),
        "suite": (str, "entry.suite"),
        "problem": (str, "entry.problem"),
        "domain": (str, "entry.domain"),
        "task": (str, "entry.record.detail.task"),
        "trial": (int, "entry.record.detail.trial"),
        "message": (int, "entry.record.detail.message"),
        "turns": (int, "entry.turns"),
        "turn": (int, "entry.turn"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "mode": (str, "entry.record.variant"),
        "tool": (str, "entry.record.detail.tool"),
        "arguments": (str, "entry.record.detail.arguments"),
        "decision": (str, "entry.record.detail.decision"),
        "rules": (str, "entry.record.detail.rules"),
        "labelled_rules": (str, "entry.record.detail.labelled_rules"),
        "assumptions": (int, "entry.record.detail.assumptions"),
        "undecided": (str, "entry.record.detail.undecided"),
        "unread": (int, "entry.record.detail.unread"),
        "why": (str, "entry.record.detail.why"),
        "record": (str, "record"),
        "replayed": (bool, "entry.score.replayed"),
        "reward": (float, "entry.score.reward"),
        "executed": (bool, "score.executed"),
        "standing": (str, "score.standing"),
        "correct": (bool, "score.correct"),
        "clean": (bool, "score.clean"),
        "caught": (bool, "score.caught"),
        "false_block": (bool, "score.false_block"),
        "let_through": (bool, "score.let_through"),
        "asked": (bool, "score.asked"),
        "broken": (str, "score.broken"),
        "found": (str, "score.found"),
        "unfounded": (str, "score.unfounded"),
        "rejected": (str, "score.rejected"),
        **solver("entry.record"),
    },
    _calls,
)


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
