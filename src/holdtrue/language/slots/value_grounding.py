"""Turn the words for a value into a value of a slot's type: by code where there is one, else by likeness of names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from fractions import Fraction

from holdtrue.language.names import without_accents
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slots.slot_reading import Grounding
from holdtrue.language.slots.slot_world import Slot
from holdtrue.language.slots.spans import is_no_number, spans_in
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Name, Number, Type, without_null

_ALIKE = 0.84
"""A name with a typing error is at least so much like what it stands for."""
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset("a an the my our some at in on to from for of der die das ein eine el la los las un una".split())


@dataclass(frozen=True, slots=True)
class Grounded:
    """A value with its support, or the reason why there is none; `others` are what it can mean as well."""

    value: str | int | float | bool | None
    grounding: Grounding = "none"
    why: str = ""
    others: tuple[str | int | float | bool, ...] = ()


def plain(text: str) -> str:
    """Return a text in small letters, without accents and marks, one blank between words."""
    return " ".join(_WORD.findall(without_accents(text.casefold().replace("'s ", " "))))


def ground(
    quote: str, slot: Slot, now: datetime, locale: str, chosen: object = None, message: str | None = None
) -> Grounded:
    """Return the value that a quote names for a slot; `chosen` is what a model chose where the slot has choices.

    A quote that is a part of a date, a time or a number in the `message` stands for all of it: who quotes '4:15' of
    '4:15 in the evening' means the evening.
    """
    own = without_null(slot.type)
    match own:
        case Flag():
            return _flag(quote, chosen)
        case Name(_, None):
            name = _name(quote)
            return Grounded(name, "literal") if name else Grounded(None, why="no words are quoted")
        case Name(_, values):
            return _choice(quote, values or (), chosen)
        case Number() | Calendar():
            return _by_code(_completed(quote, own, now, locale, message), own, now, locale)
    return Grounded(None, why=f"{own} is not read from words")


def _by_code(quote: str, type: Type, now: datetime, locale: str) -> Grounded:
    """Return what code reads in a quote: in all of it, or in the one part of it that is such a value."""
    read = read_slot_value(quote, type, now, locale)
    if is_no_number(quote):
        return Grounded(None, why=f"{quote!r} counts nothing")
    if not read.values:
        wanted = type.kind if isinstance(type, Calendar) else "number"
        parts = [own for own in spans_in(quote, now, locale) if own.kind == wanted]
        if len(parts) != 1:
            return Grounded(None, why=read.why)
        read = read_slot_value(parts[0].text, type, now, locale)
        if not read.values:
            return Grounded(None, why=read.why)
    shown = [as_json(own, type) for own in read.shown]
    return Grounded(shown[0], "code", read.why, tuple(shown[1:]))


def _completed(quote: str, type: Type, now: datetime, locale: str, message: str | None) -> str:
    wanted = type.kind if isinstance(type, Calendar) else "number"
    spans = (own.text for own in spans_in(message or "", now, locale) if own.kind == wanted)
    return next((own for own in spans if _stands_in(plain(quote), plain(own))), quote)


def as_json(shown: str, type: Type) -> str | int | float | bool:
    """Return a value that is shown as people write it as JSON has it."""
    if not isinstance(type, Number):
        return shown
    number = float(Fraction(shown.split()[0]))
    return int(number) if number.is_integer() else number


def _name(quote: str) -> str:
    """Return a quoted name: what is written with capitals in it, if that is one name, else all of it."""
    names = [own for own in spans_in(quote, _ANY_DAY, "en-US") if own.kind == "name"]
    whole = [
        own
        for own in names
        if not any(own != each and each.start <= own.start and own.end <= each.end for each in names)
    ]
    return whole[0].text if len(whole) == 1 and quote[:1].islower() else trimmed(quote)


_ANY_DAY = datetime(2000, 1, 1)


def _flag(quote: str, chosen: object) -> Grounded:
    if isinstance(chosen, bool):
        return Grounded(chosen, "chosen")
    return Grounded(None, why="whether it is so was not said")


def _choice(quote: str, values: Iterable[str], chosen: object) -> Grounded:
    found = matches(quote, values)
    if len(found) == 1:
        return Grounded(found[0][0], found[0][1])
    if isinstance(chosen, str):
        return Grounded(chosen, "chosen", others=tuple(own for own, _ in found if own != chosen))
    return Grounded(None, why=f"{quote!r} names {'several' if found else 'none'} of its values")


def matches(text: str, values: Iterable[str]) -> list[tuple[str, Grounding]]:
    """Return the values that a text names: those that stand in it, else those of which it has a telling part.

    A telling part is all words of the value in another order, its first word if no other value has it, or the value
    with a typing error.
    """
    said = plain(text)
    names = {value: plain(value) for value in values if not _is_small_word(value, text)}
    whole = [value for value, name in names.items() if _stands_in(name, said)]
    if whole:
        inner = {own for own in whole for value in whole if own != value and _stands_in(names[own], names[value])}
        return [(value, "literal") for value in whole if value not in inner]
    words = set(said.split())
    often = Counter(word for name in names.values() for word in set(name.split()))
    found = [
        value
        for value, name in names.items()
        if len(name.split()) > 1 and (set(name.split()) <= words or _telling(name.split()[0], often) in words)
    ]
    return [(value, "spelling") for value in found or [own for own, name in names.items() if _nearly_in(name, said)]]


_SMALL_WORDS = frozenset(
    "a am an as at be by do el en es he hi i if in is it la me my no of ok on or so to us we".split()
)


def _is_small_word(value: str, text: str) -> bool:
    """Return whether a value is written like a word that holds sentences together, and stands in none as a name."""
    if value.casefold() not in _SMALL_WORDS or text.casefold().strip(" .!?") == value.casefold():
        return False
    return re.search(rf"(?<!\w){re.escape(value.upper())}(?!\w)", text) is None


def _telling(word: str, often: Mapping[str, int]) -> str | None:
    """Return the word, if it is long enough to be no accident and in one value only."""
    return word if often[word] == 1 and len(word) > 3 and word not in _VAGUE else None


_VAGUE = frozenset("place area type kind other some anything good best more most first next last".split())


def _stands_in(name: str, text: str) -> bool:
    return bool(name) and f" {name} " in f" {text} "


def _nearly_in(name: str, text: str) -> bool:
    words, count = text.split(), len(name.split())
    if not name:
        return False
    spans = (
        " ".join(words[at : at + size]) for size in {max(1, count - 1), count, count + 1} for at in range(len(words))
    )
    return any(_alike(name, span) for span in spans)


def _alike(name: str, text: str) -> bool:
    if _stem(name) == _stem(text):
        return True
    return min(len(name), len(text)) > 4 and SequenceMatcher(None, name, text, autojunk=False).ratio() >= _ALIKE


def _stem(text: str) -> str:
    return " ".join(
        word[:-2] if word.endswith("es") and len(word) > 5 else word.rstrip("s") for word in text.split()
    ).replace(" ", "")


def trimmed(quote: str) -> str:
    """Return a quoted name without the marks around it and the small words before it."""
    words = quote.strip(" \t\n.,;:!?\"'()[]").split()
    while len(words) > 1 and words[0].casefold() in _ARTICLES and not words[0][:1].isupper():
        words.pop(0)
    return " ".join(words)
