"""The score of a turn about assignments, and its journal entry."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.record import Satisfiability
from holdtrue_lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class TurnScore:
    """The score of a turn: its answer and its ledger, compared with gold.

    Attributes:
        correct: Whether the answer was parsed, is complete and satisfies every gold constraint up to this turn.
        upstream_correct: Whether the answer is right by the published rule, which also accepts partial answers.
        first_correct: Whether the first attempt, before any repair, is `correct`.
        upstream_ledger: The status of the ledger by the published rule.
        phantoms: Number of commitments in the ledger that gold does not have.
        gaps: Number of gold constraints that the ledger does not have.
        churn: Number of values that differ from the last delivered answer.
        churn_of: Number of values that both answers give.
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
    """The journal entry of one turn about assignments."""

    record: AssignmentRecord
    score: TurnScore | None
    kind: str = field(default="assignment", kw_only=True)
