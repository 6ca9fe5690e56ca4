"""This module has the outcomes of an answer of labels, and the part of a record that only turns about queries have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord


class LabelOutcome(StrEnum):
    """The outcome of an answer of labels; exactly one of these applies."""

    UNPARSED = "unparsed"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    CONTRADICTS_PREMISES = "contradicts_premises"
    CONTRADICTS_BELIEFS = "contradicts_beliefs"
    CONSISTENT = "consistent"


def label_outcome(verdict: VerdictRecord) -> LabelOutcome:
    """Return the outcome of an answer of labels, by its verdict.

    In such a verdict, `basis` says whether the premises can all hold, and the answer is judged by the premises and the
    earlier beliefs. `refuted` names queries whose labels the premises alone refute. `mus` names premises (P1 is the
    first) and queries of one conflict, and `blame` the queries among them.
    """
    if verdict.answer is AnswerStatus.REFUSED:
        return LabelOutcome.REFUSED
    if verdict.answer in (AnswerStatus.UNPARSED, AnswerStatus.INCOMPLETE):
        return LabelOutcome.UNPARSED
    if verdict.answer is AnswerStatus.UNDECIDED or verdict.basis is not Satisfiability.SAT:
        return LabelOutcome.UNDECIDED
    if verdict.answer is AnswerStatus.RESPECTING:
        return LabelOutcome.CONSISTENT
    return LabelOutcome.CONTRADICTS_PREMISES if verdict.refuted else LabelOutcome.CONTRADICTS_BELIEFS


@dataclass(frozen=True, slots=True)
class LabelAttempt(AttemptRecord):
    """An attempt; `confidence` (0..1) is the model's own in a label, or the share of samples that gave it, by query."""

    confidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LabelsDetail:
    """The queries and what is believed; all mappings are by the queries' ids.

    `asked` maps the queries of this turn to their statements, `labels` all queries so far to what they are answered
    with after this turn (UNKNOWN where it was withdrawn), `committed` to what the last belief says of just that
    statement then, by whichever answer, and `entailed` to what follows from all that is believed. `set_aside` names
    beliefs that were given up. `tied`: something else of the same standing could have been given up instead; None where
    that was not found out in time. The record's `holds` and `events` are about beliefs: their ids are the queries',
    their types the labels.
    """

    asked: Mapping[str, str]
    labels: Mapping[str, str]
    committed: Mapping[str, str]
    entailed: Mapping[str, str]
    set_aside: tuple[str, ...] = ()
    tied: bool | None = False

    def outcome_of(self, record: TurnRecord[Any, Any]) -> LabelOutcome:
        """Return the outcome of the labels."""
        return label_outcome(record.final.verdict)


LabelsRecord = TurnRecord[LabelsDetail, LabelAttempt]
