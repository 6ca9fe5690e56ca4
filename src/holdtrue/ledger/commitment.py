"""Commitments: constraints that were agreed, as entries of a ledger."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.ledger.entries import Source
from holdtrue.world.world import Constraint


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something said that may become a commitment.

    `confidence` (0..1) is that of its reading; `doubtful` marks a reading that must give way to confident ones.
    """

    constraint: Constraint
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Commitment:
    """One thing that was agreed, with where it came from: `constraint` is canonical, `sentence` says it in words."""

    id: str
    constraint: Constraint
    sentence: str
    turn: int
    source: Source = Source.USER
    confidence: float = 1.0
    doubtful: bool = False

    @property
    def content(self) -> tuple[str, tuple[str | int, ...]]:
        """The constraint's type and arguments."""
        return self.constraint.type, self.constraint.args
