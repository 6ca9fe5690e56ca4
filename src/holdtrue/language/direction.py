"""Decide by the words of a sentence which of two entities is the first argument of a relation.

Small models recognise a relation and then keep the order in which the names were mentioned. The words that
carry the direction ("after", "on her left") are few, and a domain names them as cues; where a sentence uses one
in a plain way, the cue decides better than the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holdtrue.language.grounding import places
from holdtrue.world.domain import ConstraintType, Cue, Entity

_NEGATION = re.compile(r"\b(?:not|never|cannot|no)\b|n't\b")
# 'There is no point in waiting, so put Ann before Bob' denies nothing of Ann.
_NEXT_CLAUSE = re.compile(r"[,;:]\s*(?:so|and|but|because|since|then|please|hence|therefore)\b")
_UNTIL = re.compile(r"\b(?:until|till|unless)\b")
_OWNED = re.compile(r"'s?\W+(?:\w+\W+){0,3}$")
_BY_PRONOUN = re.compile(r"\b(?:his|her|their|its|your|my)\W+(?:\w+\W+){0,2}$")
_PERSONAL = re.compile(r"\b(?:he|him|she|her|they|them)\b")
_OF = re.compile(r"^(?:\W*\w+){0,2}?\W+(?:of|from)\W+(?:the\W+)?$")


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    start: int
    end: int


def has_direction(kind: ConstraintType) -> bool:
    """Return whether swapping the first two arguments gives another constraint of this type."""
    return not kind.symmetric and len(kind.arguments) > 1 and all(isinstance(a, Entity) for a in kind.arguments[:2])


def first_argument(kind: ConstraintType, sentence: str, entities: Sequence[str]) -> str | None:
    """Return which of two entities the sentence makes the first argument, or None if it gives no clear sign."""
    if not kind.cues or len(entities) != 2:
        return None
    text = sentence.replace("\u2019", "'").casefold()
    named = [_Place(name, start, end) for name, start, end in places(sentence, entities)]
    if len({place.name for place in named}) != 2:
        return None
    votes = set(_votes(kind.cues, text, named))
    return votes.pop() if len(votes) == 1 else None


def lacks_side(kind: ConstraintType, sentence: str) -> bool:
    """Return whether the type is about a side and the sentence names none."""
    sides = [cue for cue in kind.cues if cue.side]
    return bool(sides) and not any(re.search(rf"\b(?:{cue.pattern})\b", sentence.casefold()) for cue in sides)


def names_side(kind: ConstraintType, sentence: str, entities: Sequence[str]) -> bool:
    """Return whether the type is about a side and the sentence says plainly whose side it means."""
    return any(cue.side for cue in kind.cues) and first_argument(kind, sentence, entities) is not None


def _votes(cues: Sequence[Cue], text: str, named: Sequence[_Place]) -> Iterator[str]:
    """For each cue in the sentence, the entity that it makes the first argument."""
    for cue in cues:
        for match in re.finditer(rf"\b(?:{cue.pattern})\b", text):
            reference = _owner(text, named, match) if cue.side else _complement(named, match)
            if reference is None:
                continue
            other = next(place.name for place in named if place.name != reference)
            if not _negated(text, match):
                yield reference if cue.swap else other
            elif not cue.side:  # not being on the left is not being on the right
                yield other if cue.swap else reference


def _complement(named: Sequence[_Place], match: re.Match[str]) -> str | None:
    """In 'A after B' and 'after B, A' it is B: the first entity behind the cue."""
    return next((place.name for place in named if place.start >= match.end()), None)


def _owner(text: str, named: Sequence[_Place], match: re.Match[str]) -> str | None:
    """Return the entity whose side it is, or None: 'left of B', 'B's left', 'A has C on her left'."""
    behind = next((place for place in named if place.start >= match.end()), None)
    if behind is not None and _OF.search(text[match.end() : behind.start]):
        return behind.name
    before = [place for place in named if place.end <= match.start()]
    if before and _OWNED.match(text[before[-1].end : match.start()]):
        return before[-1].name
    if before and (own := _BY_PRONOUN.search(text[: match.start()])):
        # 'Ann helps Bob, so put her on his left': which of them is whose is not in the words.
        told_apart = len(before) < 2 or not _PERSONAL.search(text, before[-1].end, own.start())
        return before[0].name if told_apart else None
    return None


def _negated(text: str, match: re.Match[str]) -> bool:
    """Return whether the cue is denied ('not after'); 'not until' is a cue of its own."""
    begins = max((found.end() for found in _NEXT_CLAUSE.finditer(text, 0, match.start())), default=0)
    return not _UNTIL.search(text) and bool(_NEGATION.search(text, begins, match.start()))
