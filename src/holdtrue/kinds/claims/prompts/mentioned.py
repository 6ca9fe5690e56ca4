"""What a sentence speaks of, as far as its words show: nothing else can stand in its formula."""

from __future__ import annotations

from dataclasses import replace

from holdtrue.kinds.claims.prompts.identifiers import name_words
from holdtrue.logic.fol.near import stem
from holdtrue.logic.fol.vocabulary import Entity, Vocabulary

_POINTING = frozenset(("he", "she", "it", "they", "his", "her", "its", "their", "this", "that", "these", "those"))
"""A sentence that begins with one of these may speak of anything."""

_SOME = frozenset(("some", "someone", "somebody", "something", "there", "exist", "exists", "least", "few", "several"))
_MORE_SOME = frozenset(("many", "most", "one", "a", "an", "any", "anyone", "anybody", "anything"))


def says_some(sentence: str) -> bool:
    """Whether a word of the sentence can mean that there is something: without one it speaks of all."""
    words = {word.casefold() for word in name_words(sentence)}
    return bool(words & (_SOME | _MORE_SOME))


def mentioned(vocabulary: Vocabulary, sentence: str) -> Vocabulary:
    """The vocabulary with only those things that the sentence names by a word, other than that of their sort.

    "If people dance, they practise" names nobody; bound to things anyway, a small model takes the first one for it.
    """
    words = [word.casefold() for word in name_words(sentence)]
    if words and words[0] in _POINTING:
        return vocabulary
    said = {stem(word) for word in words}
    return replace(vocabulary, entities=tuple(own for own in vocabulary.entities if said & _stems(own)))


def _stems(entity: Entity) -> set[str]:
    """The stems of the words that name the thing; that of its sort only where there is no other."""
    stems = {stem(word.casefold()) for word in name_words(entity.name)} or {stem(entity.name)}
    return stems - {stem(entity.sort)} or stems
