"""The problems that the HTML page shows, with each trial by round: those on which methods differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, candidate_outcome, search_outcome
from holdtrue.kinds.search.verdict_words import Lines, describe_candidate, describe_prompt, kept
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kit.shown import SHOWN, ProblemOnPage, Talk, show_most_telling


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A variable's value in a candidate; `was` is its value in the candidate before, if the two differ.

    If `blamed`, the conflict that was found in this candidate contains the variable.
    """

    name: str
    value: str
    was: str | None
    blamed: bool


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """One candidate. `feedback` is what its prompt said beyond the problem, and `found` the verdict, both in sentences.

    `values` are () for a claim that there is no solution, and where nothing could be read. `conflict` are constraints,
    in words, that cannot all hold with these values, `revise` their variables, and `keep` the others; all are () where
    no conflict was looked for. `cut` counts the characters of the text that are left out.
    """

    number: int
    round: int
    outcome: CandidateOutcome
    values: tuple[ShownValue, ...]
    feedback: tuple[str, ...]
    found: tuple[str, ...]
    conflict: tuple[str, ...]
    revise: tuple[str, ...]
    keep: tuple[str, ...]
    text: str
    cut: int


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """One trial. `correct` is None without a score; `exhausted` is the limit that ended it early."""

    trial: int
    outcome: CandidateOutcome
    correct: bool | None
    exhausted: str | None
    calls: int
    generated: int
    solver_calls: int
    candidates: tuple[ShownCandidate, ...]

    @property
    def rounds(self) -> list[tuple[int, list[ShownCandidate]]]:
        """The candidates by round."""
        return [(number, list(group)) for number, group in groupby(self.candidates, key=lambda each: each.round)]


def show_trial(entry: SearchEntry) -> ShownTrial:
    """Prepare a trial for the page."""
    record, problem = entry.record, Lines(entry.record.user_message.splitlines())
    by_number = {attempt.attempt: attempt for attempt in record.attempts}
    return ShownTrial(
        trial=entry.turn,
        outcome=search_outcome(record),
        correct=None if entry.score is None else entry.score.correct,
        exhausted=record.detail.exhausted,
        calls=record.usage.calls,
        generated=record.usage.completion_tokens,
        solver_calls=record.solver_calls,
        candidates=tuple(_candidate(attempt, by_number, problem) for attempt in record.attempts),
    )


def _candidate(attempt: SearchAttempt, by_number: Mapping[int, SearchAttempt], problem: Lines) -> ShownCandidate:
    step = attempt.step
    revise = () if step is None else step.revise
    source = by_number.get(step.mends) if step is not None and step.mends is not None else None
    return ShownCandidate(
        number=attempt.attempt,
        round=1 if step is None else step.round,
        outcome=candidate_outcome(attempt),
        values=_values(attempt, source, revise),
        feedback=tuple(describe_prompt(attempt, source, problem)),
        found=tuple(describe_candidate(attempt, problem)),
        conflict=() if step is None else tuple(map(problem.quote, step.conflict)),
        revise=revise,
        keep=kept(attempt.answer, revise),
        text=attempt.text[:SHOWN],
        cut=max(0, len(attempt.text) - SHOWN),
    )


def _values(attempt: SearchAttempt, source: SearchAttempt | None, revise: Sequence[str]) -> tuple[ShownValue, ...]:
    before = (source.answer if source is not None else None) or {}
    return tuple(
        ShownValue(name, str(value), str(before[name]) if before.get(name, value) != value else None, name in revise)
        for name, value in (attempt.answer or {}).items()
    )


@dataclass(frozen=True)
class ShownSearch(ProblemOnPage[SearchEntry]):
    """One problem with all sides that searched it; `messages` are the problem as each trial was told it."""

    @property
    def score(self) -> SearchScore | None:
        """Return the first score of the problem, or None where nothing was scored."""
        return next((each.score for entries in self.entries.values() for each in entries if each.score), None)

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(entry.record.user_message for entry in self.longest)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the problem."""
        return tuple(self.messages[0].splitlines())

    @cached_property
    def conversations(self) -> list[Talk[ShownTrial]]:
        return [Talk(side, tuple(map(show_trial, entries))) for side, entries in self.entries.items()]


def show_searches(report: SearchReport, number: int) -> list[ShownSearch]:
    """Return at most `number` problems, those on which methods differ most."""
    return show_most_telling(report, number, SearchEntry, ShownSearch)
