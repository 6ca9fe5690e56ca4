"""The facts of each searched problem that report rows need, so that a run's texts are never all in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

from holdtrue.kinds.search.record import (
    CandidateOutcome,
    SearchAttempt,
    SearchRecord,
    candidate_outcome,
    search_outcome,
)
from holdtrue.lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue.lab.kinds.search.row import SPENT
from holdtrue.lab.kit.plays import Play, ProblemKey

UNSAT = "unsat"


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial. `solved_in` is the round of the certified candidate, or None where the trial was not verified.

    `spent` is in the order of `SPENT`. `kept_variables` has, for each candidate with a conflict, the number of
    variables and of those outside the conflict. `with_feedback` counts the certified candidates, and all, whose prompt
    reported a failure; `without_feedback` counts the same for all other candidates.
    """

    score: SearchScore
    outcome: CandidateOutcome
    solved_in: int | None
    candidates: Mapping[CandidateOutcome, int]
    claims: int
    readable: int
    repeated: int
    partial: int
    with_feedback: tuple[int, int]
    without_feedback: tuple[int, int]
    kept_variables: tuple[tuple[int, int], ...]
    spent: tuple[float, ...]

    @property
    def solvable(self) -> bool:
        return self.score.gold != UNSAT


class Search:
    """One problem under one arm, as far as its trials have been read, in any order."""

    def __init__(self, first: SearchEntry) -> None:
        self.problem, self.domain, self._turns = first.problem, first.domain, first.turns
        self._said = crc32(first.record.user_message.encode("utf-8", "surrogatepass"))
        self._played: set[int] = set()
        self._scored: dict[int, Trial] = {}
        self.score: SearchScore | None = None
        self.calls = 0  # the most in any trial

    def add(self, entry: SearchEntry) -> Search:
        """Add one trial, and return the search itself."""
        self._played.add(entry.turn)
        self.calls = max(self.calls, entry.record.usage.calls)
        if entry.score is not None:
            self.score = entry.score
            self._scored[entry.turn] = trial_of(entry.record, entry.score)
        return self

    @property
    def finished(self) -> bool:
        return len(self._played) == self._turns

    @property
    def trials(self) -> list[Trial]:
        """The trials with a score, in their order, so that sums are always rounded alike."""
        return [trial for _, trial in sorted(self._scored.items())]

    @property
    def key(self) -> ProblemKey:
        return self.problem, self._said

    def play(self) -> Play | None:
        """Return the problem as paired tests take it, with trials as turns; None where gold is not known."""
        if self.score is None:
            return None
        trials = sorted(self._scored.items())
        return Play(
            domain=self.domain,
            turns=max(self._scored),
            right={turn: trial.score.correct for turn, trial in trials},
            figures={
                name: {turn: int(trial.spent[place]) for turn, trial in trials} for place, name in enumerate(SPENT[:2])
            },
            variant=self.score.variant,
            base=self.score.base,
        )


def trial_of(record: SearchRecord, score: SearchScore) -> Trial:
    """The facts of one trial."""
    outcomes = [candidate_outcome(attempt) for attempt in record.attempts]
    readable = [frozenset(attempt.answer.items()) for attempt in record.attempts if attempt.answer is not None]
    candidates: Counter[bool] = Counter(_reports_failure(attempt) for attempt in record.attempts)
    hits = Counter(
        _reports_failure(a) for a, outcome in zip(record.attempts, outcomes, strict=True) if outcome.certified
    )
    usage = record.usage
    return Trial(
        score=score,
        outcome=search_outcome(record),
        solved_in=_solved_in(record, score),
        candidates=Counter(outcomes),
        claims=sum(not answer for answer in readable),
        readable=len(readable),
        repeated=len(readable) - len(set(readable)),
        partial=sum(attempt.step is not None and bool(attempt.step.asked) for attempt in record.attempts),
        with_feedback=(hits[True], candidates[True]),
        without_feedback=(hits[False], candidates[False]),
        kept_variables=tuple(kept for attempt in record.attempts if (kept := _kept(attempt)) is not None),
        spent=(
            usage.calls,
            usage.completion_tokens,
            usage.tokens,
            usage.latency_s,
            record.time_s,
            record.solver_calls,
        ),
    )


def _reports_failure(attempt: SearchAttempt) -> bool:
    return attempt.step is not None and attempt.step.mends is not None


def _solved_in(record: SearchRecord, score: SearchScore) -> int | None:
    if not score.correct:
        return None
    for attempt in record.attempts:
        if attempt.attempt == score.verified_at:
            return attempt.step.round if attempt.step is not None else 1
    return None


def _kept(attempt: SearchAttempt) -> tuple[int, int] | None:
    if attempt.step is None or not attempt.step.revise or not attempt.answer:
        return None
    variables = len(attempt.answer)
    return variables, variables - len(attempt.step.revise)
