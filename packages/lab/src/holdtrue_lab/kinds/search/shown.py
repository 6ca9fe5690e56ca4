"""Show trials on the HTML page and, for `report --turns`, as plain text.

The page shows, round by round, the problems on which methods differ most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, candidate_outcome, search_outcome
from holdtrue.kinds.search.verdict_words import Lines, describe_candidate, describe_prompt, in_words, kept, list_values
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kinds.search.report import SearchReport
from holdtrue_lab.kit.shown import ProblemOnPage, Talk, show_most_telling
from holdtrue_lab.kit.transcript import title_of


@dataclass(frozen=True)
class ShownCandidate:
    """One candidate. `source` is the failed candidate that this one was to mend, or None."""

    attempt: SearchAttempt
    source: SearchAttempt | None
    problem: Lines

    @property
    def round(self) -> int:
        return 1 if self.attempt.step is None else self.attempt.step.round

    @cached_property
    def outcome(self) -> CandidateOutcome:
        return candidate_outcome(self.attempt)

    @cached_property
    def feedback(self) -> list[str]:
        """The sentences that the prompt adds to the problem."""
        return list(describe_prompt(self.attempt, self.source, self.problem))

    @cached_property
    def found(self) -> list[str]:
        """The verdict in sentences."""
        return list(describe_candidate(self.attempt, self.problem))

    @cached_property
    def conflict(self) -> list[str]:
        """The constraints, in words, that cannot all hold with the candidate's values; empty if none were sought."""
        return [] if self.attempt.step is None else list(map(self.problem.quote, self.attempt.step.conflict))

    @property
    def revise(self) -> Sequence[str]:
        """The variables of the conflict."""
        return () if self.attempt.step is None else self.attempt.step.revise

    @property
    def keep(self) -> Sequence[str]:
        """The other variables."""
        return kept(self.attempt.answer, self.revise)

    def before(self, name: str) -> str | int | None:
        """Return the value of a variable in the source, if it was different."""
        value = ((self.source.answer if self.source is not None else None) or {}).get(name)
        return None if value is None or value == (self.attempt.answer or {})[name] else value


@dataclass(frozen=True)
class ShownTrial:
    """One trial with its candidates."""

    entry: SearchEntry

    @cached_property
    def outcome(self) -> CandidateOutcome:
        return search_outcome(self.entry.record)

    @property
    def correct(self) -> bool | None:
        return None if self.entry.score is None else self.entry.score.correct

    @cached_property
    def candidates(self) -> list[ShownCandidate]:
        record, problem = self.entry.record, Lines(self.entry.record.user_message.splitlines())
        by_number = {attempt.attempt: attempt for attempt in record.attempts}
        mended = [attempt.step.mends if attempt.step is not None else None for attempt in record.attempts]
        return [
            ShownCandidate(attempt, None if source is None else by_number.get(source), problem)
            for attempt, source in zip(record.attempts, mended, strict=True)
        ]

    @property
    def rounds(self) -> list[tuple[int, list[ShownCandidate]]]:
        """The candidates by round."""
        return [(number, list(group)) for number, group in groupby(self.candidates, key=lambda each: each.round)]


@dataclass(frozen=True)
class ShownSearch(ProblemOnPage[SearchEntry]):
    """One problem with the trials of every side (a method with a model) that searched it.

    `messages` has the problem, in the words of the prompt of each trial.
    """

    @property
    def score(self) -> SearchScore | None:
        """The first score of the problem, or None without one."""
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
        return [Talk(side, tuple(map(ShownTrial, entries))) for side, entries in self.entries.items()]


def show_searches(report: SearchReport, number: int) -> list[ShownSearch]:
    """Return the problems on which methods differ most, at most `number`."""
    return show_most_telling(report, number, SearchEntry, ShownSearch)


class SearchTeller:
    """Describes trials in plain text, one by one."""

    def tell(self, entry: SearchEntry) -> list[str]:
        """Return the lines about one trial. The first trial of a problem also shows the problem."""
        record = entry.record
        lines = [title_of(entry, "trial"), *(f"  {line}" for line in entry.problem_lines)]
        for each in ShownTrial(entry).candidates:
            attempt = each.attempt
            lines += [f"  {line}" for line in each.feedback]
            round = f" (round {each.round})" if attempt.step is not None else ""
            lines.append(f"  candidate {attempt.attempt}{round}: {list_values(attempt)}")
            lines.append(f"    {in_words(each.outcome)}")
            lines += [f"    {line}" for line in each.found]
        gold = (
            "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
        )
        limit = f", no {record.detail.exhausted} left" if record.detail.exhausted is not None else ""
        lines.append(f"  {in_words(search_outcome(record))}{limit}{gold}")
        return lines
