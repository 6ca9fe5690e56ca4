"""A sentence with its names, values and numbers masked, so that only ordinary words are left in small letters.

Names may be ordinary words ("Will", "Maybe Baby", "Art or Craft club"), and the longest name goes first. E is an
entity of what was read and X any other, V and W are values alike, N and M numbers, C is an attribute.

Clauses that only give a reason or remark on something are found here, too: "Keep Ann and Bob apart, nobody wants a
second quarrel" denies nothing of Ann and Bob.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.language.english_patterns import NUMBER_WORDS, english, masked, words
from holdtrue.language.grounding import is_small, stem
from holdtrue.language.sentences import plain, with_apostrophes
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Constraint, Instance

_BREAK = masked("masked_text.break")
_KNOWN = re.compile("[EXVWNM]")
_REASON = re.compile(r"\s*(?:because|since|as|so)\b")
_REMARK = masked("masked_text.remark")
_SO = masked("masked_text.so")
_BECAUSE = masked("masked_text.because")
_DEMAND = re.compile(r"\b(?:must|shall|should|(?:has|have|needs?|ought) to|cannot|can't|may not|not allowed)\b")
_SUPPOSES = masked("masked_text.supposes")
_STATEMENT = 2  # words beside names and these; fewer only say whom 'they' will be ('As for Ann and Bob, they ...')
_TOPIC = frozenset("a an the and or as for of about regarding concerning with speaking talking turning to now".split())


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each clause starts and ends, without the punctuation between clauses."""
    start = 0
    for found in _BREAK.finditer(text):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def without_remarks(text: str) -> str:
    """Return the text with such clauses blanked, and every other word in its place."""
    spans = list(clauses(text))
    parts, named = list(text), False
    for place, (start, end) in enumerate(spans):
        clause = text[start:end]
        if _KNOWN.search(clause):
            named = named or sum(word not in _TOPIC for word in re.findall(r"\b[a-z']+", clause)) >= _STATEMENT
            continue
        following = text[slice(*spans[place + 1])] if place + 1 < len(spans) else ""
        reason = _REASON.match(clause) or re.match(r"\s*so\b", following)
        if reason or (named and _REMARK.match(clause)):
            parts[start:end] = " " * (end - start)
    return "".join(parts)


def without_reasons(text: str) -> str:
    """Return the text with the words of its reasons blanked, letters for names and all other words in their place."""
    return blanked(text, find_reasons(text))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return masked text with the words of these spans blanked, and letters for names in their place."""
    parts = list(text)
    for start, end in spans:
        parts[start:end] = [" " if letter.islower() or letter == "'" else letter for letter in parts[start:end]]
    return "".join(parts)


def find_reasons(text: str) -> Iterator[tuple[int, int]]:
    """Yield where masked text gives plain reasons for what it states.

    What stands before 'so' gives the reason for what stands behind it, if that names somebody and the reason demands
    nothing: 'She cannot hear a thing, so Ann sits by Bob'. What 'because' opens is one up to the next comma. A reason
    that is only supposed is none: 'because he asked, if possible'.
    """
    found = _SO.search(text)
    if found and _KNOWN.search(text, found.end()) and is_plain_reason(text[: found.start()]):
        yield 0, found.start()
    for found in _BECAUSE.finditer(text):
        if is_plain_reason(found.group()):
            yield found.span()


def is_plain_reason(text: str) -> bool:
    """Return whether a masked text supposes nothing, and demands nothing of two or of one with a value or number."""
    return not _SUPPOSES.search(text) and not (_DEMAND.search(text) and len(_KNOWN.findall(text)) > 1)


_LETTER = re.compile("[EXVWNMC]")  # all other letters are small
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(rf"\b(?:(\d{{1,9}})(?:st|nd|rd|th)?|({'|'.join(NUMBER_WORDS)}))\b(?!%)", re.IGNORECASE)
# 'One', 'first' and the like often stand for no number, nor does 'two' where it counts who was named.
_LOOSE = frozenset({"one", "first", "second", "single", "couple", "pair", "zero", "zeroth"})
_COUNTED = english("masked_text.counted")
_DETERMINER = re.compile(r"\b(?:the|these|those|both|between|our|my|you|us|them)\s+$", re.IGNORECASE)
# Names that are ordinary words stand for nobody where they are written small.
_ORDINARY = frozenset(words("masked_text.ordinary"))


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A sentence in small letters, with capital letters for masked words; `masked` has the original ones in order."""

    text: str
    masked: tuple[str, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """The entities, values and numbers, as written, that the sentence names and the constraints do not have."""
        letters = _LETTER.findall(self.text)
        return tuple(dict.fromkeys(w for letter, w in zip(letters, self.masked, strict=True) if letter in "XWM"))

    def find_original(self, text: str, start: int, end: int) -> str:
        """Return the original words from `start` to `end` in `text`, which is this text without some unmasked words."""
        before = len(_LETTER.findall(text[:start]))
        originals = iter(self.masked[before:])
        return _LETTER.sub(lambda match: next(originals, match.group()), text[start:end]).strip(" ,")


def mask(instance: Instance, sentence: str, stated: Sequence[Constraint]) -> MaskedText:
    """Mask every name that the instance knows, and every number; `stated` are the constraints that were read."""
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
    """Yield where something is masked: its start, and its end with the letter that stands for it."""
    letters = _letters(instance, stated)
    numbers = {arg for made in stated for arg in made.args if isinstance(arg, int)}
    found = list(_named(text, letters))
    rest = list(text)
    for start, (stop, _) in found:
        rest[start:stop] = "." * (stop - start)
    # A word of the same stem stands for a name that is not there itself: 'painting' for Paint.
    unnamed = {name: own for name, own in letters.items() if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    for start, (stop, letter) in _stems("".join(rest), unnamed):
        found.append((start, (stop, letter)))
        rest[start:stop] = "." * (stop - start)
    found += _numbers("".join(rest), numbers, sum(letter == "E" for letter in letters.values()))
    yield from found


def _letters(instance: Instance, stated: Sequence[Constraint]) -> Mapping[str, str]:
    """A letter for every name of the instance."""
    read = {arg for made in stated for arg in made.args}
    letters: dict[str, str] = {}
    for attribute in instance.attributes.values():
        if not _ORDINARY.isdisjoint(_WORD.findall(attribute.label.casefold())):
            letters.setdefault(attribute.label, "C")  # other labels are plain nouns, and stay
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
        # 'Ann will sit next to Bob' is about Will only if he was read and nothing else can be him.
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
    """Words of the same stem as a name that was read: 'painting' for Paint."""
    stems: dict[str, set[str]] = {}
    for name, letter in letters.items():
        for word in _WORD.findall(name):
            stems.setdefault(stem(word), set()).add(letter)
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        fitting = stems.get(stem(word), set())
        if len(fitting) == 1 and len(stem(word)) >= 3 and word not in _ORDINARY and (letter := min(fitting)) in "EVC":
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
    """Return whether the number only counts who was named: 'the two of them', 'two adjacent seats'."""
    return as_many and bool(_DETERMINER.search(text[: match.start()]) or _COUNTED.match(text, match.end()))


def count_entities(instance: Instance, constraint: Constraint) -> int:
    """Return how many entities the constraint relates."""
    return sum(isinstance(argument, Entity) for argument in instance.types[constraint.type].arguments)
