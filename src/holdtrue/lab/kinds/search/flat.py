"""One row per candidate, flat, for whoever goes on from here with a data frame; a trial without any has one row.

What is the trial's own stands on each of its rows, so a trial is counted by its row with `last`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from holdtrue.figures.parquet import stream_rows
from holdtrue.kinds.search.record import SearchAttempt, candidate_outcome, search_outcome
from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kit.journal import each_of
from holdtrue.record import total

COLUMNS: dict[str, type] = {
    "run": str,
    "suite": str,
    "problem": str,
    "domain": str,
    "difficulty": str,
    "variant": str,  # how the problem was rewritten, '' for an original
    "base": str,
    "gold": str,
    "trials": int,
    "model": str,
    "method": str,
    "budget": str,  # candidates a round x rounds
    "trial": int,
    "trial_outcome": str,
    "correct": bool,  # the trial
    "verified_at": int,  # the candidate that was certified
    "exhausted": str,  # the limit that ended the trial early
    "trial_calls": int,
    "trial_prompt_tokens": int,
    "trial_completion_tokens": int,
    "trial_seconds": float,
    "trial_solver_calls": int,
    "candidates": int,  # of the trial
    "candidate": int,
    "last": bool,
    "round": int,
    "mends": int,
    "outcome": str,
    "repeated": bool,
    "values": int,
    "asked": str,  # variables, separated by commas; '' for all
    "violated": str,
    "conflict": str,
    "revise": str,
    "calls": int,
    "prompt_tokens": int,
    "completion_tokens": int,
    "seconds": float,
}


def write_parquet(folders: Sequence[Path], path: Path) -> None:
    """Write all candidates of these runs, in the order of their journals; raises what `write_parquet` raises."""
    stream_rows(lambda: (row for entry in each_of(folders, SearchEntry) for row in flat(*entry)), COLUMNS, path)


def flat(folder: Path, entry: SearchEntry) -> Iterator[tuple[Any, ...]]:
    """Each candidate of a trial as one value for each of `COLUMNS`; what only a score can tell is None without one."""
    record, score, own = entry.record, entry.score, entry.record.usage
    trial = (
        str(folder),
        entry.suite,
        entry.problem,
        entry.domain,
        *((score.difficulty, score.variant, score.base, score.gold) if score is not None else (None,) * 4),
        entry.turns,
        record.model,
        entry.method,
        record.variant,
        entry.turn,
        search_outcome(record).value,
        *((score.correct, score.verified_at) if score is not None else (None,) * 2),
        record.detail.exhausted,
        *(own.calls, own.prompt_tokens, own.completion_tokens, own.latency_s),
        record.solver_calls,
        len(record.attempts),
    )
    if not record.attempts:
        yield (*trial, None, True, *(None,) * (len(COLUMNS) - len(trial) - 2))
    for attempt in record.attempts:
        yield (*trial, *_candidate(attempt, attempt is record.attempts[-1]))


def _candidate(attempt: SearchAttempt, last: bool) -> tuple[Any, ...]:
    step, own = attempt.step, total(call.usage for call in attempt.calls)
    return (
        attempt.attempt,
        last,
        *((step.round, step.mends) if step is not None else (None,) * 2),
        candidate_outcome(attempt).value,
        step.repeated if step is not None else None,
        len(attempt.answer or {}),
        ",".join(step.asked) if step is not None else "",
        ",".join(attempt.verdict.violated),
        *((",".join(step.conflict), ",".join(step.revise)) if step is not None else ("", "")),
        *(own.calls, own.prompt_tokens, own.completion_tokens, own.latency_s),
    )
