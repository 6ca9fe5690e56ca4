"""The outcomes of candidates and searches, and the fields that only records of searches have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord


class CandidateOutcome(StrEnum):
    """The one outcome of a candidate, or of a whole search."""

    CERTIFIED_SAT = "certified_sat"
    CERTIFIED_UNSAT = "certified_unsat"
    FAILED_CERTIFICATION = "failed_certification"
    FALSE_UNSAT_CLAIM = "false_unsat_claim"
    REJECTED_DOMAIN = "rejected_domain"
    FAILED_SCHEMA = "failed_schema"
    REFUSED = "refused"
    VERIFIER_UNKNOWN = "verifier_unknown"
    BUDGET_EXCEEDED = "budget_exceeded"

    @property
    def certified(self) -> bool:
        return self in (CandidateOutcome.CERTIFIED_SAT, CandidateOutcome.CERTIFIED_UNSAT)


def candidate_outcome(attempt: SearchAttempt) -> CandidateOutcome:
    """Return the outcome of a candidate from its verdict.

    In such a verdict, `basis` says whether the constraints can all hold, if that is known. `violated` names the
    constraints that the assignment breaks, and `background` the bounds that it exceeds. For a proved claim, `mus` names
    constraints that cannot all hold, and `background` the bounds that this depends on.
    """
    verdict = attempt.verdict
    if verdict.answer is AnswerStatus.REFUSED:
        return CandidateOutcome.REFUSED
    if verdict.answer in (AnswerStatus.UNPARSED, AnswerStatus.INCOMPLETE):
        return CandidateOutcome.FAILED_SCHEMA
    if verdict.answer is AnswerStatus.UNDECIDED:
        return CandidateOutcome.VERIFIER_UNKNOWN
    if not attempt.answer:
        proved = verdict.basis is Satisfiability.UNSAT
        return CandidateOutcome.CERTIFIED_UNSAT if proved else CandidateOutcome.FALSE_UNSAT_CLAIM
    if verdict.background:
        return CandidateOutcome.REJECTED_DOMAIN
    respects = verdict.answer is AnswerStatus.RESPECTING
    return CandidateOutcome.CERTIFIED_SAT if respects else CandidateOutcome.FAILED_CERTIFICATION


def search_outcome(record: SearchRecord) -> CandidateOutcome:
    """Return the outcome of a search: certified, ended early by a limit, or the failure of its last candidate."""
    last = CandidateOutcome.BUDGET_EXCEEDED if not record.attempts else candidate_outcome(record.final)
    if record.detail.exhausted is not None and not last.certified:
        return CandidateOutcome.BUDGET_EXCEEDED
    return last


@dataclass(frozen=True, slots=True)
class SearchStep:
    """The place of a candidate in a search.

    `round` counts from 1. `mends` is the attempt whose failure the prompt reported, or None. `asked` are the variables
    that the prompt asked for, or () for all; the others kept the values of that attempt. `conflict` names constraints
    that this candidate cannot satisfy, as found for feedback, and `revise` their variables. If `repeated` is true, the
    same candidate had failed before in this search and was not checked again.
    """

    round: int
    mends: int | None = None
    asked: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    revise: tuple[str, ...] = ()
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class SearchAttempt(AttemptRecord):
    """A candidate, with its place in the search (`step`)."""

    step: SearchStep | None = None


@dataclass(frozen=True, slots=True)
class SearchDetail:
    """The end of a search: `exhausted` is the limit that ended it early, or None.

    Every turn is an independent trial. The record's `delivered` is the certified candidate, or None if there is none.
    """

    exhausted: str | None = None

    def outcome_of(self, record: TurnRecord[Any, Any]) -> CandidateOutcome:
        """Return the outcome of the search."""
        return search_outcome(record)


SearchRecord = TurnRecord[SearchDetail, SearchAttempt]
