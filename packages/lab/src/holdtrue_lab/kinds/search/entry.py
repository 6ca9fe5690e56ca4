"""The score of a search, and its journal entry."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdtrue.kinds.search.record import SearchAttempt, SearchRecord
from holdtrue.record import AttemptRecord
from holdtrue_lab.kit.entry import PlayedEntry


@dataclass(frozen=True, slots=True)
class SearchScore:
    """The score of a search. Gold is `sat` or `unsat`, and proved.

    Attributes:
        correct: Whether the search ended with a certified right candidate. This is an assignment that satisfies all
            constraints by the suite's formulas, or a claim of unsat if gold is unsat.
        verified_at: The number of the certified attempt, or None.
        difficulty: The problem's bin, by its structure.
        variant: The way in which the problem was rewritten without a change of meaning; '' for the original.
        base: The id of the original problem, which may be this one.
    """

    gold: str
    correct: bool
    verified_at: int | None
    difficulty: str
    variant: str = ""
    base: str = ""


@dataclass(frozen=True, slots=True)
class SearchEntry(PlayedEntry[SearchScore]):
    """The journal entry of one trial of one problem under one method. `turn` counts trials, each with its own seed.

    In the first trial, `problem_lines` show the problem: variables with bounds, then constraints with their ids.
    """

    record: SearchRecord
    score: SearchScore | None
    kind: str = field(default="search", kw_only=True)

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return whether a candidate belongs to a later round; those of the first round are independent draws."""
        return isinstance(attempt, SearchAttempt) and attempt.step is not None and attempt.step.round > 1
