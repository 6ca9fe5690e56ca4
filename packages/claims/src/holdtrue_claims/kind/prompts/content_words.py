"""The content words of a sentence, by their stems, so that texts can be compared."""

from __future__ import annotations

import re

from holdtrue.logic.value_sorts import Instant
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.values.text_values import read_values, value_parts


def word_set(*lines: str) -> frozenset[str]:
    """Return the words of these lines."""
    return frozenset(word for line in lines for word in line.split())


_BEFORE = r"(?<=[^\W\d_]{3})"
"""The letters before an ending. Shorter words differ in meaning: price, prise and prize; hour, four and for."""
# The common spelling has z, because a final s would be removed as an ending.
_SPELLINGS = (
    (re.compile(rf"{_BEFORE}i[cs](?=(?:e|es|ed|er|ers|ing|ings|ation|ations)$)"), "iz"),
    (re.compile(rf"{_BEFORE}ys(?=(?:e|es|ed|er|ers|ing|ings)$)"), "yz"),
    (re.compile(rf"{_BEFORE}our(?=(?:s|ed|ing|er|ers|ite|ites|able|ful|less|hood|hoods|ly|al)?$)"), "or"),
)
_DOUBLED = re.compile(r"([aeiouy][^\Waeiouy\d_]+[aeiou])ll(?=(?:ed|ing|ings|er|ers)?$)")
"""A doubled l after a second syllable: travelled, modelling, but not filled."""


def one_spelling(word: str) -> str:
    """Return a word in lower case in one of its spellings: practice and practises, colour and color, travelled."""
    for pattern, written in _SPELLINGS:
        word = pattern.sub(written, word)
    return _DOUBLED.sub(r"\1l", word)


_ENDINGS = ("ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y", "i")
_SHORTEST = 3
"""The least number of letters of a stem."""


def word_stem(word: str) -> str:
    """Return a word in lower case in one spelling, without the endings of inflection."""
    stem = one_spelling(word)
    while not stem.endswith("ss"):
        found = (own for own in _ENDINGS if stem.endswith(own) and len(stem) - len(own) >= _SHORTEST)
        if (ending := next(found, None)) is None:
            break
        stem = stem.removesuffix(ending)
    return stem


# Words of grammar, which every text has. Negations are included, because they are no content.
_FUNCTION_WORDS = word_set(
    "a an the this that these those it its he she they them his her their him i we you us our your my me who",
    "whom whose which what where when how why is are was were be been being am do does did done has have had",
    "having will would shall should can could may might must cannot not no nor neither either both and or xor",
    "but if then else than as of in on at to from by for with about into onto over under so therefore thus",
    "hence since because while also too only just there here all any every each some one ones other such very",
    "more most much many own same",
    "everyone everybody everything someone somebody something anyone anybody anything nobody nothing none",
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# The word 'one' is missing, because it mostly is no number.
_NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS, 2)}
# 'Nor' follows another negation, and 'not only' denies nothing.
_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|no(?!\. ?\d)|never|none|nobody|nothing|neither|without|cannot)\b|n['’]t\b", re.IGNORECASE
)


def content_words(text: str) -> frozenset[str]:
    """Return the stems of all content words, in lower case; empty if there are none."""
    return frozenset(content_list(text))


def content_list(text: str) -> list[str]:
    """Return the stems of `content_words` in the order of the text, with repetitions."""
    return [stem for word in plain_words(text) if (stem := content_stem(word)) is not None]


def said_words(text: str) -> list[str]:
    """Return the stems of `content_list`, with one word for each value in any spelling: 0.75 g is three quarters of a
    gram.
    """
    found: list[str] = []
    for part in value_parts(text):
        found += content_list(part) if isinstance(part, str) else [value_word(part.value)]
    return found


def without_values(text: str) -> str:
    """Return a text without its values, whose words mean nothing alone: 3 May permits nothing."""
    read = read_values(text)
    places = [*((own.start, own.end) for own in read.values), *((own.start, own.end) for own in read.doubts)]
    for start, end in sorted(places, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def is_value_word(word: str) -> bool:
    """Return whether a word of `said_words` stands for a value."""
    return word.startswith(_VALUE)


def is_amount_word(word: str) -> bool:
    """Return whether a word of `said_words` stands for a value other than a bare number, which may be a label."""
    return is_value_word(word) and not word.endswith(_BARE)


_VALUE, _BARE = "=", " "


def value_word(value: Number | Instant) -> str:
    """Return one word for a value in any unit: 0.75 g and 750 mg have the same word."""
    if isinstance(value, Instant):
        return f"{_VALUE}{value.sort.kind} {value.value}"
    return f"{_VALUE}{value.value * value.unit.factor} {value.unit.dimension or value.unit.name}"


def plain_words(text: str) -> list[str]:
    """Return all words in lower case, without the ending of a genitive."""
    return [word.removesuffix("'s") for word in _WORD.findall(text.replace("’", "'").lower())]


def content_stem(word: str) -> str | None:
    """Return the stem of one plain word, with number words in digits; None for a word of grammar."""
    if word in _FUNCTION_WORDS or word.endswith("n't"):
        return None
    return _NUMBERS.get(word) or word_stem(word)


def has_denial(text: str) -> bool:
    """Return whether the text has a negation."""
    return _NEGATION.search(text) is not None


def denies(text: str) -> bool:
    """Return whether the sentence is negated; two negations cancel out."""
    return len(_NEGATION.findall(text)) % 2 == 1
