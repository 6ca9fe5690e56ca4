"""Labels against gold, and the journal entry that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class SetScore:
    """The answers to a whole case, taken together; measured with the suite's own formulas.

    P are the premises, C what the final labels commit to: an ENTAILED statement, the negation of a CONTRADICTED one,
    nothing for UNKNOWN. `consistent`: P and C can all hold. `epistemic`: also each UNKNOWN statement and its negation
    can hold with them. `revision_cost`: so many commitments have to be withdrawn, at least, until they can (0 where
    they can). None: undecided within the budget, or, where a statement has no formula, left out. `of` counts the
    queries with a formula. `edits` counts labels that the method itself changed after it had first given them.
    `needless` counts retractions that leave the theory possible if they are undone all by themselves at the end.
    `opposed`: some label, as it was first given, says the very opposite of another one.
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
    """A turn about queries against gold; all mappings are from query ids.

    `gold` are the true labels of the queries asked. For each of these, in order, `prefix` tells whether the premises
    and all commitments up to it can hold together, as they stand after this turn, and `clash` whether its commitment
    is impossible with the premises and the earlier ones, as they were first delivered, of which each that clashed
    itself counts as not made. `differ`: whether the revision policies, from the state before this turn, would end in
    different beliefs; None where there is no policy or nothing to revise. `whole` stands on the last turn.
    """

    gold: Mapping[str, str]
    prefix: tuple[bool | None, ...]
    clash: tuple[bool | None, ...]
    differ: bool | None = None
    whole: SetScore | None = None


@dataclass(frozen=True, slots=True)
class LabelEntry(PlayedEntry[LabelScore]):
    """One turn of one case under one method: queries that were asked, and the labels that they got.

    `told` are the premises, P1 first; they stand in a case's first turn alone.
    """

    record: LabelsRecord
    score: LabelScore | None
    kind: str = field(default="labels", kw_only=True)
