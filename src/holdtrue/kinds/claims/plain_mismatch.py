"""Compare what a sentence plainly mentions with what a formula has: values, names, `at least`, and a bare negation.

No model is asked. What is not sure is left to the models, since a sentence can say a number in words, compute with it,
or say the opposite of an opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from holdtrue.kinds.claims.prompts.content_words import content_words, plain_words
from holdtrue.kinds.claims.written_values import ReadValues, Written, written_values
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import stem
from holdtrue.logic.fol.phrases import names_with_arguments, spaced
from holdtrue.logic.fol.variants import Heard
from holdtrue.logic.fol.vocabulary import Function, Predicate, Vocabulary
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


def heard_in(text: str, vocabulary: Vocabulary, read: ReadValues = written_values) -> Heard:
    """Return the values and the names of the vocabulary that a sentence mentions, in whatever form of the word."""
    words, stems = {stem(word) for word in plain_words(text)}, content_words(text)
    things = {own.name for own in vocabulary.entities if _stems(own.name) <= words}
    said = {own.name for own in names_with_arguments(vocabulary) if content_words(_described(own)) & stems}
    return Heard(read(text), frozenset(things | said))


def plain_mismatch(
    text: str, sentence: fol.Sentence, vocabulary: Vocabulary, read: ReadValues = written_values
) -> str | None:
    """Return in words what of a formula plainly does not fit its sentence, or None where nothing is surely wrong."""
    heard = heard_in(text, vocabulary, read)
    return (
        _values(text, sentence, vocabulary, heard.numbers)
        or _names(text, sentence, vocabulary, heard)
        or _least(text, sentence, heard.numbers)
        or _denial(text, sentence, vocabulary)
    )


# --- values ----------------------------------------------------------------------------------------------------------


def _values(text: str, sentence: fol.Sentence, vocabulary: Vocabulary, said: Sequence[Written]) -> str | None:
    nodes = list(fol.walk(sentence))
    has = [node for node in nodes if isinstance(node, fol.Number | Instant)]
    factors = [
        fol.Number(-factor if factor < 0 else factor)
        for own in nodes
        if isinstance(own, fol.Plus)
        for factor, _ in own.parts
        if factor not in (1, -1)
    ]
    described = _words_of_names(nodes, vocabulary)
    strong = [value for value in said if isinstance(value, Instant) or value.unit != ONE]
    lost = [value for value in said if not _is_explained(value, (*has, *factors)) and not _is_in(value, described)]
    extra = [value for value in has if not _is_explained(value, said) and not _is_made_of(value, said)]
    extra = [value for value in extra if isinstance(value, Instant) or value.value not in (0, 1)]
    if lost and extra and not _derived(text):
        return f"the sentence says {_shown(lost[0])}, and the formula says {_shown(extra[0])}"
    if not has and not factors and (missing := [value for value in strong if value in lost]):
        return f"the formula says nothing of {_shown(missing[0])}"
    typed = [value for value in extra if isinstance(value, Instant) or value.unit != ONE]
    if typed and not said and _QUANTITIES.search(text) is None:
        return f"the sentence says nothing of {_shown(typed[0])}"
    return None


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


def _is_explained(value: Written, others: Iterable[Written]) -> bool:
    return any(_alike(value, other) or _alike(other, value) for other in others)


def _alike(one: Written, other: Written) -> bool:
    """Return whether two values may be one: the same amount in other units, 4 for more than 3, 85% for 15% off."""
    if isinstance(one, Instant) or isinstance(other, Instant):
        if isinstance(one, Instant) and isinstance(other, Instant):
            return one.value == other.value or one.sort.kind != other.sort.kind
        number, instant = (one, other) if isinstance(other, Instant) else (other, one)
        assert isinstance(number, fol.Number) and isinstance(instant, Instant)
        digits = {int(part) for part in re.findall(r"\d+", instant.sort.show(instant.value))}
        return number.value in digits or any(part - 12 == number.value for part in digits)
    mine, yours = Fraction(one.value), Fraction(other.value)
    if one.unit.dimension == other.unit.dimension:
        if mine * one.unit.factor == yours * other.unit.factor:
            return True
        if one.unit.dimension == () and mine * one.unit.factor in (
            1 - yours * other.unit.factor,
            1 + yours * other.unit.factor,
        ):
            return True
    return mine == yours or abs(mine - yours) == 1 or mine in (yours * 2, yours * 100)


def _is_made_of(value: Written, said: Sequence[Written]) -> bool:
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


def _is_in(value: Written, words: str) -> bool:
    if isinstance(value, Instant):
        return any(part in words for part in re.findall(r"\d+", value.sort.show(value.value)))
    shown = str(value.value)
    return shown in words or content_words(shown) <= content_words(words)


def _shown(value: Written) -> str:
    return value.sort.show(value.value) if isinstance(value, Instant) else show_amount(value.value, value.unit)


# --- names -----------------------------------------------------------------------------------------------------------


def _names(text: str, sentence: fol.Sentence, vocabulary: Vocabulary, heard: Heard) -> str | None:
    """Tell of a thing that the sentence does not mention, in a formula that lacks one of its sort that it does."""
    words = {stem(word) for word in plain_words(text)}
    sorts = {own.name: own.sort for own in vocabulary.entities}
    used = dict.fromkeys(node.name for node in fol.walk(sentence) if isinstance(node, fol.Constant))
    for name in used:
        if name not in sorts or _stems(name) & words:
            continue
        instead = [
            other for other, sort in sorts.items() if sort == sorts[name] and other in heard.names and other not in used
        ]
        unnamed = [other for other in used if other in sorts and not _stems(other) & words]
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


def _stems(name: str) -> set[str]:
    return {stem(word) for word in plain_words(spaced(name))}


def _described(own: Predicate | Function) -> str:
    return f"{own.meaning} {spaced(own.name)}"


def _words_of_names(nodes: Sequence[fol.Sentence | fol.Term], vocabulary: Vocabulary) -> str:
    """Return everything that the names of a formula say in words."""
    described = {own.name: _described(own) for own in names_with_arguments(vocabulary)}
    names = [node.name for node in nodes if isinstance(node, fol.Constant)]
    used = [node.predicate for node in nodes if isinstance(node, fol.Holds)]
    used += [node.function for node in nodes if isinstance(node, fol.Apply)]
    return " ".join((*map(spaced, names), *(described.get(name, name) for name in used)))


# --- at least, and not -----------------------------------------------------------------------------------------------


def _least(text: str, sentence: fol.Sentence, said: Sequence[Written]) -> str | None:
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
        or len(said) != 1
        or _NEGATIVE.search(rest) is not None
        or not _is_explained(said[0], [number])
    ):
        return None
    exact = isinstance(said[0], fol.Number) and said[0].value == number.value
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
