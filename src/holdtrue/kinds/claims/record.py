"""This module has the part of a turn's record that only turns about claims have."""

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
    """`ClaimsDetail` has the `context` that claims were tested against: premises, and what the user said in this turn.

    The record's `extraction` are the calls that formalized these.
    """

    context: ContextRecord | None = None

    def outcome_of(self, record: TurnRecord[Any, Any]) -> TurnOutcome:
        """Return the outcome of the last attempt."""
        outcome: TurnOutcome = record.final.verdict.outcome
        return outcome


ClaimsRecord = TurnRecord[ClaimsDetail, ClaimAttempt]
