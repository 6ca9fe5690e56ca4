"""Find what a sentence mentions: the values that it states, surely or perhaps, and the names of a vocabulary.

>>> read = values_heard("About 60 guests ate for at least 20 euros each in room 7.")
>>> [str(own.value) for own in read.sure], [str(own.value) for own in read.perhaps], read.doubtful
(['20'], ['60', '20', '7'], True)
"""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.kinds.claims.prompts.content_words import content_words, plain_words
from holdtrue.language.number_words import read_number
from holdtrue.language.single_values import ValueDoubt, ValueText
from holdtrue.language.values import read_values
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.phrases import spaced
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.fol.variants import Heard
from holdtrue.logic.fol.vocabulary import Function, Predicate, Vocabulary
from holdtrue.logic.value_sorts import Instant

Value = Number | Instant


@dataclass(frozen=True, slots=True)
class ValuesHeard:
    """`ValuesHeard` are the values of a text, in order: those that it surely states, and all that it may state.

    `sure` are the values whose number is written out, with no doubt about them, and that are no part of a name and no
    place in an order. `perhaps` has these too, and every choice of a doubt. `doubtful` says whether there is a doubt:
    then any other value may be meant as well.
    """

    sure: tuple[Value, ...] = ()
    perhaps: tuple[Value, ...] = ()
    doubtful: bool = False


def values_heard(text: str) -> ValuesHeard:
    """Return the values that a text states, as `read_values` finds them, each once. Never raises."""
    read = read_values(text)
    sure = [own.value for own in read.values if _is_sure(own, read.doubts)]
    choices = [choice for doubt in read.doubts for choice in doubt.choices]
    perhaps = [*(own.value for own in read.values), *choices]
    return ValuesHeard(tuple(dict.fromkeys(sure)), tuple(dict.fromkeys(perhaps)), bool(read.doubts))


def _is_sure(own: ValueText, doubts: tuple[ValueDoubt, ...]) -> bool:
    if own.role != "value" or any(doubt.start < own.end and own.start < doubt.end for doubt in doubts):
        return False
    # That something is done once a month, or for a week, a formula may say by the name of a predicate.
    return isinstance(own.value, Instant) or any(map(str.isdigit, own.text)) or read_number(own.text, 0) is not None


def heard_in(text: str, vocabulary: Vocabulary) -> Heard:
    """Return the values and the names of the vocabulary that a sentence may mention, in whatever form of the word."""
    words, stems = {stem(word) for word in plain_words(text)}, content_words(text)
    things = {own.name for own in vocabulary.entities if name_stems(own.name) <= words}
    said = {own.name for own in vocabulary.applied if content_words(described(own)) & stems}
    return Heard(values_heard(text).perhaps, frozenset(things | said))


def name_stems(name: str) -> set[str]:
    """Return the stems of the words that a name is made of."""
    return {stem(word) for word in plain_words(spaced(name))}


def described(own: Predicate | Function) -> str:
    """Return the meaning and the name of a predicate or function in words."""
    return f"{own.meaning} {spaced(own.name)}"
