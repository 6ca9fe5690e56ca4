"""Things for grounding sentences over: the named ones, and some unnamed ones of every sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import is_value_sort
from holdtrue_claims.fol.naming import unnamed_label
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.solving.sentence_grounding import Member, thing_label


@dataclass(frozen=True, slots=True)
class Things:
    """`Things` is a finite domain: named things, each with its sort if any, and `fresh` unnamed ones.

    The unnamed ones are of every sort.
    """

    names: tuple[str, ...]
    fresh: int = 2
    sorts: Mapping[str, str] = field(default_factory=dict)

    def labels(self, sort: str | None = None) -> tuple[str, ...]:
        """Return the label of each thing that a variable of that sort ranges over; unnamed things are ?1, ?2."""
        if sort is not None and sort not in self.sorts.values() and is_value_sort(sort):
            raise FormulaError(f"{sort} is a sort of values, and only things can be gone through")
        named = self.names if sort is None else [name for name in self.names if self.sorts.get(name) == sort]
        return (*map(thing_label, named), *map(unnamed_label, range(1, self.fresh + 1)))

    def members(self, sort: str | None) -> Sequence[Member]:
        return [(label, None) for label in self.labels(sort)]


def things_of(vocabulary: Vocabulary) -> Things:
    """Return the entities of a vocabulary, and two more things that no sentence names.

    The two stand for everything that the context does not mention, so that "everybody" is more than "all named".
    """
    sorts = {entity.name: entity.sort for entity in vocabulary.entities}
    return Things(tuple(sorts), sorts=sorts)


def ranges_of(vocabulary: Vocabulary) -> Mapping[str, tuple[int, int]]:
    """Return the least and the greatest value of each function of whole numbers that has both, and can have any."""
    return {
        own.name: (own.low, own.high)
        for own in vocabulary.functions
        if own.result == "whole" and own.low is not None and own.high is not None and own.low <= own.high
    }
