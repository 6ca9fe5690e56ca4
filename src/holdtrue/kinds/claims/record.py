"""What the record of a turn about claims has of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.claim_record import CheckRecord, ContextRecord
from holdtrue.record import AttemptRecord, TurnOutcome, TurnRecord


@dataclass(frozen=True, slots=True)
class ClaimAttempt(AttemptRecord):
    """An answer; `check` is what was found about its claims, None where they were not tested."""

    check: CheckRecord | None = None


@dataclass(frozen=True, slots=True)
class ClaimsDetail:
    """What the claims were tested against: `context` has the premises, with what the user said in this turn.

    The record's `extraction` are the calls that formalized these.
    """

    context: ContextRecord | None = None

    def outcome_of(self, record: TurnRecord[Any, Any]) -> TurnOutcome:
        """What the last attempt came to."""
        outcome: TurnOutcome = record.final.verdict.outcome
        return outcome


ClaimsRecord = TurnRecord[ClaimsDetail, ClaimAttempt]
