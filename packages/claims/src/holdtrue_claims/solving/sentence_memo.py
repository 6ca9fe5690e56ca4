"""A cache with one result per distinct sentence, and limits of translation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from holdtrue_claims.fol.fragment import Mark
from holdtrue_claims.fol.syntax import Sentence

Made = TypeVar("Made")
MOST_KEPT = 10_000
"""The largest number of cached results. A full cache is emptied."""

MOST_PARTS = 2_000_000
"""The largest number of translated parts that a solver keeps; beyond it a new solver takes over."""
Unnamed = int | None | tuple[Mark, ...]
"""The unnamed things of a world: their largest number, None for any number, or the marks of counted kinds."""


class SentenceMemo(Generic[Made]):
    """A `SentenceMemo` caches the result of `make` for each sentence.

    Hashing a sentence walks all of it, so a sentence is looked up by its id first and by its value second. Nothing is
    cached if `make` raises.
    """

    def __init__(self, make: Callable[[Sentence], Made]) -> None:
        self._make = make
        self._by_value: dict[Sentence, Made] = {}
        # kept with its sentence, so that the id stays valid
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
        """Return the number of cached sentence objects; equal ones count separately."""
        return len(self._by_id)
