"""Find what a text states of numbers that hold for a whole vocabulary: that the named things are all, and from where to
where the places of an order go.

It is told by code from the words of the text, and not by a model: a number that nobody stated decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holdtrue.kinds.claims.prompts.content_words import word_set
from holdtrue.language.single_values import ValueText
from holdtrue.language.values import read_values
from holdtrue.logic.fol.naming import name_words, stem
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Vocabulary
from holdtrue.logic.units import ONE

_PLACES = word_set("place position rank spot order ordinal row slot seat house number standing")
"""A function that is one of these is an order; any other number of a thing is not from 1 to as many as there are."""
_ORDERED = word_set(
    "row line order left right leftmost rightmost above below before after behind first second third last shelf branch",
    "race finished tournament older newer oldest newest cheaper cheapest expensive queue next placed ranked arranged",
    "between taller shorter faster slower",
)
_THERE = re.compile(r"\bthere (?:are|were|is|was) (?:only |exactly |just )?$", re.IGNORECASE)
_THE = re.compile(r"\b(?:the|these|our|their|its|all) (?:only )?$", re.IGNORECASE)
_LIMITED = re.compile(
    r"\b(?:at (?:the )?(?:least|most)|(?:more|fewer|less) than|over|under|up to|about|around|nearly|other|another"
    r"|of the|of|these|first|last|next|no more than|either)\s+$",
    re.IGNORECASE,
)
_OTHERS = word_set("other others more further additional extra of")
_LISTING = re.compile(
    r"\s*(?::|[-\u2013\u2014]|,? (?:namely|called|named|which are|who are))\s*(?:the |an? )?$", re.IGNORECASE
)
_LIST_BE = re.compile(r"\s*(?:are|were)\s+(?:the |an? )?$", re.IGNORECASE)
_ALL_TOLD = re.compile(
    r"\s*(?:$|[.,;!]|in (?:all|total)\b|altogether\b|and no (?:others?|more)\b|, and no\b)", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?")
_ONLY = re.compile(r"\bthe only (?P<sort>[a-z]+)s? (?:are|were|is|was) ", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:number|numbers|numbered|places|placed|ranked|rated|rating|rank|scale|positions?)\b")


def with_stated_limits(vocabulary: Vocabulary, text: str, known: Iterable[str] = ()) -> Vocabulary:
    """Return the vocabulary with the closed sorts and the ranges that the text states; `known` sorts stay closed.

    Ranges that a function has already stay as they are.
    """
    counted = stated_counts(vocabulary.entities, text)
    closed = tuple(dict.fromkeys((*known, *(sort for sort in counted if sort != ANY))))
    functions = tuple(_ranged(own, vocabulary, counted, text) for own in vocabulary.functions)
    return replace(vocabulary, functions=functions, closed=closed)


def stated_counts(entities: Sequence[Entity], text: str) -> dict[str, int]:
    """Return the sorts of which the text says that the named things are all, with how many these are.

    "There are three guests", "three guests: Ann, Bob and Cy", "the three guests are ..." and "the only guests are ..."
    say so where three guests are named; "three guests came" does not.
    """
    sorts: dict[str, list[Entity]] = {}
    for entity in entities:
        sorts.setdefault(entity.sort, []).append(entity)
    found: dict[str, int] = {}
    for match in _SENTENCE.finditer(text):
        for counted in _counts(match[0]):
            for sort, named in sorts.items():
                if counted.number == len(named) and counted.of(sort, named) and counted.says_all(named):
                    found[sort] = len(named)
        for only in _ONLY.finditer(match[0]):
            for sort, named in sorts.items():
                listed = _after(match[0][only.end() :], named)
                if stem(only["sort"]) == stem(sort) and len(listed) == len(named):
                    found[sort] = len(named)
    return found


@dataclass(frozen=True, slots=True)
class _Counted:
    """A number in a sentence with the words behind it, the last of which is the noun that it counts."""

    number: int
    sentence: str
    start: int
    words: tuple[tuple[str, int], ...]

    def of(self, sort: str, named: Sequence[Entity]) -> bool:
        return self._noun_end(sort, named) is not None

    def _noun_end(self, sort: str, named: Sequence[Entity]) -> int | None:
        """Return the end of the noun that is the sort's name, or of what is listed by name where the sort has none."""
        for word, end in self.words:
            if stem(word) == stem(sort) or (sort == ANY and _LISTING.fullmatch(self._until(end, named))):
                return end
        # Three objects: a book and the like have a sort that the model chose; a list behind a colon tells it.
        for _, end in self.words:
            between = self._until(end, named)
            if ":" in between and _LISTING.fullmatch(between):
                return end
        return None

    def _until(self, end: int, named: Sequence[Entity]) -> str:
        """Return what stands between a place and the first of the named things behind it."""
        rest = self.sentence[end:]
        places = [place for entity in named if (place := _place(rest, entity)) is not None]
        return rest[: min(places)] if len(places) == len(named) else rest

    def says_all(self, named: Sequence[Entity]) -> bool:
        before = self.sentence[: self.start]
        for _, end in self.words:
            rest = self.sentence[end:]
            listed = len(_after(rest, named)) == len(named)
            there = _THERE.search(before) is not None
            between = self._until(end, named)
            if listed and (_LISTING.fullmatch(between) or (there and re.fullmatch(r",\s*(?:the |an? )?", between))):
                return True
            if listed and _THE.search(before) and _LIST_BE.fullmatch(between):
                return True
            if there and _ALL_TOLD.match(rest):
                return True
        return False


def _counts(sentence: str) -> list[_Counted]:
    found = []
    for value in read_values(sentence).values:
        if not _plain_count(value) or _LIMITED.search(sentence[: value.start]):
            continue
        words = tuple((match[0], value.end + match.end()) for match in _following(sentence[value.end :]))
        if not isinstance(value.value, Number) or any(word.casefold() in _OTHERS for word, _ in words):
            continue
        found.append(_Counted(int(value.value.value), sentence, value.start, words))
    return found


def _plain_count(value: ValueText) -> bool:
    number = value.value
    return (
        isinstance(number, Number)
        and number.unit == ONE
        and number.value == int(number.value)
        and value.role == "value"
    )


def _following(rest: str) -> list[re.Match[str]]:
    """Return up to three words directly behind a number: its noun may have adjectives."""
    found: list[re.Match[str]] = []
    at = 0
    while len(found) < 3 and (match := re.compile(r"[ -]([a-zA-Z]+)").match(rest, at)) is not None:
        found.append(re.compile(r"[a-zA-Z]+").match(rest, at + 1))  # type: ignore[arg-type]
        at = match.end()
    return found


def _after(rest: str, named: Sequence[Entity]) -> list[Entity]:
    return [entity for entity in named if _place(rest, entity) is not None]


def _place(text: str, entity: Entity) -> int | None:
    """Return where a text names a thing: by the words of its name in a row, or without that of its sort."""
    words = [word for word in name_words(entity.name)]
    shorter = [word for word in words if stem(word) != stem(entity.sort)]
    for tried in (words, shorter):
        if tried and (match := re.search(r"\b" + r"[\W_]*".join(map(re.escape, tried)), text, re.IGNORECASE)):
            return match.start()
    return None


def _ranged(function: Function, vocabulary: Vocabulary, counted: dict[str, int], text: str) -> Function:
    """Return a function of places with the range that the text states, 1 to as many as there are or another."""
    if len(function.sorts) != 1 or function.result not in ("whole", "number") or function.low is not None:
        return function
    words = {stem(word.casefold()) for word in name_words(f"{function.name} {function.meaning}")}
    if not words & _PLACES:
        return function
    if (numbered := _numbered(text)) is not None:
        things = vocabulary.of_sort(function.sorts[0])
        whole = numbered[1] - numbered[0] + 1
        return replace(
            function,
            low=numbered[0],
            high=numbered[1],
            distinct=len(things) == whole and _is_order(text),
            result="whole",
        )
    size = counted.get(function.sorts[0], 0)
    if size < 2 or not _is_order(text):
        return function
    return replace(function, low=1, high=size, distinct=True, result="whole")


def _is_order(text: str) -> bool:
    return bool({word.casefold() for word in name_words(text)} & _ORDERED)


def _numbered(text: str) -> tuple[int, int] | None:
    """Return the only range of whole numbers that things are numbered by in the text: numbered 1 to 5."""
    found = set()
    for match in _SENTENCE.finditer(text):
        for own in read_values(match[0]).ranges:
            low, high = own.low.value, own.high.value
            before = match[0][max(0, own.start - 24) : own.start].casefold()
            if _plain_count(own.low) and _plain_count(own.high) and _NUMBERED.search(before):
                found.add((int(low.value), int(high.value)))
    return found.pop() if len(found) == 1 else None
