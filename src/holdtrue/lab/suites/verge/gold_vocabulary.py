"""The names that gold formulas use, where people wrote formulas and no vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdtrue.logic.fol.signature import signature
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import ANY, Entity, Predicate, Vocabulary


def vocabulary_of(sentences: Sequence[Sentence], meaning: Callable[[str, int], str]) -> Vocabulary:
    """The things and predicates of the sentences; `meaning` tells what a name with so many arguments says."""
    found = signature(sentences)
    return Vocabulary(
        tuple(map(Entity, found.constants)),
        tuple(Predicate(name, (ANY,) * arity, meaning(name, arity)) for name, arity in found.predicates.items()),
    )
