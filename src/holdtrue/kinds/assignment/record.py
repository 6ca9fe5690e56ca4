"""The fields that only records of turns about assignments have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.record import AttemptRecord, TurnOutcome, TurnRecord


@dataclass(frozen=True, slots=True)
class AssignmentDetail:
    """The origin of the delivered answer.

    If `projected` is true, the solver made it. `nearest` then says whether it is proved that no valid answer is nearer.
    `set_aside` names the commitments that the answer does not keep.
    """

    projected: bool = False
    nearest: bool | None = None
    set_aside: tuple[str, ...] = ()

    def outcome_of(self, record: TurnRecord[Any, Any]) -> TurnOutcome:
        """Return the outcome of the last attempt."""
        outcome: TurnOutcome = record.final.verdict.outcome
        return outcome


AssignmentRecord = TurnRecord[AssignmentDetail, AttemptRecord]
