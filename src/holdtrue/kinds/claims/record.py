"""What the record of a turn about claims has of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holdtrue.claim_record import ContextRecord
from holdtrue.record import TurnOutcome, TurnRecord


@dataclass(frozen=True, slots=True)
class ClaimsDetail:
    """What the claims were tested against: `context` has the premises, with what the user said in this turn.

    The record's `extraction` are the calls that formalized these.
    """

    context: ContextRecord | None = None

    def outcome_of(self, record: TurnRecord[Any]) -> TurnOutcome:
        """What the last attempt came to."""
        return record.final.verdict.outcome


ClaimsRecord = TurnRecord[ClaimsDetail]
