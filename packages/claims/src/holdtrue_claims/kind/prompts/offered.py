"""Choose the names and values that a formula of a sentence may use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdtrue.language.sentences import split_sentences
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Amount, Instant
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.naming import name_words, stem
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.kind.prompts.content_words import word_set, word_stem
from holdtrue_claims.values.single_values import formula_of
from holdtrue_claims.values.text_values import read_values

_POINTING = word_set("he she it they his her its their this that these those")
"""A sentence that begins with one of these words may refer to any thing."""
_PERSONAL = word_set("he she him her his hers himself herself former latter")
"""A sentence with one of these words refers to a thing that an earlier sentence names."""
_SOME = word_set(
    "some someone somebody something there exist exists least few several many most one",
    "a an any anyone anybody anything",
)
_COUNTS = word_set("many few fewer more most least exactly only number count as total nobody none no both either per")
_SUMS = word_set("sum total totals together altogether all overall combined whole adds add amount amounts invoice bill")
SMALL = tuple(Number(number) for number in range(11))
"""Whole numbers that every formula may use."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An `Offer` is a vocabulary, the `values` that a sentence states, and the forms that its formula may have.

    `some` allows formulas that begin with `exists`. `counts` and `sums` allow counts and sums over things.
    """

    vocabulary: Vocabulary
    values: tuple[Number | Instant, ...] = ()
    some: bool = True
    counts: bool = True
    sums: bool = True


def offer(vocabulary: Vocabulary, sentence: str) -> Offer:
    """Return the names, values and forms that the formula of a sentence may use."""
    words = {word.casefold() for word in name_words(sentence)}
    values = stated_values(vocabulary, sentence)
    plain = any(isinstance(value, Number) and value.unit == ONE for value in values)
    return Offer(
        mentioned(vocabulary, sentence),
        values,
        says_some(sentence),
        plain or bool(words & _COUNTS),
        bool(words & _SUMS),
    )


def stated_values(vocabulary: Vocabulary, sentence: str) -> tuple[Number | Instant, ...]:
    """Return the values that a sentence states, each once, with all choices of a doubtful value.

    A number in the name of a thing is omitted. A counted noun that is a unit of the vocabulary also gives an amount:
    three nights.
    """
    read = read_values(sentence)
    labels = {digits for thing in vocabulary.entities for digits in name_words(thing.name) if digits.isdigit()}
    own_units = {
        sort.unit.name: sort.unit
        for function in vocabulary.functions
        if isinstance(sort := vocabulary.value_sort(function.result), Amount) and sort.unit != ONE
    }
    found: dict[Number | Instant, None] = {}
    for value in read.values:
        if value.role == "label" and value.formula in labels:
            continue
        found.setdefault(value.value)
        counted = next(
            (unit for name, unit in own_units.items() if value.noun and stem(name) == stem(value.noun)), None
        )
        if counted is not None and isinstance(value.value, Number):
            found.setdefault(Number(value.value.value, counted))
    for doubt in read.doubts:
        for choice in doubt.choices:
            found.setdefault(choice)
    return tuple(found)


def value_doubts(sentence: str) -> tuple[Alert, ...]:
    """Return alerts for incomplete or ambiguous values of a sentence."""
    alerts = []
    for doubt in read_values(sentence).doubts:
        may = " or ".join(map(formula_of, doubt.choices))
        message = f"{doubt.text}: {doubt.why}" + (f"; it may be {may}" if may else "")
        alerts.append(Alert("doubtful", message, sentence, doubt.start))
    return tuple(alerts)


def values_line(values: Sequence[Number | Instant]) -> str:
    """Return the prompt line with a sentence's values and its newline; "" if there are none."""
    return f"Values: {', '.join(map(formula_of, values))}\n" if values else ""


def says_some(sentence: str) -> bool:
    """Return whether a word of the sentence can express existence; otherwise the sentence is about all things."""
    words = {word.casefold() for word in name_words(sentence)}
    return bool(words & _SOME)


def mentioned(vocabulary: Vocabulary, sentence: str) -> Vocabulary:
    """Return the vocabulary with only the things that the sentence names by a word other than their sort.

    "If people dance, they practise" names nobody, but a small model would use the first thing it sees.
    """
    words = [word.casefold() for word in name_words(sentence)]
    if words and (words[0] in _POINTING or not _PERSONAL.isdisjoint(words)):
        return vocabulary
    # The article is no name: Parcel A needs both words.
    said = {stem(word) for word in words} - {"a"}
    plain = f" {' '.join(words)} "
    named = []
    for own in vocabulary.entities:
        spoken = [word.casefold() for word in name_words(own.name)]
        stems = set(map(stem, spoken)) or {stem(own.name)}
        # The word of its sort names a thing only if it has no other word.
        if said & (stems - {stem(own.sort)} or stems) or f" {' '.join(spoken)} " in plain:
            named.append(own)
    return replace(vocabulary, entities=tuple(named))


_LITTLE = word_set("x y z w i is it the a an are of to in on at by for with not and or")
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def left_out(name: str, why: str, text: str, meaning: str = "") -> Alert:
    """Return the alert for a dropped name, with the reason `why` and the sentences of the text that mention it.

    A sentence mentions the name if it has all content words of the name, or all of its meaning.
    """

    def stems(said: str) -> set[str]:
        words = (word.casefold() for word in name_words(_CAPITALS.sub(" ", said)))
        return {word_stem(word) for word in words if word not in _LITTLE}

    wanted = [own for own in (stems(name), stems(meaning)) if own]
    sentences = [said for said in split_sentences(text) if any(own <= stems(said) for own in wanted)]
    cost = f"; it is mentioned in {len(sentences)} sentence{'' if len(sentences) == 1 else 's'}" if sentences else ""
    return Alert("dropped", f"{name} is left out: {why}{cost}", " ".join(f"{own}." for own in sentences))
