"""An answer to a question against gold, and the journal entry that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """The score of an answer to a question with `options`.

    `gold`, `given`, `supported` and `proved` are letters of options. `given` is the option of the delivered answer,
    None where it gives none. `supported` is the option that its verified claims prove, and `proved` the one that the
    formalized context proves; both are None where no option is proved, or nothing was verified. `perturbs` is the id of
    the item that this one is a changed form of, and `perturbation` the way in which it was changed.
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
    """One question under one method: the answers to it, and what was found about their claims; `turn` is 1 of 1.

    `domain` is the data set that the question comes from. `problem_lines` say what the model was told: sentences of its
    context, which begin with their ids, then the question, then the options, which begin with their letters.
    """

    record: ClaimsRecord
    score: ClaimScore | None
    kind: str = field(default="claims", kw_only=True)
