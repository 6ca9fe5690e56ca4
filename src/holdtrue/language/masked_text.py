"""Mask the names, values and numbers of a sentence, so that only ordinary words in small letters are left.

Names may be ordinary words ("Will", "Maybe Baby", "Art or Craft club"), so the longest name is masked first. E replaces
an entity of the constraint that was read, and X any other entity. V and W do the same for values, N and M for numbers.

This module also finds clauses that only give a reason or remark on something. "Keep Ann and Bob apart, nobody wants a
second quarrel" denies nothing of Ann and Bob.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.language.english_patterns import LETTERS, NUMBER_WORDS, english, masked, words
from holdtrue.language.grounding import is_small, stem
from holdtrue.language.sentences import plain, with_apostrophes
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Constraint, Instance

_BREAK = masked("masked_text.break")
LETTER = re.compile(f"[{LETTERS}]")
"""A letter that replaces a name, a value or a number; all other letters are small."""
_REASON = re.compile(r"\s*(?:because|since|as|so)\b")
_REMARK = masked("masked_text.remark")
_SO = masked("masked_text.so")
_BECAUSE = masked("masked_text.because")
_DEMAND = re.compile(r"\b(?:must|shall|should|(?:has|have|needs?|ought) to|cannot|can't|may not|not allowed)\b")
_SUPPOSES = masked("masked_text.supposes")
# A clause with fewer words, besides names and `_TOPIC`, only introduces 'they': 'As for Ann and Bob, they ...'.
_STATEMENT = 2
_TOPIC = frozenset("a an the and or as for of about regarding concerning with speaking talking turning to now".split())


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each clause, without the punctuation between clauses."""
    start = 0
    for found in _BREAK.finditer(text):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def without_remarks(text: str) -> str:
    """Return the text with reasons and remarks blanked; all other words keep their places."""
    spans = list(clauses(text))
    parts, named = list(text), False
    for place, (start, end) in enumerate(spans):
        clause = text[start:end]
        if LETTER.search(clause):
            named = named or sum(word not in _TOPIC for word in re.findall(r"\b[a-z']+", clause)) >= _STATEMENT
            continue
        following = text[slice(*spans[place + 1])] if place + 1 < len(spans) else ""
        reason = _REASON.match(clause) or re.match(r"\s*so\b", following)
        if reason or (named and _REMARK.match(clause)):
            parts[start:end] = " " * (end - start)
    return "".join(parts)


def without_reasons(text: str) -> str:
    """Return the text with the words of its reasons blanked; other words, and letters for names, keep their places."""
    return blanked(text, find_reasons(text))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return masked text with the words of these spans blanked; letters for names keep their places."""
    parts = list(text)
    for start, end in spans:
        parts[start:end] = [" " if letter.islower() or letter == "'" else letter for letter in parts[start:end]]
    return "".join(parts)


def find_reasons(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each plain reason in masked text.

    In 'She cannot hear a thing, so Ann sits by Bob' the text before 'so' is a reason. The text behind 'so' must name
    somebody, and the reason must demand nothing. A reason with 'because' ends at the next comma. A supposed reason does
    not count: 'because he asked, if possible'.
    """
    found = _SO.search(text)
    if found and LETTER.search(text, found.end()) and is_plain_reason(text[: found.start()]):
        yield 0, found.start()
    for found in _BECAUSE.finditer(text):
        if is_plain_reason(found.group()):
            yield found.span()


def is_plain_reason(text: str) -> bool:
    """Return whether a masked text supposes nothing, and makes no demand with two names."""
    return not _SUPPOSES.search(text) and not (_DEMAND.search(text) and len(LETTER.findall(text)) > 1)


_WORD = re.compile(r"\w+")
_NUMBER = re.compile(rf"\b(?:(\d{{1,9}})(?:st|nd|rd|th)?|({'|'.join(NUMBER_WORDS)}))\b(?!%)", re.IGNORECASE)
# 'One', 'first' and the like are often not numbers.
_LOOSE = frozenset({"one", "first", "second", "single", "couple", "pair", "zero", "zeroth"})
_COUNTED = english("masked_text.counted")
_DETERMINER = re.compile(r"\b(?:the|these|those|both|between|our|my|you|us|them)\s+$", re.IGNORECASE)
# Names that are ordinary words do not count as names if they are written small.
_ORDINARY = frozenset(words("masked_text.ordinary"))


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A sentence in small letters with capital letters for masked words. `masked` has the original words in order."""

    text: str
    masked: tuple[str, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """Return the entities, values and numbers that the constraints lack, as the sentence writes them."""
        letters = LETTER.findall(self.text)
        return tuple(dict.fromkeys(w for letter, w in zip(letters, self.masked, strict=True) if letter in "XWM"))

    def find_original(self, text: str, start: int, end: int) -> str:
        """Return the original words from `start` to `end` in `text`, which is this text without some unmasked words."""
        before = len(LETTER.findall(text[:start]))
        originals = iter(self.masked[before:])
        return LETTER.sub(lambda match: next(originals, match.group()), text[start:end]).strip(" ,")


def mask(instance: Instance, sentence: str, stated: Sequence[Constraint]) -> MaskedText:
    """Mask every number and every name of the instance. `stated` are the constraints that were read in the sentence."""
    text = with_apostrophes(plain(sentence))
    taken = dict(sorted(_spans(instance, text, stated)))
    parts: list[str] = []
    masked: list[str] = []
    end = 0
    for start, (stop, letter) in taken.items():
        if start < end:
            continue
        parts += [text[end:start].casefold(), letter]
        masked.append(text[start:stop])
        end = stop
    parts.append(text[end:].casefold())
    return MaskedText("".join(parts), tuple(masked))


def _spans(instance: Instance, text: str, stated: Sequence[Constraint]) -> Iterator[tuple[int, tuple[int, str]]]:
    letters = _letters(instance, stated)
    numbers = {arg for made in stated for arg in made.args if isinstance(arg, int)}
    found = list(_named(text, letters))
    rest = list(text)
    for start, (stop, _) in found:
        rest[start:stop] = "." * (stop - start)
    # A word of the same stem is taken for a name that does not occur itself: 'painting' for Paint.
    unnamed = {name: own for name, own in letters.items() if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    for start, (stop, letter) in _stems("".join(rest), unnamed):
        found.append((start, (stop, letter)))
        rest[start:stop] = "." * (stop - start)
    found += _numbers("".join(rest), numbers, sum(letter == "E" for letter in letters.values()))
    yield from found


def _letters(instance: Instance, stated: Sequence[Constraint]) -> Mapping[str, str]:
    read = {arg for made in stated for arg in made.args}
    letters: dict[str, str] = {}
    for attribute in instance.attributes.values():
        if isinstance(attribute.sort, EnumSort):
            letters |= {label: "V" if label in read else "W" for label in attribute.sort.labels}
    entities = {name for made in stated for name in instance.entities_in(made)}
    return letters | {name: "E" if name in entities else "X" for name in instance.entities}


def _named(text: str, letters: Mapping[str, str]) -> Iterator[tuple[int, tuple[int, str]]]:
    by_fold = {" ".join(name.casefold().replace("\u2019", "'").split()): name for name in letters if name.strip()}
    if not by_fold:
        return
    either = "|".join(re.escape(fold) for fold in sorted(by_fold, key=len, reverse=True))
    for match in re.finditer(rf"(?<!\w)({either})(?:e?s)?(?!\w)", text, re.IGNORECASE):
        name = by_fold.get(match.group(1).casefold())
        if name is None:
            continue
        written = match.group(1)
        # 'Ann will sit next to Bob' is about Will only if the constraint has him and 'Will' occurs nowhere else.
        ordinary = written != name and written.casefold() in _ORDINARY
        capitalized = match.start() == 0 and name.islower()
        exact = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if exact and is_small(written, name):
            continue  # 'No point in testing it, so Testing comes last'
        elsewhere = letters[name] not in "EV" or exact
        if ordinary and not capitalized and elsewhere:
            continue
        yield match.start(), (match.end(), letters[name])


def _stems(text: str, letters: Mapping[str, str]) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the words with the same stem as a name that was read: 'painting' for Paint."""
    stems: dict[str, set[str]] = {}
    for name, letter in letters.items():
        for word in _WORD.findall(name):
            stems.setdefault(stem(word), set()).add(letter)
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        fitting = stems.get(stem(word), set())
        if len(fitting) == 1 and len(stem(word)) >= 3 and word not in _ORDINARY and (letter := min(fitting)) in "EV":
            yield match.start(), (match.end(), letter)


def _numbers(text: str, read: set[int], entities: int) -> Iterator[tuple[int, tuple[int, str]]]:
    for match in _NUMBER.finditer(text):
        digits, word = match.groups()
        number = int(digits) if digits else NUMBER_WORDS[word.casefold()]
        if number in read:
            yield match.start(), (match.end(), "N")
        elif digits or not (word.casefold() in _LOOSE or _counts(text, match, number == entities)):
            yield match.start(), (match.end(), "M")


def _counts(text: str, match: re.Match[str], as_many: bool) -> bool:
    """Return whether the number only counts the named entities: 'the two of them', 'two adjacent seats'."""
    return as_many and bool(_DETERMINER.search(text[: match.start()]) or _COUNTED.match(text, match.end()))


def count_entities(instance: Instance, constraint: Constraint) -> int:
    return sum(isinstance(argument, Entity) for argument in instance.types[constraint.type].arguments)
