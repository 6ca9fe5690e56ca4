"""What a journal holds: one entry per committed turn, and one per failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from holdtrue.record import TurnRecord
from holdtrue.scores import ClaimScore, LabelScore, SearchScore, TurnScore


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One turn of one problem under one method, with its score where gold is known.

    `turns` is how many turns the problem has.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord
    score: TurnScore | None
    kind: Literal["turn"] = "turn"


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """One turn of one case under one method: queries that were asked, and the labels that they got.

    `premises` are the sentences that the model was told, P1 first; they stand in a case's first turn alone.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord
    score: LabelScore | None
    premises: tuple[str, ...] = ()
    kind: Literal["labels"] = "labels"


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """One trial of one search problem under one method; `turn` counts trials, each with a seed of its own.

    `told` are the lines that the model was told of the problem: variables with their bounds, then constraints, which
    begin with their ids; they stand in a problem's first trial alone.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord
    score: SearchScore | None
    told: tuple[str, ...] = ()
    kind: Literal["search"] = "search"


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """One question under one method: the answers to it, and what was found about their claims; `turn` is 1 of 1.

    `domain` is the data set that the question comes from. `told` are the lines that the model was told: the sentences
    of the context, which begin with their ids, then the question, then the options, which begin with their letters.
    """

    suite: str
    problem: str
    domain: str
    method: str
    turn: int
    turns: int
    record: TurnRecord
    score: ClaimScore | None
    told: tuple[str, ...] = ()
    kind: Literal["claims"] = "claims"


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


PlayedEntry = TurnEntry | LabelEntry | SearchEntry | ClaimEntry
Entry = PlayedEntry | FailureEntry
