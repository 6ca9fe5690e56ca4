"""The Parquet rows of runs about assignments, one row for each turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from holdtrue.kinds.assignment.method import Method
from holdtrue.record import Usage, channel, total
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.metrics import is_oracle, played_methods
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.flat import COSTS, NAMED, RETRY_COLUMNS, FlatRows, solver, spent
from holdtrue_lab.kit.settings import SETTINGS_FILE, read_settings


@dataclass(frozen=True, slots=True)
class _Turn:
    folder: Path
    entry: AssignmentEntry
    arm: Arm
    oracle: bool
    own: Usage
    measuring: Usage


def _channel(turn: _Turn) -> str | None:
    """Return the channel (the reason) of a wrong turn, or None if the turn is right or has no score."""
    score = turn.entry.score
    return channel(turn.entry.record.final.verdict.outcome) if score and not score.correct else None


def _turns(folder: Path, entries: Sequence[AssignmentEntry]) -> Iterator[_Turn]:
    for entry in entries:
        measuring = total(call.usage for call in entry.record.measuring)
        arm = arm_of(entry)
        yield _Turn(folder, entry, arm, is_oracle(arm, _methods(folder)), entry.record.usage, measuring)


def _methods(folder: Path) -> Mapping[str, Method]:
    """Return the methods of the run in this folder. They are read again only after its settings file has changed."""
    try:
        written = (folder / SETTINGS_FILE).stat().st_mtime_ns
    except OSError:
        written = 0
    return _read_methods(folder, written)


@lru_cache(maxsize=8)
def _read_methods(folder: Path, written: int) -> Mapping[str, Method]:
    return played_methods(read_settings(folder) or {})


TURNS = FlatRows(
    AssignmentEntry,
    {
        **NAMED,
        "turns": (int, "entry.turns"),
        "model": (str, "arm.model"),
        "method": (str, "arm.method"),
        "protocol": (str, "arm.protocol"),
        "extractor": (str, "arm.extractor"),
        "oracle": (bool, "oracle"),
        "turn": (int, "entry.turn"),
        "outcome": (str, "entry.record.final.verdict.outcome"),
        "channel": (str, _channel),
        "correct": (bool, "entry.score.correct"),
        "upstream_correct": (bool, "entry.score.upstream_correct"),
        "first_correct": (bool, "entry.score.first_correct"),
        "upstream_ledger": (str, "entry.score.upstream_ledger"),
        "attempts": (int, "entry.record.attempts"),
        **RETRY_COLUMNS,
        "first_triggers": (str, lambda turn: turn.entry.record.attempts[0].verdict.triggers),
        "triggers": (str, "entry.record.final.verdict.triggers"),
        "violated": (int, "entry.record.final.verdict.violated"),
        "commitments": (int, "entry.record.holds"),
        "phantoms": (int, "entry.score.phantoms"),
        "gaps": (int, "entry.score.gaps"),
        "churn": (int, "entry.score.churn"),
        "churn_of": (int, "entry.score.churn_of"),
        "projected": (bool, "entry.record.detail.projected"),
        "abstained": (bool, lambda turn: turn.entry.record.delivered is None),
        "set_aside": (int, "entry.record.detail.set_aside"),
        **spent("own", *COSTS, "tokens"),
        **solver("entry.record"),
        **spent("measuring", "calls", "tokens", "latency_s", prefix="measuring_"),
    },
    _turns,
)
