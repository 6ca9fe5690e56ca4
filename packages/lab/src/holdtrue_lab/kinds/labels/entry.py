"""Labels against gold, and the journal entry that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue_lab.kit.entry import PlayedEntry

FormulaSource = Literal["gold", "file", "model", "none"]


@dataclass(frozen=True, slots=True)
class SetScore:
    """A `SetScore` says whether the answers to a whole case fit together, by the suite's own formulas.

    P are the premises, and C what the final labels commit to: an ENTAILED statement, the negation of a CONTRADICTED
    one, and nothing for UNKNOWN.

    Attributes:
        consistent: P and C can all hold.
        epistemic: P and C can all hold, and each UNKNOWN statement and its negation can hold with them.
        revision_cost: The fewest commitments to withdraw until the rest can hold; 0 if `consistent`.
        of: The number of queries with a formula; the others are left out.
        edits: The number of labels that the method changed after it had first given them.
        needless: The number of retractions that could each be undone at the end without a contradiction.
        opposed: Some label, as it was first given, is the opposite of another one.

    A value is None where it was not decided within the budget.
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
        gold: The true labels by query id, in the order in which the queries were asked.
        prefix: For each query, whether the premises and all commitments up to it, as they stand after this turn, can
            hold together.
        clash: For each query, whether its commitment cannot hold with the premises and the earlier commitments, as they
            were first delivered; earlier ones that clashed themselves are left out.
        differ: Whether the revision policies would end in different beliefs, from the state before this turn; None
            where there is no policy, or nothing to revise.
        whole: The score of the whole case, on its last turn.
        formulas: Whose formulas tell whether answers fit together: those of the suite (`gold`), those of the file that
            the case is from (`file`), those that the model wrote (`model`), or `none`.
        proved: The label that formulas of a model prove, by query; None where they prove none in time. It says how far
            these formulas can be trusted, and no method hears of it. Queries without a formula are left out, and so
            are all where the formulas are not a model's.
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
    """One turn of one case under one method: queries that were asked, and the labels that they got.

    `problem_lines` are the premises, P1 first; they stand in a case's first turn alone.
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
        """The labels that the queries of this turn have after it."""
        detail = self.record.detail
        return {id: detail.labels[id] for id in detail.asked if id in detail.labels}
