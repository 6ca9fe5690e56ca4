"""One row per query, flat, for whoever goes on from here with a data frame.

Rows are streamed from the journals: only the cases that are not at their last turn yet are held, for what a query is
answered with in the end is known there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.figures.parquet import stream_rows
from holdtrue.kinds.labels.record import label_outcome
from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.first_labels import first_labels
from holdtrue.lab.kit.journal import read_entries

COLUMNS: dict[str, type] = {
    "run": str,
    "suite": str,
    "problem": str,
    "domain": str,
    "turns": int,
    "model": str,
    "method": str,
    "asked": str,  # one at a time, or as a bundle
    "formal": str,  # whose formulas: gold (an oracle, where the method uses them) or llm
    "finished": bool,
    "turn": int,
    "query": str,
    "statement": str,
    "gold": str,
    "first": str,  # the label before anything was checked
    "label": str,  # after its turn
    "final": str,  # after the last turn
    "entailed": str,  # what follows in the end
    "confidence": float,
    "correct": bool,  # the final label
    "first_correct": bool,
    "outcome": str,  # of the turn's last attempt
    "clash": bool,
    "prefix": bool,
    "retractions": int,
    "attempts": int,  # of the turn, as are all costs
    "queries": int,  # asked in the turn
    "calls": int,
    "prompt_tokens": int,
    "completion_tokens": int,
    "seconds": float,
    "solver_calls": int,
    "set_consistent": bool,  # of the case
    "epistemic": bool,
    "revision_cost": int,
}


def write_parquet(folders: Sequence[Path], path: Path) -> None:
    """Write all queries of these runs, cases in the order in which they ended; raises what `write_parquet` raises."""
    distinct = tuple(dict.fromkeys(folders))
    stream_rows(
        lambda: (row for folder in distinct for case in _cases(folder) for row in flat(folder, case)), COLUMNS, path
    )


def flat(folder: Path, case: Sequence[LabelEntry]) -> Iterator[tuple[Any, ...]]:
    """Each query of a case, its turns given in order, as one value for each of `COLUMNS`."""
    last = case[-1]
    final, entailed = last.record.detail.labels, last.record.detail.entailed
    whole = last.score.whole if last.score is not None else None
    retracted = [event.id for entry in case for event in entry.record.events if event.kind == "set_aside"]
    for entry in case:
        record, score, own = entry.record, entry.score, entry.record.usage
        first, confidence = first_labels(record), record.final.confidence
        gold: Mapping[str, str] = score.gold if score is not None else {}
        for place, (id, statement) in enumerate(record.detail.asked.items()):
            true = gold.get(id)
            yield (
                str(folder),
                entry.suite,
                entry.problem,
                entry.domain,
                entry.turns,
                record.model,
                entry.method,
                record.variant,
                record.reader,
                last.turn == entry.turns,
                entry.turn,
                id,
                statement,
                true,
                first.get(id),
                record.detail.labels.get(id),
                final.get(id),
                entailed.get(id),
                confidence.get(id),
                *((final.get(id) == true, first.get(id) == true) if true is not None else (None, None)),
                label_outcome(record.final.verdict).value,
                *((_at(score.clash, place), _at(score.prefix, place)) if score is not None else (None, None)),
                retracted.count(id),
                len(record.attempts),
                len(record.detail.asked),
                *(own.calls, own.prompt_tokens, own.completion_tokens, own.latency_s),
                record.solver_calls,
                *((whole.consistent, whole.epistemic, whole.revision_cost) if whole is not None else (None,) * 3),
            )


def _at(values: Sequence[bool | None], place: int) -> bool | None:
    return values[place] if place < len(values) else None


def _cases(folder: Path) -> Iterator[list[LabelEntry]]:
    """The turns of each case under each method, as soon as they are all there, and at the end those of the others."""
    begun: dict[tuple[str, str], list[LabelEntry]] = {}
    for entry in read_entries(folder):
        if isinstance(entry, LabelEntry):
            turns = begun.setdefault((entry.problem, entry.method), [])
            turns.append(entry)
            if entry.turn == entry.turns:
                yield begun.pop((entry.problem, entry.method))
    yield from begun.values()
