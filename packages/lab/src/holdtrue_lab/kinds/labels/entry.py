"""The scores of labels, and their journal entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.record import DRAWN, Label
from holdtrue_lab.kit.entry import PlayedEntry

FormulaSource = Literal["gold", "file", "model", "none"]
_LABELS = frozenset(Label)


@dataclass(frozen=True, slots=True)
class SetScore:
    """The consistency of the answers to a whole case, by the suite's formulas.

    P are the premises. C are the commitments of the final labels. ENTAILED commits to the statement, CONTRADICTED to
    its negation, and UNKNOWN to nothing.

    Attributes:
        consistent: Whether P and C can all hold.
        epistemic: Whether P and C can all hold, and each UNKNOWN statement and its negation can hold with them.
        revision_cost: The fewest commitments to withdraw until the rest can hold; 0 if `consistent`.
        of: Number of queries with a formula. Other queries are left out.
        edits: Number of labels that the method changed after it had first given them.
        needless: Number of retractions that could each be undone at the end without a contradiction.
        opposed: Whether two labels, as they were first given, commit to a statement and to its negation.

    A value is None if it was not decided within the budget.
    """

    consistent: bool | None
    epistemic: bool | None
    revision_cost: int | None
    of: int
    edits: int = 0
    needless: int = 0
    opposed: bool | None = None


@dataclass(frozen=True, slots=True)
class LabelScore:
    """The score of a turn about queries.

    Attributes:
        gold: The true labels by query id, in the order of the queries.
        prefix: For each query, whether the premises and all commitments up to this query can hold together. The
            commitments are those after this turn.
        clash: For each query, whether its commitment conflicts with the premises and earlier commitments. Commitments
            count as first delivered, and those that had a conflict themselves do not count.
        differ: Whether the revision policies, from the state before this turn, would end in different beliefs. It is
            None without a policy, or with nothing to revise.
        whole: The score of the whole case, on its last turn.
        formulas: The source of the formulas: the suite (`gold`), the file of the case (`file`), the model (`model`), or
            `none`.
        proved: The label that the model's formulas prove, by query, or None if they prove none in time. It shows how
            reliable these formulas are. For formulas of other sources it is empty.
    """

    gold: Mapping[str, str]
    prefix: tuple[bool | None, ...]
    clash: tuple[bool | None, ...]
    differ: bool | None = None
    whole: SetScore | None = None
    formulas: FormulaSource = "gold"
    proved: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LabelEntry(PlayedEntry[LabelScore]):
    """The journal entry of one turn of one case under one method. Its queries and their labels are in the record.

    In the first turn of a case, `problem_lines` are the premises, P1 first.
    """

    record: LabelsRecord
    score: LabelScore | None
    kind: str = field(default="labels", kw_only=True)

    @property
    def tally(self) -> tuple[int, int] | None:
        if self.score is None:
            return None
        gold, labels = self.score.gold, self.record.detail.labels
        return sum(labels.get(id) == label for id, label in gold.items()), len(gold)

    @property
    def given(self) -> Mapping[str, str | int] | str | None:
        """The labels that this turn's queries have after the turn."""
        detail = self.record.detail
        return {id: detail.labels[id] for id in detail.asked if id in detail.labels}


def first_labels(record: LabelsRecord) -> dict[str, str]:
    """Return, by query id, the first label of each query of the turn. Queries without any label are left out.

    Samples and their vote count as one answer, which is the vote. If the first answer leaves a query out, the query's
    label comes from the next attempt with a label for it.
    """
    drawn = 0
    for attempt in record.attempts:
        if attempt.kind not in DRAWN:
            break
        drawn += 1
    found: dict[str, str] = {}
    for attempt in record.attempts[max(0, drawn - 1) :]:
        for id, label in (attempt.answer or {}).items():
            if id in record.detail.asked and label in _LABELS:
                found.setdefault(id, str(label))
    return found
