"""Measure how much words say of a slot, by those of its name and description."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from holdtrue.language.slots.slot_world import Slot, SlotWorld
from holdtrue.logic.value_sorts import DATE
from holdtrue.rules.types import Name, without_null

_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = frozenset(
    "a an the of for to in on at is are be has have or and if it its that this with by from which where when who "
    "whether boolean flag indicating name number type used user use either like not any all some other based".split()
)
FROM = frozenset("from origin leaving departure depart start source pickup pick starting originates".split())
TO = frozenset("to destination going arrival arrive end towards toward dropoff drop ends return".split())


def stem(word: str) -> str:
    """Return a word without its common endings, so that 'leaving' and 'leaves' are one."""
    word = word.casefold()
    for ending in ("ings", "ing", "edly", "ies", "ed", "es", "s", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text, in their order."""
    return [stem(word) for word in _WORD.findall(text.replace("_", " ").replace("-", " "))]


@dataclass(frozen=True, eq=False)
class SlotWords:
    """`SlotWords` are the words of every slot and group of a world, each with a weight: rare ones say more."""

    slots: Mapping[str, Mapping[str, float]]
    groups: Mapping[str, Mapping[str, float]]

    def likeness(self, slot: str, words: Iterable[str]) -> float:
        """Return how much of a slot's weight is among words, in 0..1."""
        return _share(self.slots[slot], words)

    def group_likeness(self, group: str, words: Iterable[str]) -> float:
        return _share(self.groups[group], words)


def _share(weights: Mapping[str, float], words: Iterable[str]) -> float:
    own = set(words)
    return min(
        1.0,
        sum(weight for word, weight in weights.items() if word in own or any(begins_alike(word, each) for each in own)),
    )


def begins_alike(one: str, other: str) -> bool:
    """Return whether words are one, or one begins with the other: bath and bathroom, travel and traveller."""
    return one == other or (min(len(one), len(other)) >= 4 and (one.startswith(other) or other.startswith(one)))


@lru_cache(maxsize=64)
def words_of(world: SlotWorld) -> SlotWords:
    """Return the words of a world's slots and groups."""
    slots = {id: _content(slot.name) + _content(slot.name) + _content(slot.about) for id, slot in world.slots.items()}
    texts: dict[str, str] = {group: text for group, text in world.about.items()}
    for slot in world.slots.values():
        texts[slot.group] = f"{texts.get(slot.group, '')} {slot.name} {slot.about} {' '.join(slot.tools)}"
    groups = {group: _content(re.sub(r"([a-z])([A-Z])", r"\1 \2", text)) for group, text in texts.items()}
    return SlotWords(_weighed(slots), _weighed(groups))


def _content(text: str) -> Counter[str]:
    return Counter(
        stem(word) for word in _WORD.findall(text.replace("_", " ").replace("-", " ")) if word.casefold() not in _EMPTY
    )


def _weighed(texts: Mapping[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """Return a weight for each word: more for one of the name, and more for one that few others have."""
    often = Counter(word for words in texts.values() for word in words)
    found = {}
    for id, words in texts.items():
        weights = {
            word: (1.0 if count > 1 else 0.4) * math.log(1.5 + len(texts) / often[word])
            for word, count in words.items()
        }
        most = sum(sorted(weights.values(), reverse=True)[:2]) or 1.0
        found[id] = {word: weight / most for word, weight in weights.items()}
    return found


_PLACES = frozenset("city location area town destination place address origin station airport country street".split())
_PEOPLE = frozenset(
    "person people recipient director actor artist therapist friend starring doctor dentist driver singer author "
    "contact guest passenger stylist agent trainer teacher tutor coach instructor mechanic photographer optometrist "
    "optician vet veterinarian physician nurse hairdresser barber groomer guide host chef mover adviser advisor "
    "consultant lawyer attorney physiotherapist masseur cleaner plumber electrician technician sitter child pupil "
    "student patient customer owner employee colleague surgeon hygienist specialist practitioner payee".split()
)


TITLED = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof)\b\.? ?[A-Z]")
"""The beginning of a name with a title: a person's."""


def name_class(slot: Slot) -> str:
    """Return what an open slot names, by its words: a place, a person, or a thing."""
    for text in (slot.name.replace("_", " "), slot.about):
        words = {word.casefold() for word in _WORD.findall(text)}
        if words & _PEOPLE:
            return "person"
        if words & _PLACES:
            return "place"
    return "thing"


_PAST = frozenset(stems("happened occurred incident accident damage loss purchased bought birth born taken"))


def is_past(slot: Slot) -> bool:
    """Return whether a slot is of what was: the day on which a damage happened."""
    return not _PAST.isdisjoint(stems(f"{slot.name} {slot.about}"))


def is_open(slot: Slot) -> bool:
    """Return whether any text can be the value of a slot."""
    own = without_null(slot.type)
    return isinstance(own, Name) and own.values is None


_BEGINS = frozenset(stems("arrive arrival arriving check_in checkin from begin start"))
_FINISHES = frozenset(stems("leave leaving check_out checkout until end return to last"))
_IDS = frozenset(stems("id number code reference ref"))
_NUMBERED = re.compile(
    r"(?:the )?(?:id|number|code|reference|plate)\b(?! of (?:people|persons|guests|seats|items))", re.I
)


def is_id(slot: Slot) -> bool:
    """Return whether a slot is an id: its type says so, or its name does."""
    own = without_null(slot.type)
    return is_open(slot) and (bool(getattr(own, "kind", "")) or not _IDS.isdisjoint(stems(slot.name)))


def is_numbered(slot: Slot) -> bool:
    """Return whether a text is some number by what is said of it, so that it has digits: 'number of the order'."""
    return is_open(slot) and _NUMBERED.match(slot.about) is not None


def direction(slot: Slot) -> int:
    """Return 1 for a slot that something starts from, -1 for one that it goes to, 0 for any other.

    A day of arrival begins a stay, which the day of leaving ends.
    """
    if without_null(slot.type) == DATE:
        name = set(stems(slot.name))
        if name & _BEGINS != name & _FINISHES:
            return 1 if name & _BEGINS else -1
    words = {word.casefold() for word in _WORD.findall(f"{slot.name.replace('_', ' ')} {slot.about}")}
    name = {word.casefold() for word in _WORD.findall(slot.name.replace("_", " "))}
    for own in (name, words):
        starts, ends = bool(own & FROM), bool(own & (TO - {"to"})) or (own is name and "to" in own)
        if starts != ends:
            return 1 if starts else -1
    return 0
