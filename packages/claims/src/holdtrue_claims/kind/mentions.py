"""Find the values and the names that a sentence mentions.

>>> read = mentioned_values("About 60 guests ate for at least 20 euros each in room 7.")
>>> [str(own.value) for own in read.sure], [str(own.value) for own in read.perhaps], read.doubtful
(['20'], ['60', '20', '7'], True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import combining, normalize

from holdtrue.language.sentences import split_sentences
from holdtrue.logic.value_sorts import Instant
from holdtrue_claims.fol.naming import stem
from holdtrue_claims.fol.phrases import spaced
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.fol.variants import Mentions
from holdtrue_claims.fol.vocabulary import Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.content_words import content_words, without_values
from holdtrue_claims.values.calendar_words import calendar_places
from holdtrue_claims.values.number_words import read_number
from holdtrue_claims.values.single_values import ValueDoubt, ValueText
from holdtrue_claims.values.text_values import read_values

Value = Number | Instant
_NUMBERED = re.compile(r"\A\s*(?:\[[^\]]*\]|§+\s*\d+\w*|\(?\d{1,3}(?:(?:\.\d{1,3})+[.)]?|[.)])(?=\s+[A-Z]))")
"""A number of a sentence in a list or contract, or the time of a chat message: 4., 3.2, § 3 or [9:02]."""
_DEFINITE = re.compile(r"\b(?:the|these|those)\s+$", re.IGNORECASE)
"""Words before a number that make it a count of known things instead of an amount, as in "between these two days"."""


@dataclass(frozen=True, slots=True)
class MentionedValues:
    """`MentionedValues` are the values of a text, in order: the certain ones, and all possible ones.

    `sure` values have a written number and no doubt, and they are neither part of a name nor an ordinal. `perhaps` also
    has all others and every choice of a doubt. If `doubtful`, any other value may be meant as well.
    """

    sure: tuple[Value, ...] = ()
    perhaps: tuple[Value, ...] = ()
    doubtful: bool = False


def mentioned_values(text: str, names: Iterable[str] = ()) -> MentionedValues:
    """Return the values that a text states, as `read_values` finds them, each once. Never raises.

    A number within one of these `names` is no value if the text has that name.
    """
    text = _NUMBERED.sub("", text, count=1)
    read = read_values(text)
    named = {word for own in words_and_names(text, names) if isinstance(own, Named) for word in own.words}
    places = " ".join(word for word in re.findall(r"\w+", without_values(text)) if stem(word) not in named)
    sure = [
        own
        for own in read.values
        if own.text not in named and _is_sure(own, read.doubts) and not _DEFINITE.search(text[: own.start])
    ]
    choices = [choice for doubt in read.doubts for choice in doubt.choices]
    perhaps = [*(own.value for own in read.values if own.text not in named), *choices]
    perhaps += map(Number, calendar_places(places))
    return MentionedValues(
        tuple(dict.fromkeys(own.value for own in sure)), tuple(dict.fromkeys(perhaps)), bool(read.doubts)
    )


def _is_sure(own: ValueText, doubts: tuple[ValueDoubt, ...]) -> bool:
    if own.role != "value" or any(doubt.start < own.end and own.start < doubt.end for doubt in doubts):
        return False
    # 'Once a month' or 'for a week' may be expressed by the name of a predicate.
    return isinstance(own.value, Instant) or any(map(str.isdigit, own.text)) or read_number(own.text, 0) is not None


def mentions_in(text: str, vocabulary: Vocabulary) -> Mentions:
    """Return the values and the names of the vocabulary that a sentence may mention, in any form of the word."""
    stems = content_words(text)
    things = mentioned_names(text, [own.name for own in vocabulary.entities])
    said = {own.name for own in vocabulary.applied if content_words(described(own)) & stems}
    return Mentions(mentioned_values(text).perhaps, frozenset(things) | said)


@dataclass(frozen=True, slots=True)
class Named:
    """A `Named` stands for a name in a text, with the stems of its words."""

    name: str
    words: tuple[str, ...] = ()


def words_and_names(text: str, names: Iterable[str] = ()) -> list[str | Named]:
    """Return the stems of the words of a text, and its brackets, with a `Named` for each of these names.

    A name matches a whole sequence of words, and the longest name wins: `Order 4712` is not `Order`.
    """
    words: list[str | Named] = [stem(word) for word in _words(text)]
    for name in sorted(names, key=len, reverse=True):
        spelled = "".join(map(stem, _words(name)))
        at = 0
        while at < len(words):
            end, joined = at, ""
            while end < len(words) and len(joined) < len(spelled) and isinstance(word := words[end], str):
                end, joined = end + 1, joined + word
            if spelled and joined == spelled:
                words[at:end] = [Named(name, tuple(own for own in words[at:end] if isinstance(own, str)))]
            at += 1
    return words


def mentioned_names(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return which of these names occur in a text, in the order of the text."""
    return tuple(dict.fromkeys(own.name for own in words_and_names(text, names) if isinstance(own, Named)))


def near_name(name: str, text: str, mentioned: Iterable[str] = ()) -> str | None:
    """Return words of a text that differ from a name in one number, letter or sign; None if there are none.

    `mentioned` are the other names in the text; they are no misspellings. A word has to be written like a name.
    """
    own, words = _words(name), _words(text)
    known = {word for other in mentioned for word in _words(other)}
    for at in range(len(words) - len(own) + 1):
        found = words[at : at + len(own)]
        pairs = [(mine, yours) for mine, yours in zip(own, found, strict=True) if stem(mine) != stem(yours)]
        if len(pairs) == 1 and pairs[0][1] not in known and _are_near(*pairs[0], alone=len(own) == 1):
            return " ".join(found)
    return None


def _are_near(mine: str, yours: str, *, alone: bool) -> bool:
    """Return whether two words differ as names do: in digits, as single letters, or by one edit if they stand alone."""
    if any(map(str.isdigit, mine)) and any(map(str.isdigit, yours)):
        return not alone or is_one_edit(mine, yours)
    if not yours[0].isupper():
        return False
    if is_form(mine.casefold(), yours.casefold()):
        return False
    if not alone:  # After another word a letter may be an ending: Nazi Germany, Nazi German.
        return len(mine) == len(yours) == 1
    return min(len(mine), len(yours)) >= _LONG and is_one_edit(mine.casefold(), yours.casefold())


_LONG = 3
"""The least length of words in which one letter may be wrong; changing a shorter word gives another word."""


def is_form(name: str, word: str) -> bool:
    """Return whether a word may be a form of a long enough name: Russian of Russia."""
    return len(name) >= _SAME and word.startswith(name[: max(_SAME, len(name) - 2)])


_SAME = 5
"""The number of letters that a name shares with its forms."""


def is_one_edit(one: str, other: str) -> bool:
    """Return whether two texts differ by one edit: a replaced, added or removed letter."""
    short, long = sorted((one, other), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short != long and short[at + (len(short) == len(long)) :] == long[at + 1 :]


def unmentioned(text: str, told: Iterable[str], names: Iterable[str] = ()) -> dict[str, str]:
    """Return the values and names of a text that nobody mentioned, each with the nearest mentioned one, or "".

    `names` are those of known things. The first word of a sentence is a name only if it is near one.
    """
    before = " ".join(told)
    known = {stem(word): word for word in _TOKEN.findall(before)}
    spelled = {stem(word) for name in names for word in _words(name)}
    read, values = read_values(text), read_values(before)
    amounts = [(own.text, amount(own.value)) for own in values.values]
    amounts += [(doubt.text, amount(own)) for doubt in values.doubts for own in doubt.choices]
    found: dict[str, str] = {}
    for own in read.values:
        written = isinstance(own.value, Instant) or any(map(str.isdigit, own.text))
        if written and amount(own.value) not in [each for _, each in amounts]:
            digits = re.findall(r"\d+", own.text)
            found[own.text] = next((said for said, _ in amounts if _near_digits(digits, re.findall(r"\d+", said))), "")
    for sentence in split_sentences(text):
        for place, word in enumerate(_TOKEN.findall(sentence)):
            coded = word[0].isalpha() and any(map(str.isdigit, word))
            if stem(word) in known or len(word) == 1 or not (coded or word[0].isupper()):
                continue
            near = [said for key, said in known.items() if key in spelled or (coded and not said.isdigit())]
            said = next((said for said in near if _are_near(said, word, alone=True)), "")
            if said or coded or place:
                found[word] = said
    return found


def _near_digits(one: list[str], other: list[str]) -> bool:
    """Return whether two values have the same digits, except for one digit of a longer number."""
    wrong = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(wrong) > 1:
        return False
    return all(min(map(len, pair)) > 1 and is_one_edit(*pair) for pair in wrong)


def amount(value: Value) -> object:
    """Return an amount in base units with its dimension, or a date or time itself, so that equal values are equal."""
    return value if isinstance(value, Instant) else (value.unit.dimension, value.value * value.unit.factor)


def _words(text: str) -> list[str]:
    """Return the words of a text or a name without accents, with `not` as a separate word, and brackets."""
    plain = "".join(own for own in normalize("NFKD", text) if not combining(own))
    plain = re.sub(r"n['’]t\b", " not", re.sub(r"\bcannot\b", "can not", plain))
    return _WORD.findall(spaced(plain))


_TOKEN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W_]+|[(){}\[\]\"]")


def described(own: Predicate | Function) -> str:
    """Return the meaning and the name of a predicate or a function in words."""
    return f"{own.meaning} {spaced(own.name)}"
