"""One row per turn, flat, for whoever goes on from here with a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdtrue.figures.parquet import stream_rows
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kit.arm import arm_of
from holdtrue.lab.kit.journal import each_of
from holdtrue.record import channel, total

COLUMNS: dict[str, type] = {
    "run": str,
    "suite": str,
    "problem": str,
    "domain": str,
    "turns": int,
    "model": str,
    "method": str,
    "protocol": str,
    "extractor": str,
    "oracle": bool,
    "turn": int,
    "outcome": str,
    "channel": str,  # null where the turn is right, or has no gold
    "correct": bool,
    "upstream_correct": bool,
    "first_correct": bool,
    "upstream_ledger": str,
    "attempts": int,
    "first_triggers": str,  # of the first attempt, separated by commas
    "triggers": str,  # of the final one
    "violated": int,
    "commitments": int,
    "phantoms": int,
    "gaps": int,
    "churn": int,
    "churn_of": int,
    "projected": bool,
    "abstained": bool,
    "set_aside": int,
    "calls": int,
    "prompt_tokens": int,
    "completion_tokens": int,
    "tokens": int,
    "seconds": float,
    "measuring_calls": int,
    "measuring_tokens": int,
    "measuring_seconds": float,
}


def write_parquet(folders: Sequence[Path], path: Path) -> None:
    """Write all turns of these runs, in the order of their journals.

    Raises `RecordError` where a journal cannot be read, `InfrastructureError` where the file cannot be written,
    `SettingsError` where polars is missing.
    """
    stream_rows(lambda: (flat(*entry) for entry in each_of(folders, AssignmentEntry)), COLUMNS, path)


def flat(folder: Path, entry: AssignmentEntry) -> tuple[Any, ...]:
    """The turn as one value for each of `COLUMNS`; what only a score can tell is None without one."""
    record, score, arm = entry.record, entry.score, arm_of(entry)
    first, final = record.attempts[0], record.final
    own, measuring = record.usage, total(call.usage for call in record.measuring)
    return (
        str(folder),
        entry.suite,
        entry.problem,
        entry.domain,
        entry.turns,
        arm.model,
        arm.method,
        arm.protocol,
        arm.extractor,
        arm.oracle,
        entry.turn,
        record.final.verdict.outcome.value,
        channel(record.final.verdict.outcome).value if score and not score.correct else None,
        *((score.correct, score.upstream_correct, score.first_correct) if score else (None,) * 3),
        score.upstream_ledger.value if score else None,
        len(record.attempts),
        ",".join(first.verdict.triggers),
        ",".join(final.verdict.triggers),
        len(final.verdict.violated),
        len(record.holds),
        *((score.phantoms, score.gaps, score.churn, score.churn_of) if score else (None,) * 4),
        record.detail.projected,
        record.delivered is None,
        len(record.detail.set_aside),
        *(own.calls, own.prompt_tokens, own.completion_tokens, own.tokens, own.latency_s),
        *(measuring.calls, measuring.tokens, measuring.latency_s),
    )
