"""A journal holds one entry per committed turn, and one per failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from holdtrue.record import RETRIED, AttemptRecord, TurnRecord

Score = TypeVar("Score")


@dataclass(frozen=True, slots=True)
class PlayedEntry(Generic[Score]):
    """One turn of one problem under one method, with its score where gold is known.

    `turns` is how many turns the problem has. `told` are lines that say what the model was told of it, where the record
    does not; they stand in the first turn alone. `kind` is the kind of the answer, by which a line is read again.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord[Any, Any]
    score: Score | None
    told: tuple[str, ...] = ()
    kind: str = field(kw_only=True)

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
