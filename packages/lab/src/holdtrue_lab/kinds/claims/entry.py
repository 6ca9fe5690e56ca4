"""The score of an answer to a question, and its journal entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """The score of an answer to a question with `options`.

    Attributes:
        gold: The letter of the right option.
        given: The letter that the delivered answer gives; None if it gives none.
        supported: The letter that the answer's verified claims prove; None without a proof.
        proved: The letter that the formalized context proves; None without a proof.
        perturbs: The id of the original item, if this item was made by changing it.
        perturbation: The way in which the original was changed.
    """

    gold: str
    given: str | None
    options: Mapping[str, str]
    supported: str | None = None
    proved: str | None = None
    dataset: str = ""
    perturbs: str | None = None
    perturbation: str | None = None

    @property
    def correct(self) -> bool:
        return self.given == self.gold


@dataclass(frozen=True, slots=True)
class ClaimEntry(PlayedEntry[ClaimScore]):
    """The journal entry of one question under one method; `turn` is 1 of 1.

    `domain` is the data set of the question. `problem_lines` show the problem: the sentences of the context with their
    ids, then the question, then the options with their letters.
    """

    record: ClaimsRecord
    score: ClaimScore | None
    kind: str = field(default="claims", kw_only=True)
