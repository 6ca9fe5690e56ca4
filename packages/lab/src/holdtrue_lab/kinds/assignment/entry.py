"""An assignment against gold, and the journal entry that holds it."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.record import Satisfiability
from holdtrue_lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class TurnScore:
    """A turn against gold. `correct`: parsed, complete and satisfies all that was truly said so far.

    `upstream_correct` is the published predicate, which also accepts partial answers. `first_correct` is the
    same as `correct` for the first attempt, before any repair. `phantoms` counts commitments in the ledger
    that gold does not have, `gaps` gold constraints that the ledger does not have. `churn` counts values
    changed from the last delivered answer, out of `churn_of` that both answers give.
    """

    correct: bool
    upstream_correct: bool
    first_correct: bool
    upstream_ledger: Satisfiability
    phantoms: int
    gaps: int
    churn: int
    churn_of: int


@dataclass(frozen=True, slots=True)
class AssignmentEntry(PlayedEntry[TurnScore]):
    """One turn of one problem under one method."""

    record: AssignmentRecord
    score: TurnScore | None
    kind: str = field(default="assignment", kw_only=True)
