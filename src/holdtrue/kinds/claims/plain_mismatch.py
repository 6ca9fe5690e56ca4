"""Compare what a sentence plainly mentions with what a formula has: values, names, `at least`, and a bare negation.

No model is asked. What is not sure is left to the models, since a sentence can say a number in words, compute with it,
or say the opposite of an opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from holdtrue.kinds.claims.heard import Value, ValuesHeard, described, heard_in, name_stems, values_heard
from holdtrue.kinds.claims.prompts.content_words import content_words, plain_words
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.phrases import spaced
from holdtrue.logic.fol.variants import Heard
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Instant, show_amount

_QUANTITIES = re.compile(
    r"\d|\b(?:half|halves|twice|double[sd]?|triple[sd]?|dozens?|couple|pair|both|noon|midnight|quarters?|fortnight|"
    r"decade|century|hundreds?|thousands?|millions?|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|"
    r"today|tomorrow|yesterday|night|daily|weekly|monthly|yearly|once|first|second|third|last|final|next|previous|"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b)",
    re.IGNORECASE,
)
"""Words behind which a value may stand that is not written in figures."""
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|except|but|only|unless|until|hardly|barely|"
    r"rarely|fails?|failed|lacks?|lacked|refuse[sd]?|den(?:y|ies|ied)|false|untrue|wrong|miss(?:es|ed)?|avoid(?:s|ed)?|"
    r"stop(?:s|ped)?|too|less|fewer|most|few|otherwise|instead|rather|un\w+|in\w+|dis\w+|non\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not(?! only\b| just\b)|never)\b|n['’]t\b", re.IGNORECASE)
_LEAST = re.compile(
    r"\b(at least|no fewer than|no less than|at most|no more than|exactly|more than|fewer than|less than)\b", re.I
)
_OPPOSITE: dict[str, tuple[fol.Comparison, ...]] = {
    "at least": ("<=", "<"),
    "no fewer than": ("<=", "<"),
    "no less than": ("<=", "<"),
    "more than": ("<=", "<"),
    "at most": (">=", ">"),
    "no more than": (">=", ">"),
    "fewer than": (">=", ">"),
    "less than": (">=", ">"),
    "exactly": (),
}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def plain_mismatch(text: str, sentence: fol.Sentence, vocabulary: Vocabulary) -> str | None:
    """Return in words what of a formula plainly does not fit its sentence, or None where nothing is surely wrong."""
    said = values_heard(text)
    return (
        _values(text, sentence, vocabulary, said)
        or _names(text, sentence, vocabulary, heard_in(text, vocabulary))
        or _least(text, sentence, said)
        or _denial(text, sentence, vocabulary)
    )


# --- values ----------------------------------------------------------------------------------------------------------


def _values(text: str, sentence: fol.Sentence, vocabulary: Vocabulary, said: ValuesHeard) -> str | None:
    nodes = list(fol.walk(sentence))
    has = [node for node in nodes if isinstance(node, fol.Number | Instant)]
    factors = [
        fol.Number(-factor if factor < 0 else factor)
        for own in nodes
        if isinstance(own, fol.Plus)
        for factor, _ in own.parts
        if factor not in (1, -1)
    ]
    names = _words_of_names(nodes, vocabulary)
    lost = [value for value in said.sure if not _is_explained(value, (*has, *factors)) and not _is_in(value, names)]
    extra = [value for value in has if _is_extra(value, said)]
    if lost and extra and not _derived(text):
        return f"the sentence says {_shown(lost[0])}, and the formula says {_shown(extra[0])}"
    if not has and not factors and (missing := [value for value in lost if _is_typed(value)]):
        return f"the formula says nothing of {_shown(missing[0])}"
    typed = [value for value in extra if _is_typed(value)]
    if typed and not said.perhaps and _QUANTITIES.search(text) is None:
        return f"the sentence says nothing of {_shown(typed[0])}"
    return None


def _is_extra(value: Value, said: ValuesHeard) -> bool:
    """Return whether a value of a formula can be nothing that its sentence says; behind a doubt it may be anything."""
    if said.doubtful or (isinstance(value, fol.Number) and value.value in (0, 1)):
        return False
    return not _is_explained(value, said.perhaps) and not _is_made_of(value, said.perhaps)


def _is_typed(value: Value) -> bool:
    return isinstance(value, Instant) or value.unit != ONE


def _derived(text: str) -> bool:
    """Return whether a sentence computes with its numbers, in words that give no number themselves."""
    return (
        re.search(
            r"\b(?:half|twice|double|triple|third|quarter|dozen|couple|pair|last|from the|ago|later|earlier|next|"
            r"previous|together|altogether|each|per|times|respectively|discount|off|reduced|increased|plus|minus)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _is_explained(value: Value, others: Iterable[Value]) -> bool:
    return any(_alike(value, other) or _alike(other, value) for other in others)


def _alike(one: Value, other: Value) -> bool:
    """Return whether two values may be one: the same amount in other units, 4 for more than 3, 85% for 15% off."""
    if isinstance(one, Instant) or isinstance(other, Instant):
        if isinstance(one, Instant) and isinstance(other, Instant):
            return one.value == other.value or one.sort.kind != other.sort.kind
        number, instant = (one, other) if isinstance(other, Instant) else (other, one)
        assert isinstance(number, fol.Number) and isinstance(instant, Instant)
        digits = {int(part) for part in re.findall(r"\d+", instant.sort.show(instant.value))}
        return number.value in digits or any(part - 12 == number.value for part in digits)
    # A sign may be said by a word: 20 euros of debt.
    mine, yours = abs(Fraction(one.value)), abs(Fraction(other.value))
    if one.unit.dimension == other.unit.dimension:
        if mine * one.unit.factor == yours * other.unit.factor:
            return True
        if one.unit.dimension == () and mine * one.unit.factor in (
            1 - yours * other.unit.factor,
            1 + yours * other.unit.factor,
        ):
            return True
    return mine == yours or abs(mine - yours) == 1 or mine in (yours * 2, yours * 100)


def _is_made_of(value: Value, said: Sequence[Value]) -> bool:
    """Return whether two values that are said make this one: a sum, difference, product, quotient, or later date."""
    if isinstance(value, Instant):
        return any(isinstance(one, fol.Number) and one.unit != ONE for one in said)
    numbers = [Fraction(one.value) for one in said if isinstance(one, fol.Number)]
    wanted = Fraction(value.value)
    return any(
        wanted in (one + other, one - other, one * other) or (other and wanted == one / other)
        for n, one in enumerate(numbers)
        for m, other in enumerate(numbers)
        if n != m
    )


def _is_in(value: Value, words: str) -> bool:
    if value in values_heard(words).perhaps:
        return True
    if isinstance(value, Instant):
        return any(part in words for part in re.findall(r"\d+", value.sort.show(value.value)))
    shown = str(value.value)
    return shown in words or content_words(shown) <= content_words(words)


def _shown(value: Value) -> str:
    return value.sort.show(value.value) if isinstance(value, Instant) else show_amount(value.value, value.unit)


# --- names -----------------------------------------------------------------------------------------------------------


def _names(text: str, sentence: fol.Sentence, vocabulary: Vocabulary, heard: Heard) -> str | None:
    """Tell of a thing that the sentence does not mention, in a formula that lacks one of its sort that it does."""
    words = {stem(word) for word in plain_words(text)}
    sorts = {own.name: own.sort for own in vocabulary.entities}
    used = dict.fromkeys(node.name for node in fol.walk(sentence) if isinstance(node, fol.Constant))
    for name in used:
        if name not in sorts or name_stems(name) & words:
            continue
        instead = [
            other for other, sort in sorts.items() if sort == sorts[name] and other in heard.names and other not in used
        ]
        unnamed = [other for other in used if other in sorts and not name_stems(other) & words]
        if instead and len(unnamed) <= len(instead) and not _refers_back(text):
            return f"the formula is about {spaced(name)}, and the sentence is about {spaced(instead[0])}"
    return None


def _refers_back(text: str) -> bool:
    """Return whether a sentence may mean somebody whom it does not name."""
    return (
        re.search(
            r"\b(?:he|she|it|they|him|her|his|its|them|their|this|that|these|those|other|others|another|else|same|former|"
            r"latter|everyone|everybody|all|each|rest|only|both)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _words_of_names(nodes: Sequence[fol.Sentence | fol.Term], vocabulary: Vocabulary) -> str:
    """Return everything that the names of a formula say in words."""
    meanings = {own.name: described(own) for own in vocabulary.applied}
    names = [node.name for node in nodes if isinstance(node, fol.Constant)]
    used = [node.predicate for node in nodes if isinstance(node, fol.Holds)]
    used += [node.function for node in nodes if isinstance(node, fol.Apply)]
    return " ".join((*map(spaced, names), *(meanings.get(name, name) for name in used)))


# --- at least, and not -----------------------------------------------------------------------------------------------


def _least(text: str, sentence: fol.Sentence, said: ValuesHeard) -> str | None:
    """Tell of a formula that only compares one thing with a number, the other way round than the sentence does."""
    match sentence:
        case fol.Compare(op, fol.Apply() | fol.Count(), fol.Number() as number):
            pass
        case fol.Compare(op, fol.Number() as number, fol.Apply() | fol.Count()):
            op = _FLIPPED.get(op, op)  # type: ignore[assignment]
        case _:
            return None
    phrases = [found[1].lower() for found in _LEAST.finditer(text)]
    rest = _LEAST.sub(" ", text)
    if (
        len(phrases) != 1
        or said.doubtful
        or len(said.perhaps) != 1
        or said.perhaps != said.sure
        or _NEGATIVE.search(rest) is not None
        or not _is_explained(said.sure[0], [number])
    ):
        return None
    only = said.sure[0]
    exact = isinstance(only, fol.Number) and only.value == number.value
    if exact and op in _OPPOSITE[phrases[0]]:
        return f"the sentence says {phrases[0]}, and the formula says the opposite"
    return None


def _denial(text: str, sentence: fol.Sentence, vocabulary: Vocabulary) -> str | None:
    """Tell of a formula that only states or denies a fact which the sentence, in the same words, denies or states."""
    denied = isinstance(sentence, fol.Not)
    atom = sentence.operand if isinstance(sentence, fol.Not) else sentence
    if not isinstance(atom, fol.Holds):
        return None
    meaning = next((own.meaning for own in vocabulary.predicates if own.name == atom.predicate), "")
    own = content_words(re.sub(r"\b[xyzuvw]\b", " ", meaning))
    if not own or not own <= content_words(text) or _NEGATIVE.search(meaning) is not None:
        return None
    if denied:
        return None if _NEGATIVE.search(text) else "the formula denies what the sentence states"
    # With another word that may deny, two denials can come to a statement.
    if len(_NEGATIVE.findall(text)) == 1 and _DENIAL.search(text) is not None:
        return "the formula states what the sentence denies"
    return None
