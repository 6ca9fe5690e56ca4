"""A text of a speaker, and the values that it mentions in any of the ways in which people write values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from holdtrue.guard.call_commitments import is_short_for
from holdtrue.language.requests.spans import LONGEST_TEXT, Span, kind_of_type, spans_in
from holdtrue.language.requests.word_values import is_written, named_in, plain, stands_in
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slot_values.spelled_numbers import LANGUAGES, Languages, spoken_digits
from holdtrue.language.yes_words import denies, is_yes_or_no
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, ListOf, MapOf, Name, Number, Record, Type, without_null
from holdtrue.rules.values import NotSeen, field_path, show

BEGINNING, END = 1_500, 500
"""If a text exceeds `LONGEST_TEXT` characters, only this many at its beginning and at its end are read."""
_DIGITS = 4
"""The number of last digits that identify an id: 'the card ending in 7711'."""
_MOST_JOINED = 6
_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")
"""Short forms: `NYC` for New York."""
_BOUNDARY = re.compile(r"(?<=[.!?])\s+|\n\s*")
_CLAUSE = re.compile(r"(?:[^.,;!?\n]|[.,](?=\d))+")


def read_part(text: str) -> str:
    """Return the part of a text that is read. Of a long text this is the beginning, and whole sentences at the end."""
    if len(text) <= LONGEST_TEXT:
        return text
    # A cut id or sentence would mean something else.
    beginning, end = " ".join(text[:BEGINNING].rsplit(None, 1)[:-1]), _BOUNDARY.split(text[-END:], maxsplit=1)
    return "\n\n".join((beginning, *end[1:]))


def unread_part(text: str) -> str:
    """Return a sentence on how much of a text is not read, or "" if all of it is."""
    if len(text) <= LONGEST_TEXT:
        return ""
    return f"it is too long: of {len(text):,} characters only the first {BEGINNING:,} and the last {END:,} are read"


def clauses(text: str) -> list[str]:
    """Return the parts of a text between punctuation marks."""
    return [own[0] for own in _CLAUSE.finditer(text)]


class Utterance:
    """An `Utterance` is a text of a speaker. It finds values in the text, with a cache for each type.

    Attributes:
        text: The part of the text that is read.
        is_cut: Whether some of the text is not read.
        now: The time of the utterance, to which dates are relative.
        locale: How dates, times and numbers are written.
        languages: The languages that the text may be in.
    """

    def __init__(self, text: str, now: datetime, locale: str, languages: Languages = LANGUAGES) -> None:
        self.text, self.now, self.locale, self.languages = read_part(text), now, locale, languages
        self.is_cut = self.text is not text
        self._plain = f" {plain(self.text)} "
        self._values: dict[Type, tuple[tuple[Span, tuple[str, ...]], ...]] = {}
        self._joined: frozenset[str] | None = None

    def part(self, text: str) -> Utterance:
        """Return a part of the text as an utterance with the same moment, locale and languages."""
        return self if text == self.text else Utterance(text, self.now, self.locale, self.languages)

    def mentions(self, name: str, value: Any, type: Type) -> bool:
        """Return whether the text has the value of an argument, in any way of writing it."""
        own = without_null(type)
        match own:
            case Flag():
                return any(denies(each) is not value for each in clauses(self.text) if stands_in(name, each))
            case Number() | Calendar():
                is_read = any(show(value, own) in values for values in self.values(own))
                return is_read or is_written(value, own, self.text, self.now.date(), self.languages)
            case Name(_, values) if values is not None:
                return value in named_choices(self.text, values)
            case Name():
                return self._has_name(str(value))
        return False

    def values(self, type: Number | Calendar) -> Iterator[tuple[str, ...]]:
        """Yield the possible values of each date, time or number in the text. A bare number can be an hour."""
        return (shown for _, shown in self._read(type))

    def places(self, type: Number | Calendar) -> Iterator[tuple[Span, tuple[str, ...]]]:
        """Yield the places of dates, times or numbers that are surely of a type, each with its possible values."""
        kind = kind_of_type(type)
        return ((span, shown) for span, shown in self._read(type) if span.kind == kind)

    def _read(self, type: Number | Calendar) -> tuple[tuple[Span, tuple[str, ...]], ...]:
        if type not in self._values:
            spans = spans_in(self.text, self.now, self.locale)
            self._values[type] = tuple(
                (own, read_slot_value(own.text, type, self.now, self.locale).shown)
                for own in spans
                if own.kind in (kind_of_type(type), "number")
            )
        return self._values[type]

    def _has_name(self, value: str) -> bool:
        if len(value) > LONGEST_TEXT:
            return False
        name = plain(value)
        if not name:
            return value.strip() in self.text
        if f" {name} " in self._plain or (len(name) > 3 and self._has_joined(name.replace(" ", ""))):
            return True
        if any(is_short_for(own, value) for own in _CAPITALS.findall(self.text)):
            return True
        digits = re.search(rf"\d{{{_DIGITS}}}$", value)
        if digits is None:
            return False
        every = "".join(own for own in value if own.isdigit())
        return f" {digits[0]} " in self._plain or any(
            own == every for _, _, own in spoken_digits(self.text, self.languages)
        )

    def _has_joined(self, letters: str) -> bool:
        """Return whether consecutive words of the text, joined, are these letters."""
        if self._joined is None:
            words = self._plain.split()
            runs = (words[at : at + size] for size in range(1, _MOST_JOINED) for at in range(len(words)))
            self._joined = frozenset(map("".join, runs))
        return letters in self._joined


def named_choices(text: str, values: tuple[str, ...]) -> frozenset[str]:
    """Return the choices that a text names literally, except words for yes or no, and choices inside of longer ones."""
    return frozenset(named_in(text, (own for own in values if not is_yes_or_no(own))))


def leaves(value: Any, type: Type, path: str, name: str = "") -> Iterator[tuple[str, str, Any, Type]]:
    """Yield every value in a call: its path, the nearest field name, the value and its type."""
    own = without_null(type)
    if value is None or isinstance(value, NotSeen):
        return
    match own:
        case Record(fields) if isinstance(value, Mapping):
            for field, each in value.items():
                yield from leaves(each, fields[field].type, field_path(path, field) if path else field, field)
        case ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from leaves(each, item, f"{path}[{place}]", name)
        case MapOf(inner) if isinstance(value, Mapping):
            for key, each in value.items():
                yield from leaves(each, inner, f"{path}[{key!r}]", name)
        case _:
            yield path, name, value, own


def is_chosen(type: Type) -> bool:
    """Return whether a type is a flag or a choice. Users often paraphrase such values."""
    return isinstance(without_null(type), Flag) or is_choice(type)


def is_choice(type: Type) -> bool:
    """Return whether a type is a choice of texts."""
    own = without_null(type)
    return isinstance(own, Name) and own.values is not None
