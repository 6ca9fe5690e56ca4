"""A sentence with its names, values and numbers masked, so that only ordinary words are left in small letters.

Names may be ordinary words ("Will", "Maybe Baby", "Art or Craft club"), and the longest name goes first. E is an
entity of what was read and X any other, V and W are values alike, N and M numbers, C is an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.language.grounding import NUMBER_WORDS, is_small, stem
from holdtrue.language.small_talk import plain, with_apostrophes
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Constraint, Instance

_LETTER = re.compile("[EXVWNMC]")  # all other letters are small
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(rf"\b(?:(\d{{1,9}})(?:st|nd|rd|th)?|({'|'.join(NUMBER_WORDS)}))\b(?!%)", re.IGNORECASE)
# 'One', 'first' and the like often stand for no number, nor does 'two' where it counts who was named.
_LOOSE = frozenset({"one", "first", "second", "single", "couple", "pair", "zero", "zeroth"})
_COUNTED = re.compile(
    r"\s+(?:of\b|separate|different|distinct|adjacent|neighbou?ring|adjoining|touching|consecutive|sides|ends|halves"
    r"|edges|seats that|rooms\b|people|persons|teams|groups|events|meetings|should|must|have|has|need|may|can|are"
    r"|will)",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"\b(?:the|these|those|both|between|our|my|you|us|them)\s+$", re.IGNORECASE)
# Names that are ordinary words stand for nobody where they are written small.
_ORDINARY = frozenset(
    _WORD.findall(
        "will may might can could would should must hope guess chance grant mark bill art rose faith grace joy dawn "
        "summer "
        "april june august if or and not no only but maybe perhaps either else before after left right first last "
        "next "
        "one two three it he she they we you i in on at by for from of to up out off is are was be do all any some "
        "so sue "
        "pat rob chase drew frank jack page max ray rich sandy skip storm trip victor wade ward miles iris ivy lily "
        "olive "
        "pearl ruby sky star violet christian major minor same other another both each every while when "
        "until till unless once then never always now soon today again also just even still too very more most less "
        "least many much few several than as such own later earlier sooner latest earliest between around about over "
        "under within without"
    )
)


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
