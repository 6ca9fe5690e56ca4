"""What turns are worth against gold: plain values, written down beside the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.record import LedgerStatus


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
    upstream_ledger: LedgerStatus
    phantoms: int
    gaps: int
    churn: int
    churn_of: int


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
class SearchScore:
    """A search against gold, which is `sat` or `unsat` and proved.

    `correct`: it ended with a certified candidate, an assignment that satisfies all constraints by the suite's own
    formulas or a claim where gold is unsat. `verified_at` is the attempt that was certified, None where none was.
    `difficulty` is the problem's bin, by its structure. `variant` names how the problem was rewritten without changing
    what it asks ('' for the original), and `base` the problem that it was made of, itself where it is one.
    """

    gold: str
    correct: bool
    verified_at: int | None
    difficulty: str
    variant: str = ""
    base: str = ""


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """An answer to a question against gold; all are letters of `options`.

    `given` is the option of the answer that was delivered, None where it gives none. `supported` is the option that its
    verified claims prove, `proved` the one that the context proves as it was formalized; None where that is none, or
    where nothing was verified. `perturbs` names the item that this one is a changed form of, and `perturbation` says
    how.
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

    @property
    def supported_correct(self) -> bool | None:
        """Whether the claims prove the right option; None where they prove none."""
        return None if self.supported is None else self.supported == self.gold

    @property
    def proved_correct(self) -> bool | None:
        """Whether the formalized context proves the right option; None where it proves none."""
        return None if self.proved is None else self.proved == self.gold
