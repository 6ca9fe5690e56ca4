"""Phrase formulas in words, for scripted models that choose among statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue_claims.fol.english import say
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary


def in_words(formula: str, things: Iterable[str], meanings: Mapping[str, str]) -> str:
    """Return the formula in the words that the library makes; `meanings` describe its predicates."""
    sorts = {name: ("thing",) * len({"x", "y", "z"} & set(meaning.split())) for name, meaning in meanings.items()}
    vocabulary = Vocabulary(
        tuple(map(Entity, things)), tuple(Predicate(name, sorts[name], meanings[name]) for name in meanings)
    )
    sentence = read_fol(formula).sentence
    return "" if sentence is None else say(sentence, vocabulary)
