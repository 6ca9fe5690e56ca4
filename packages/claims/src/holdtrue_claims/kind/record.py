"""This module has the part of a turn's record that only turns about claims have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.record import AttemptRecord, TurnOutcome, TurnRecord
from holdtrue_claims.claim_record import CheckRecord, ContextRecord

ProgramStatus = Literal["executed", "undecided", "error"]


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """A `ProgramRecord` tells what became of a program of logic that the model wrote.

    Its `status` is `executed` where it proves just one option, `undecided` where it can be run and proves none, and
    `error` where it cannot be run; `faults` say why.
    """

    status: ProgramStatus
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimAttempt(AttemptRecord):
    """An answer; `check` is what was found about its claims, None where they were not tested.

    `program` tells what became of a program, for an answer that is one.
    """

    check: CheckRecord | None = None
    program: ProgramRecord | None = None


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
