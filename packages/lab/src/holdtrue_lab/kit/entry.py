"""This module defines the entries of a run's journal: one for each committed turn, and one for each failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from holdtrue.record import RETRIED, AttemptRecord, TurnRecord

Score = TypeVar("Score")


@dataclass(frozen=True, slots=True)
class PlayedEntry(Generic[Score]):
    """A `PlayedEntry` is one turn of one problem under one method.

    Attributes:
        turns: The number of turns of the problem.
        score: The score of the turn; None if the right answer is not known.
        problem_lines: The parts of the problem that the model saw and the record lacks; only the first turn has them.
        kind: The name of the kind of answer, which selects the class that parses a journal line.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord[Any, Any]
    score: Score | None
    problem_lines: tuple[str, ...] = ()
    kind: str = field(kw_only=True)

    @property
    def tally(self) -> tuple[int, int] | None:
        """The number of right answers in the turn, and of all its answers; None without gold."""
        score: Any = self.score
        return None if score is None else (int(score.correct), 1)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The delivered answer as it was parsed, or its text if parsing failed. None means that none was delivered."""
        record = self.record
        if record.delivered is None:
            return None
        answer = record.final.answer if record.attempts else None
        return record.delivered if answer is None else answer

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return whether an attempt asked the model again because the attempt before it failed."""
        return attempt.kind in RETRIED


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """A `FailureEntry` is a problem that a method could not finish: the turn of the failure, and the error."""

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    error: str
    message: str
    kind: Literal["failure"] = "failure"


Entry = PlayedEntry[Any] | FailureEntry
