"""One result per distinct sentence, found again cheaply, and how much of sentences is translated at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from holdtrue_claims.fol.fragment import Mark
from holdtrue_claims.fol.syntax import Sentence

Made = TypeVar("Made")
MOST_KEPT = 10_000
"""So many results are kept; then all are forgotten, so that a long series of questions leaves nothing behind."""

MOST_PARTS = 2_000_000
"""So many parts may be translated for sentences that are not asked about; then a solver without them takes over."""
Unnamed = int | None | tuple[Mark, ...]
"""What there can be of unnamed things: so many, any number, or as many as there are of each kind."""


class SentenceMemo(Generic[Made]):
    """A `SentenceMemo` keeps what `make` makes of each sentence.

    Hashing a sentence walks all of it, so the same object is recognised by its id first, an equal one only then.
    Nothing is kept of a sentence for which `make` raises.
    """

    def __init__(self, make: Callable[[Sentence], Made]) -> None:
        self._make = make
        self._by_value: dict[Sentence, Made] = {}
        # With its sentence, which keeps the id from passing to another object.
        self._by_id: dict[int, tuple[Sentence, Made]] = {}

    def __getitem__(self, sentence: Sentence) -> Made:
        found = self._by_id.get(id(sentence))
        if found is not None:
            return found[1]
        if len(self._by_id) >= MOST_KEPT:
            self._by_id.clear()
            self._by_value.clear()
        made = self._by_value[sentence] if sentence in self._by_value else self._make(sentence)
        self._by_value[sentence] = made
        self._by_id[id(sentence)] = (sentence, made)
        return made

    def __len__(self) -> int:
        """The number of sentences whose results are kept, equal ones counted apart."""
        return len(self._by_id)
