"""Decide by the words of a sentence which of two entities is the first argument of a relation.

Small models recognise a relation but keep the order of the names in the sentence. Few words carry the direction
("after", "on her left"), and a domain lists them as *cues*. A cue that a sentence uses plainly decides better than the
model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdtrue.language.english_patterns import COUNTING_WORDS, masked
from holdtrue.language.grounding import places
from holdtrue.language.names import Named, cached_per_instance
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import ConstraintType, Cue, Entity
from holdtrue.world.instance import Constraint, Instance

_LESS = masked("direction.less")
_MORE = masked("direction.more")
_DENIED = re.compile(r"\b(?:not|never|no|cannot|neither|nor)\b|n't\b")
_JOINED = re.compile(r"\W*(?:and|or|nor|with)\W*(?:the |our )?", re.IGNORECASE)
_SIZES = (
    ("tiny", "small", "medium", "large", "huge", "giant"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("low", "medium", "high"),
)
_LONGEST = 60  # characters between the two names; more may hold anything


def first_on_scale(instance: Instance, sentence: str, constraint: Constraint) -> str | None:
    """Return the entity that the words of the sentence put first on a scale, or None.

    The scale is a list of values that counts up or down. The deciding words stand between the names, as in 'Ann is
    older than Bob'. They may also precede both: 'A lower floor for Ann than for Bob'.
    """
    step = next((found for arg in constraint.args if (found := _step(instance, str(arg)))), 0)
    one, other = str(constraint.args[0]), str(constraint.args[1])
    text = sentence.replace("\u2019", "'").casefold()
    named = places(sentence, (one, other))
    if not step or len(named) != 2 or named[0].name == named[1].name:
        return None
    subject, object_ = named
    between = text[subject.end : object_.start]
    if len(between) > _LONGEST or _DENIED.search(between) or _JOINED.fullmatch(between):
        return None
    if re.match(r"\W*than\b", between) or not (_LESS.search(between) or _MORE.search(between)):
        if not re.search(r"\bthan\b", between) or _DENIED.search(text[: subject.start]):
            return None
        between = text[max(0, subject.start - _LONGEST) : subject.start]
    less, more = _LESS.search(between) is not None, _MORE.search(between) is not None
    if less == more:
        return None
    smaller, greater = (subject, object_) if less else (object_, subject)
    return (smaller if step > 0 else greater).name


@cached_per_instance
def _step(instance: Instance, attribute: str) -> int:
    """Return 1 if the values of the attribute count up, -1 if they count down, and 0 for any other."""
    known = instance.attributes.get(attribute)
    if known is None or not isinstance(known.sort, EnumSort):
        return 0
    folded = [label.casefold() for label in known.sort.labels]
    sizes = next((scale for scale in _SIZES if set(folded) <= set(scale)), None)
    numbers = [sizes.index(label) if sizes else _number(label) for label in folded]
    counted = [number for number in numbers if number is not None]
    if len(counted) < len(numbers) or len(counted) < 2:
        return 0
    return 1 if counted == sorted(set(counted)) else -1 if counted == sorted(set(counted), reverse=True) else 0


def _number(label: str) -> int | None:
    folded = label.casefold()
    if folded in COUNTING_WORDS:
        return COUNTING_WORDS[folded]
    digits = re.findall(r"\d+", folded)
    return int(digits[0]) if len(digits) == 1 and not re.search(r"\d\s*(?:am|pm|a\.m|p\.m|:)", folded) else None


_NEGATION = re.compile(r"\b(?:not|never|cannot|no)\b|n't\b")
# 'There is no point in waiting, so put Ann before Bob' denies nothing of Ann.
_NEXT_CLAUSE = re.compile(r"[,;:]\s*(?:so|and|but|because|since|then|please|hence|therefore)\b")
_UNTIL = re.compile(r"\b(?:until|till|unless)\b")
_OWNED = re.compile(r"'s?\W+(?:\w+\W+){0,3}$")
_BY_PRONOUN = re.compile(r"\b(?:his|her|their|its|your|my)\W+(?:\w+\W+){0,2}$")
_PERSONAL = re.compile(r"\b(?:he|him|she|her|they|them)\b")
_OF = re.compile(r"^(?:\W*\w+){0,2}?\W+(?:of|from)\W+(?:the\W+)?$")


def has_direction(kind: ConstraintType) -> bool:
    """Return whether swapping the first two arguments gives another constraint of this type."""
    return not kind.symmetric and len(kind.arguments) > 1 and all(isinstance(a, Entity) for a in kind.arguments[:2])


def first_argument(kind: ConstraintType, sentence: str, entities: Sequence[str]) -> str | None:
    """Return the one of two entities that the cues of the sentence make the first argument, or None."""
    if not kind.cues or len(entities) != 2:
        return None
    text = sentence.replace("\u2019", "'").casefold()
    named = places(sentence, entities)
    if len({place.name for place in named}) != 2:
        return None
    votes = set(_votes(kind.cues, text, named))
    return votes.pop() if len(votes) == 1 else None


def lacks_side(kind: ConstraintType, sentence: str) -> bool:
    """Return whether the type has cues for a side and the sentence uses none of them."""
    sides = [cue for cue in kind.cues if cue.side]
    return bool(sides) and not any(re.search(rf"\b(?:{cue.pattern})\b", sentence.casefold()) for cue in sides)


def names_side(kind: ConstraintType, sentence: str, entities: Sequence[str]) -> bool:
    """Return whether the type has cues for a side and the sentence says plainly whose side it means."""
    return any(cue.side for cue in kind.cues) and first_argument(kind, sentence, entities) is not None


def _votes(cues: Sequence[Cue], text: str, named: Sequence[Named]) -> Iterator[str]:
    """Yield, for each cue in the sentence, the entity that it makes the first argument."""
    for cue in cues:
        for match in re.finditer(rf"\b(?:{cue.pattern})\b", text):
            # In 'A after B' and 'after B, A' the reference is B, the first entity behind the cue.
            behind = next((place.name for place in named if place.start >= match.end()), None)
            reference = _owner(text, named, match) if cue.side else behind
            if reference is None:
                continue
            other = next(place.name for place in named if place.name != reference)
            if not _negated(text, match):
                yield reference if cue.swap else other
            elif not cue.side:  # not being on the left is not being on the right
                yield other if cue.swap else reference


def _owner(text: str, named: Sequence[Named], match: re.Match[str]) -> str | None:
    """Return the entity whose side the cue names, or None: 'left of B', 'B's left', 'A has C on her left'."""
    behind = next((place for place in named if place.start >= match.end()), None)
    if behind is not None and _OF.search(text[match.end() : behind.start]):
        return behind.name
    before = [place for place in named if place.end <= match.start()]
    if before and _OWNED.match(text[before[-1].end : match.start()]):
        return before[-1].name
    if before and (own := _BY_PRONOUN.search(text[: match.start()])):
        # 'Ann helps Bob, so put her on his left' does not say whom 'his' means.
        told_apart = len(before) < 2 or not _PERSONAL.search(text, before[-1].end, own.start())
        return before[0].name if told_apart else None
    return None


def _negated(text: str, match: re.Match[str]) -> bool:
    """Return whether the cue is denied ('not after'). 'Not until' is a cue itself."""
    begins = max((found.end() for found in _NEXT_CLAUSE.finditer(text, 0, match.start())), default=0)
    return not _UNTIL.search(text) and bool(_NEGATION.search(text, begins, match.start()))
