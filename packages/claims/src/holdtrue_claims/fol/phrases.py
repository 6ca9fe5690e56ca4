"""Phrases for the names of a vocabulary: their meanings, with words in place of the variables.

No two names have the same words. If two meanings would read alike, the name follows the phrase in square brackets. A
meaning with logical words is quoted, so that it cannot be read as a compound formula. If a meaning lacks one of its
variables, the name with its arguments is used: `Likes(Ann, Ben)`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from holdtrue_claims.fol.naming import is_free_shaped
from holdtrue_claims.fol.vocabulary import Function, Predicate, Vocabulary

_STRUCTURE = re.compile(
    r"[\[\]():;,\"]|\b(?:and|or|if|then|either|but|every|some|no|for|it is not true|at least|at most|more than|"
    r"less than|fewer than|exactly|plus|minus|times|multiplied by|divided by|otherwise|whenever)\b",
    re.IGNORECASE,
)
"""Words and signs that join parts of a sentence, and so may not occur unquoted in one part."""
_EQUATES = re.compile(r"\bis (?:not )?\0")
_DIGIT = re.compile(r"\d")
_NO_ARTICLE = ("the", "a", "an", "how", "what", "when", "where", "\0")
_HOLE = "\0"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A `Phrase` is a meaning split at its variables: `pieces` alternate between texts and indices of arguments.

    `quoted` and `named` say how the phrase is distinguished from others.
    """

    name: str
    pieces: tuple[str | int, ...]
    quoted: bool = False
    named: bool = False

    @property
    def plain(self) -> bool:
        """Return whether the phrase is worded without quotes and without its name."""
        return not self.quoted and not self.named

    def filled(self, arguments: Sequence[str]) -> str:
        """Return the phrase with these words for its arguments."""
        text = "".join(arguments[piece] if isinstance(piece, int) else piece for piece in self.pieces)
        text = f'"{text}"' if self.quoted else text
        return f"{text} [{self.name}]" if self.named else text

    def times(self, place: int) -> int:
        """Return how often the argument with this index occurs."""
        return self.pieces.count(place)

    def begins_with(self, place: int) -> bool:
        return self.pieces[:1] == (place,)

    @property
    def plural(self) -> Phrase:
        """Return the phrase with a plural verb if the first argument is its subject: `they like y`."""
        first, *rest = self.pieces
        verb = rest[0] if rest and isinstance(first, int) else None
        if not isinstance(verb, str):
            return self
        return Phrase(self.name, (first, _plural_verb(verb), *rest[1:]), self.quoted, self.named)

    @property
    def denied(self) -> Phrase | None:
        """Return the phrase with a negated verb, `x does not like y`, or None if no rule applies."""
        first, *rest = self.pieces
        verb = rest[0] if rest and isinstance(first, int) else None
        said = _denied_verb(verb) if isinstance(verb, str) and self.plain else None
        return None if said is None else Phrase(self.name, (first, said, *rest[1:]))


class Phrases:
    """`Phrases` word the names of one vocabulary, each name differently."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        said = {own.name: _pieces(own) for own in vocabulary.applied}
        keys = {name: self._keys(pieces) for name, pieces in said.items()}
        taken = Counter(key for own in keys.values() for key in own)
        self._phrases = {name: self._phrase(name, pieces, keys[name], taken) for name, pieces in said.items()}

    def of(self, name: str, count: int) -> Phrase:
        """Return the phrase of a predicate or a function; an unknown name is shown with `count` arguments."""
        return self._phrases.get(name) or Phrase(name, _applied(name, count))

    def thing(self, name: str) -> str:
        """Return the words for a thing: `Order 4711` for Order4711, if no other thing has that name."""
        return self._things.get(name, f'"{name}"' if is_free_shaped(name) else name)

    @cached_property
    def _things(self) -> dict[str, str]:
        names = [own.name for own in self.vocabulary.entities]
        split = {name: spaced(name) for name in names}
        often = Counter(words.casefold() for words in (*split.values(), *names))
        return {
            name: words if often[words.casefold()] == (2 if words == name else 1) else f'"{name}"'
            for name, words in split.items()
            if not is_free_shaped(name)
        }

    @cached_property
    def _values_stand(self) -> bool:
        """Return whether a number or a date can be an argument of a predicate or a function."""
        value_sort = self.vocabulary.value_sort
        return any(value_sort(sort) is not None for own in self.vocabulary.applied for sort in own.sorts)

    def _keys(self, pieces: tuple[str | int, ...]) -> frozenset[str]:
        """Return keys that two meanings share if they read alike, with a singular, plural or negated verb."""
        own = Phrase("", pieces)
        forms = [own, own.plural, *filter(None, (own.denied,))]
        return frozenset(self._key(form.pieces) for form in forms)

    def _key(self, pieces: Iterable[str | int]) -> str:
        text = "".join(_HOLE if isinstance(piece, int) else piece for piece in pieces)
        for words in sorted(self._things.values(), key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", _HOLE, text)
        return " ".join(text.casefold().split())

    def _phrase(self, name: str, pieces: tuple[str | int, ...], keys: frozenset[str], taken: Counter[str]) -> Phrase:
        if pieces == _applied(name, sum(isinstance(piece, int) for piece in pieces)):
            return Phrase(name, pieces)
        text = "".join(_HOLE if isinstance(piece, int) else piece for piece in pieces)
        joined = _STRUCTURE.search(text) is not None or _EQUATES.search(text) is not None or _HOLE * 2 in text
        alike = any(taken[key] > 1 for key in keys) or (self._values_stand and _DIGIT.search(text) is not None)
        return Phrase(name, pieces, quoted=joined, named=alike)


def spaced(name: str) -> str:
    """Return a name with spaces between joined words: `Order 4711` for Order4711, `Red Lamp` for Red_Lamp."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Z][a-z])|_+", " ", name)
    return " ".join(text.split()) or name


def many(word: str) -> str:
    """Return the plural of an English noun."""
    if word in _ODD:
        return _ODD[word]
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


_ODD = {"person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet"}
_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isn't": "aren't", "doesn't": "don't"}


def _plural_verb(text: str) -> str:
    """Return the text after a subject with its first word as a plural verb, if it can be a verb."""
    found = re.match(r"( *)([A-Za-z']+)(.*)", text, re.DOTALL)
    if found is None:
        return text
    verb = found[2]
    if verb in _VERBS:
        verb = _VERBS[verb]
    elif re.search(r"\w[^aeiou]ies$", verb):
        verb = f"{verb[:-3]}y"
    elif re.search(r"(?:ss|x|z|ch|sh|o)es$", verb):
        verb = verb[:-2]
    elif re.search(r"[^s]s$", verb):
        verb = verb[:-1]
    return f"{found[1]}{verb}{found[3]}"


def _denied_verb(text: str) -> str | None:
    """Return the text after a subject with `not`, if its first word is a verb that a rule can negate."""
    found = re.match(r"( +)([a-z]+)\b(.*)", text, re.DOTALL)
    if found is None or re.search(r"\b(?:not|no|never)\b", text):
        return None
    space, verb, rest = found.groups()
    if verb in ("is", "was", "can", "may", "must", "will", "should") or (verb == "has" and _PERFECT.match(rest)):
        return f"{space}{verb} not{rest}"
    if len(verb) > 3 and re.search(r"[^s]s$", verb):
        return f"{space}does not {_plural_verb(verb)}{rest}"
    return None


_PERFECT = re.compile(r" (?:been|had|[a-z]+ed)\b")


def _pieces(own: Predicate | Function) -> tuple[str | int, ...]:
    """Return the meaning split at its variables, or the name with its arguments if a variable is missing."""
    count = len(own.sorts)
    meaning = " ".join(own.meaning.split()).strip(" .")
    letters = "xyzw" if count <= 4 and (count < 4 or re.search(r"\bw\b", meaning)) else "xyzuvw"
    letters = letters[:count]
    cut = re.split(rf"\b([{letters}])\b", meaning) if letters else [meaning]
    pieces = tuple(letters.index(part) if place % 2 else part for place, part in enumerate(cut) if part)
    if not meaning or count > len(letters) or {p for p in pieces if isinstance(p, int)} != set(range(count)):
        return _applied(own.name, count)
    if isinstance(own, Predicate):
        return pieces
    first = pieces[0].split()[0].casefold() if isinstance(pieces[0], str) and pieces[0].split() else _HOLE
    return pieces if first in _NO_ARTICLE else ("the ", *pieces)


def _applied(name: str, count: int) -> tuple[str | int, ...]:
    if not count:
        return (name,)
    inside = [piece for place in range(count) for piece in (", " if place else f"{name}(", place)]
    return (*inside, ")")
