"""The parts of a turn's record that only turns about claims have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.record import AttemptRecord, TurnOutcome, TurnRecord
from holdtrue_claims.claim_record import CheckRecord, ContextRecord

ProgramStatus = Literal["executed", "undecided", "error"]


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """A `ProgramRecord` is the result of running a program of logic that the model wrote.

    `status` is `executed` if it proves exactly one option, `undecided` if it runs and proves none, and `error` if it
    cannot run. `faults` say why.
    """

    status: ProgramStatus
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimAttempt(AttemptRecord):
    """A `ClaimAttempt` is one answer. `check` has the findings about its claims, or None if they were not tested.

    `program` is the result of an answer that is a program.
    """

    check: CheckRecord | None = None
    program: ProgramRecord | None = None


@dataclass(frozen=True, slots=True)
class ClaimsDetail:
    """`ClaimsDetail` has the `context` that claims were tested against, with the statements of the user in this turn.

    The model calls that formalized the context are in `TurnRecord.extraction`.
    """

    context: ContextRecord | None = None

    def outcome_of(self, record: TurnRecord[Any, Any]) -> TurnOutcome:
        """Return the outcome of the last attempt."""
        outcome: TurnOutcome = record.final.verdict.outcome
        return outcome


ClaimsRecord = TurnRecord[ClaimsDetail, ClaimAttempt]
