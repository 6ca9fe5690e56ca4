"""A search against gold, and the journal entry that holds it."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdtrue.kinds.search.record import SearchAttempt, SearchRecord
from holdtrue.record import AttemptRecord
from holdtrue_lab.kit.entry import PlayedEntry


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
class SearchEntry(PlayedEntry[SearchScore]):
    """One trial of one problem under one method; `turn` counts trials, each with a seed of its own.

    `problem_lines` are what the model was told of the problem: variables with their bounds, then constraints, which
    begin with their ids; they stand in a problem's first trial alone.
    """

    record: SearchRecord
    score: SearchScore | None
    kind: str = field(default="search", kw_only=True)

    def is_retry(self, attempt: AttemptRecord) -> bool:
        """Return whether a candidate is of a later round; those of the first round are draws."""
        return isinstance(attempt, SearchAttempt) and attempt.step is not None and attempt.step.round > 1
