"""British and American spellings of a word, and those of a noun and its verb, written alike."""

from __future__ import annotations

import re

_BEFORE = r"(?<=[^\W\d_]{3})"
"""Letters in front of the ending: shorter words are words of their own (price, prise and prize; hour, four and for)."""
# With z: a stem that ends in s would lose that as if it were an ending.
_SPELLINGS = (
    (re.compile(rf"{_BEFORE}i[cs](?=(?:e|es|ed|er|ers|ing|ings|ation|ations)$)"), "iz"),
    (re.compile(rf"{_BEFORE}ys(?=(?:e|es|ed|er|ers|ing|ings)$)"), "yz"),
    (re.compile(rf"{_BEFORE}our(?=(?:s|ed|ing|er|ers|ite|ites|able|ful|less|hood|hoods|ly|al)?$)"), "or"),
)
_DOUBLED = re.compile(r"([aeiouy][^\Waeiouy\d_]+[aeiou])ll(?=(?:ed|ing|ings|er|ers)?$)")
"""An l that is doubled behind a second syllable: travelled, modelling, but not filled."""


def one_spelling(word: str) -> str:
    """The word (small letters) in one of its spellings: practice and practises, colour and color, travelled."""
    for pattern, written in _SPELLINGS:
        word = pattern.sub(written, word)
    return _DOUBLED.sub(r"\1l", word)
