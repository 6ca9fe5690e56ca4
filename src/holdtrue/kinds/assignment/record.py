"""This module has the part of a turn's record that only turns about assignments have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.record import AttemptRecord, TurnOutcome, TurnRecord


@dataclass(frozen=True, slots=True)
class AssignmentDetail:
    """An `AssignmentDetail` says how the delivered answer was made.

    `projected` marks an answer that was made by the solver, and `nearest` says whether it was proved that no other
    valid answer is nearer; `set_aside` names commitments that such an answer could not keep.
    """

    projected: bool = False
    nearest: bool | None = None
    set_aside: tuple[str, ...] = ()

    def outcome_of(self, record: TurnRecord[Any, Any]) -> TurnOutcome:
        """Return the outcome of the last attempt."""
        outcome: TurnOutcome = record.final.verdict.outcome
        return outcome


AssignmentRecord = TurnRecord[AssignmentDetail, AttemptRecord]
