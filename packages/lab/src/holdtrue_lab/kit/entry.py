"""A journal holds one entry per committed turn, and one per failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from holdtrue.record import RETRIED, AttemptRecord, TurnRecord

Score = TypeVar("Score")


@dataclass(frozen=True, slots=True)
class PlayedEntry(Generic[Score]):
    """One turn of one problem under one method, with its score where gold is known.

    `turns` is how many turns the problem has. `problem_lines` say what the model was told of it, where the record does
    not; they stand in the first turn alone. `kind` is the kind of the answer, by which a line is read again.
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
        """The number of answers of the turn that are right, and of all its answers; None where gold is not known."""
        score: Any = self.score
        return None if score is None else (int(score.correct), 1)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The answer that was delivered, as it was read; its text where nothing could be read, None without any."""
        record = self.record
        if record.delivered is None:
            return None
        answer = record.final.answer if record.attempts else None
        return record.delivered if answer is None else answer

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return whether an attempt of the turn asked the model again because the one before was not good."""
        return attempt.kind in RETRIED


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """A problem that could not be finished under a method: the error, and the turn it happened in."""

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    error: str
    message: str
    kind: Literal["failure"] = "failure"


Entry = PlayedEntry[Any] | FailureEntry
