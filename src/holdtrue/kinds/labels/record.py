"""The outcomes of answers that are labels, and the fields that only records about queries have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord


class LabelOutcome(StrEnum):
    """The outcome of an answer of labels. Exactly one of these applies."""

    UNPARSED = "unparsed"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    CONTRADICTS_PREMISES = "contradicts_premises"
    CONTRADICTS_BELIEFS = "contradicts_beliefs"
    CONSISTENT = "consistent"


def label_outcome(verdict: VerdictRecord) -> LabelOutcome:
    """Return the outcome of an answer of labels from its verdict.

    In such a verdict, `basis` says whether the premises can all hold. The answer is judged by the premises and the
    earlier beliefs. `refuted` names queries with labels that the premises alone refute. `mus` names premises (P1 is the
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
    """An attempt. `confidence` (0..1) is the model's for each query, or the share of samples with its label."""

    confidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LabelsDetail:
    """The queries and the beliefs. All mappings have the ids of queries as keys.

    `asked` maps the queries of this turn to their statements. `labels` maps every query so far to its label after this
    turn, UNKNOWN for a withdrawn one. `committed` has the label that the last belief about the same statement gives.
    `entailed` has the labels that follow from all beliefs. `set_aside` names beliefs that were given up. `tied` says
    whether an equally good belief could have been given up instead, or is None if that is not known. In the record,
    `holds` and `events` are about beliefs: their ids are those of queries, and their types are labels.
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
