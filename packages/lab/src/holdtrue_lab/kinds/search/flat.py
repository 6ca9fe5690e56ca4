"""The Parquet rows of runs of searches: one for each candidate, and one for a trial without candidates.

Values of a trial are repeated on all of its rows. To count trials, count the rows in which `last` is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdtrue.kinds.search.record import SearchAttempt, SearchStep, candidate_outcome, search_outcome
from holdtrue.record import Usage, total
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.flat import COSTS, NAMED, RETRY_COLUMNS, FlatRows, solver, spent


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A row with a candidate of a trial; `attempt` is None if the trial has no candidate."""

    folder: Path
    entry: SearchEntry
    own: Usage
    attempt: SearchAttempt | None

    @property
    def last(self) -> bool:
        return self.attempt is None or self.attempt is self.entry.record.attempts[-1]

    @property
    def step(self) -> SearchStep | None:
        return None if self.attempt is None else self.attempt.step

    @property
    def spent(self) -> Usage | None:
        return None if self.attempt is None else total(call.usage for call in self.attempt.calls)

    def listed(self, name: str) -> Sequence[str] | None:
        """Return the names in the field `name` of the candidate's step, or None without a step."""
        return None if self.attempt is None else getattr(self.step, name, ())


def _candidates(folder: Path, trials: Sequence[SearchEntry]) -> Iterator[_Candidate]:
    for entry in trials:
        for attempt in entry.record.attempts or (None,):
            yield _Candidate(folder, entry, entry.record.usage, attempt)


CANDIDATES = FlatRows(
    SearchEntry,
    {
        **NAMED,
        "difficulty": (str, "entry.score.difficulty"),
        "variant": (str, "entry.score.variant"),  # how the problem was rewritten, '' for an original
        "base": (str, "entry.score.base"),
        "gold": (str, "entry.score.gold"),
        "trials": (int, "entry.turns"),
        "model": (str, "entry.record.model"),
        "method": (str, "entry.method"),
        "budget": (str, "entry.record.variant"),  # the number of candidates in a round, x, the number of rounds
        "trial": (int, "entry.turn"),
        "trial_outcome": (str, lambda candidate: search_outcome(candidate.entry.record)),
        "correct": (bool, "entry.score.correct"),  # the trial
        "verified_at": (int, "entry.score.verified_at"),  # the candidate that was certified
        "exhausted": (str, "entry.record.detail.exhausted"),  # the limit that ended the trial early
        **spent("own", *COSTS, prefix="trial_"),
        **solver("entry.record", prefix="trial_"),
        "candidates": (int, "entry.record.attempts"),  # of the trial
        **RETRY_COLUMNS,
        "candidate": (int, "attempt.attempt"),
        "last": (bool, "last"),
        "round": (int, "step.round"),
        "mends": (int, "step.mends"),
        "outcome": (str, lambda candidate: candidate.attempt and candidate_outcome(candidate.attempt)),
        "repeated": (bool, "step.repeated"),
        "values": (int, lambda candidate: candidate.attempt and len(candidate.attempt.answer or {})),
        "asked": (str, lambda candidate: candidate.listed("asked")),  # variables; '' for all
        "violated": (str, "attempt.verdict.violated"),
        "conflict": (str, lambda candidate: candidate.listed("conflict")),
        "revise": (str, lambda candidate: candidate.listed("revise")),
        **spent("spent", *COSTS),
    },
    _candidates,
)
