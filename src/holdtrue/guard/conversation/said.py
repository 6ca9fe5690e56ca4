"""A text that somebody said: the values that it has, those that it denies or limits, and those that it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slots.limit_words import any_weekday, relation_of
from holdtrue.language.slots.number_sense import counted
from holdtrue.language.slots.slot_words import stems
from holdtrue.language.slots.spans import LONGEST_TEXT, Span, spans_in
from holdtrue.language.slots.talk import is_of_fact, sentences, with_ends
from holdtrue.language.slots.value_grounding import matches, plain
from holdtrue.logic.value_sorts import DATE, TIME, WEEKDAYS, Calendar, Value
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Name, Number, Type, without_null
from holdtrue.rules.values import show

_HOUR_LIMIT = re.compile(
    r"\b(?:before|after|(?:earlier|later|sooner) than|until|till|by|past)(?: about| around)? $", re.IGNORECASE
)
"""What makes a limit of a bare number as an hour: 'no earlier than 10'."""
_AGAINST = re.compile(
    r"\b(?:no|not|nothing|never|cannot|without|avoid|except|but|other|instead|rather|apart|aside|before|after|until|"
    r"till|under|below|over|above|than|then|most|least|latest|earliest|max\w*|min\w*|up to|within|budget|limit|past|"
    r"by|less|more|onwards?|upwards|and up|tops|fewer|sooner|earlier|later|cheaper|higher|lower|longer|shorter|"
    r"starting|beyond|exceed\w*|out|too|impossible|h\u00f6chstens|mindestens|bis|nach|hasta|despu\u00e9s|como|"
    r"kein\w*|nicht|neither|nor|dont|wont|cant)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of which every denial and every limit has one."""
_WANTS = re.compile(
    r"\b(?:want|like|take|ok|okay|fine|good|great|prefer|book|reserve|choose|pick|yes|after all|then|let's|please|"
    r"instead|works|shall|would|could|make it)\b",
    re.IGNORECASE,
)
"""Words of a sentence that asks for what it names."""
BEGINNING, END = 1_500, 500
"""Of a text over `LONGEST_TEXT` characters so many at its beginning and at its end are read."""
_NEAR, _MOST = 120, 60
"""Words so near to a value say something of it, and so many values of a text are looked at."""
_A_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
_DIGITS = 4
"""So many digits at the end of an id tell it: 'the card ending in 7711'."""


_MOST_JOINED = 6
_BOUNDARY = re.compile(r"(?<=[.!?])\s+|\n\s*")
_FLAG_CLAUSE = re.compile(r"(?:[^.,;!?\n]|[.,](?=\d))+")
_DENIED = re.compile(
    r"\b(?:no|not|without|never|false|off|none|excluding|declin\w+|ohne|kein\w*|sin)\b|n['\u2019]t\b", re.I
)
"""A listing denies a flag in the part of a sentence that names it: `no insurance`, `Insurance: no`."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A `Limit` is what a text says that a value may be at most, or at least, and the words for it."""

    span: Span
    relation: SlotRelation
    value: Value
    quote: str

    def allows(self, value: Value) -> bool:
        """Return whether a value is inside of it."""
        match self.relation:
            case "at_most":
                return value <= self.value
            case "at_least":
                return value >= self.value
            case "less_than":
                return value < self.value
            case "more_than":
                return value > self.value
            case "not":
                return value != self.value
        return True


def read_part(text: str) -> str:
    """Return the part of a text that is read: its beginning, and whole sentences of its end, where it is too long."""
    if len(text) <= LONGEST_TEXT:
        return text
    # An id or a sentence of which the first words are missing would say something else.
    beginning, end = " ".join(text[:BEGINNING].rsplit(None, 1)[:-1]), _BOUNDARY.split(text[-END:], maxsplit=1)
    return "\n\n".join((beginning, *end[1:]))


def unread_part(text: str) -> str:
    """Return in words how much of a text is not read, or "" where all of it is."""
    if len(text) <= LONGEST_TEXT:
        return ""
    return f"it is too long: of {len(text):,} characters only the first {BEGINNING:,} and the last {END:,} are read"


class Said:
    """A text that somebody said, in which values are looked for, once for each type; dates are relative to `now`.

    Attributes:
        text: The part of it that is read.
        is_cut: Whether that is not all of it.
    """

    def __init__(self, text: str, now: datetime, locale: str) -> None:
        self.text, self._now, self._locale = read_part(text), now, locale
        self.is_cut = self.text is not text
        self._plain = f" {plain(self.text)} "
        self._ends = with_ends(self.text)
        self._limits: dict[Type, tuple[Limit, ...]] = {}
        self._values: dict[Type, tuple[tuple[Span, tuple[str, ...]], ...]] = {}
        self._joined: frozenset[str] | None = None
        self._denied_days: tuple[tuple[str, str], ...] | None = None

    @property
    def speaks_against(self) -> bool:
        """Return whether the text may deny something, or set a limit: it has a word that does."""
        return _AGAINST.search(self.text) is not None

    def mentions(self, name: str, value: Any, type: Type) -> bool:
        """Return whether the text has a value of an argument, in any way to write it."""
        own = without_null(type)
        match own:
            case Flag():
                return value in self._flags(name)
            case Number() | Calendar():
                return any(show(value, own) in values for values in self.values(own))
            case Name(_, values) if values is not None:
                name = plain(value.replace("_", " "))
                # 'a subscription' names no category A.
                return bool(matches(self.text, [value])) or (len(name) > 1 and f" {name} " in self._plain)
            case Name():
                return self._has_name(str(value))
        return False

    def values(self, type: Number | Calendar, *, surely: bool = False) -> Iterator[tuple[str, ...]]:
        """Return the dates, times or numbers in the text: of each what it can mean as a value of a type.

        A bare number can be a day or an hour, too, but is `surely` none.
        """
        return (shown for span, shown in self._read(type) if not surely or span.kind == _kind(type))

    def _read(self, type: Number | Calendar) -> tuple[tuple[Span, tuple[str, ...]], ...]:
        """Return where the text has what can be a value of a type, with all that it can mean."""
        if type not in self._values:
            spans = (own for own in spans_in(self.text, self._now, self._locale) if own.kind in (_kind(type), "number"))
            self._values[type] = tuple(
                (own, read_slot_value(own.text, type, self._now, self._locale).shown) for own in spans
            )
        return self._values[type]

    def without_questions(self) -> Said:
        """Return it without its questions of what is so: who asks how much a van would be wants none yet."""
        told = " ".join(own for own in sentences(self.text) if not is_of_fact(own))
        return self if told == self.text else Said(told, self._now, self._locale)

    def denial_of(self, value: str, *, asked: bool = False) -> str | None:
        """Return the words in which the text denies a name: `not with Dana`.

        It is "" where the name is wanted after that, and None where the text says neither. In what the assistant
        `asked`, and the user agreed to, questions want what they name.
        """
        if len(value) > len(self.text):
            return None
        found = None
        for match in islice(re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", self.text, re.IGNORECASE), _MOST):
            span = Span(match.start(), match.end(), match[0], "name")
            if self._relation(span, Name()) == "not":
                found = self._clause(span)
            elif self._is_wanted(span, asked):
                found = ""
        return found

    def wants(self, value: Any, type: Type, *, asked: bool = False) -> bool:
        """Return whether the text asks for a value, and does not only name it: `Dana is fine after all`."""
        own = without_null(type)
        if isinstance(own, Name):
            return self.denial_of(str(value).replace("_", " "), asked=asked) == ""
        if not isinstance(own, Number | Calendar):
            return False
        return any(self._is_wanted(span, asked) for span in self._spans_of(value, own))

    def says(self, name: str, value: Any, type: Type) -> bool:
        """Return whether the text has a value of an argument, and does not deny it or set it as a limit."""
        own = without_null(type)
        if isinstance(own, Number | Calendar):
            return any(True for _ in self._spans_of(value, own))
        return self.mentions(name, value, type) and not (isinstance(own, Name) and self.denial_of(str(value)))

    def _spans_of(self, value: Any, type: Number | Calendar) -> Iterator[Span]:
        """Yield where the text says a value itself, in any way to write it; of a date its day of the week, too."""
        shown = show(value, type)
        day = WEEKDAYS[int(value) % 7].casefold() if type == DATE else ""
        for span, values in self._read(type):
            if (shown in values or (day and day in span.text.casefold())) and self._relation(span, type) == "is":
                yield span

    def _is_wanted(self, span: Span, asked: bool) -> bool:
        """Return whether a sentence with a value asks for it; one that asks a question may want it or not."""
        start, end = self._sentence(span)
        sentence = self.text[start:end]
        return _WANTS.search(sentence) is not None and (asked or self.text[end : end + 1] != "?")

    def _sentence(self, span: Span) -> tuple[int, int]:
        text = self._ends
        start = max(text.rfind(mark, 0, span.start) for mark in ".!?\n") + 1
        ends = [own for mark in ".!?\n" if (own := text.find(mark, span.end)) >= 0]
        return max(start, span.start - _NEAR), min([*ends, len(self.text), span.end + _NEAR])

    def _relation(self, span: Span, type: Type) -> SlotRelation:
        """Return what the words around a span say of it; only words near it are looked at."""
        start = max(0, span.start - _NEAR)
        near = self.text[start : span.end + _NEAR]
        return relation_of(near, Span(span.start - start, span.end - start, span.text, span.kind), type)

    def denied_days(self) -> tuple[tuple[str, str], ...]:
        """Return the days of the week that the text denies, and its words for them: `not on a Wednesday`."""
        if self._denied_days is None:
            self._denied_days = tuple(self._denied())
        return self._denied_days

    def _denied(self) -> Iterator[tuple[str, str]]:
        for match in islice(_A_WEEKDAY.finditer(self.text), _MOST):
            span = Span(match.start(), match.end(), match[0], "date")
            start = max(0, span.start - _NEAR)
            near = Span(span.start - start, span.end - start, span.text, "date")
            day = any_weekday(self.text[start : span.end + _NEAR], near)
            if day is not None and self._relation(span, DATE) == "not":
                yield day, self._clause(span)

    def limits(self, type: Number | Calendar) -> tuple[Limit, ...]:
        """Return the limits of a type in the text: `no earlier than 10`, `under $300`."""
        if type not in self._limits:
            self._limits[type] = tuple(self._limits_of(type))
        return self._limits[type]

    def _limits_of(self, type: Number | Calendar) -> Iterator[Limit]:
        for span in spans_in(self.text, self._now, self._locale):
            is_hour = span.kind == "number" and type == TIME and not counted(self.text, span)
            is_bare_hour = is_hour and _HOUR_LIMIT.search(self.text[: span.start])
            relation = self._relation(span, type) if span.kind == _kind(type) or is_bare_hour else "is"
            if relation == "is":
                continue
            values = read_slot_value(span.text, type, self._now, self._locale).values
            if len(values) == 1 or (values and type == TIME):
                yield Limit(span, relation, values[0], self._clause(span))

    def _clause(self, span: Span) -> str:
        """Return the part of a sentence in which something stands."""
        start = max(self._ends.rfind(mark, 0, span.start) for mark in ".!?;,\n") + 1
        return self.text[start : span.end].strip()

    def _flags(self, name: str) -> frozenset[bool]:
        """Return what the text says of a flag: that it is wanted, that it is not, or both of them."""
        words = {word for word in stems(name) if len(word) > 2}
        return frozenset(
            _DENIED.search(clause[0]) is None
            for clause in _FLAG_CLAUSE.finditer(self.text)
            if words & set(stems(clause[0]))
        )

    def _has_name(self, value: str) -> bool:
        if len(value) > LONGEST_TEXT:
            return False
        name = plain(value)
        if not name:
            return value.strip() in self.text
        if f" {name} " in self._plain or (len(name) > 3 and self._has_joined(name.replace(" ", ""))):
            return True
        digits = re.search(rf"\d{{{_DIGITS}}}$", value)
        return digits is not None and f" {digits[0]} " in self._plain

    def _has_joined(self, letters: str) -> bool:
        """Return whether some words of the text, written as one, are these letters."""
        if self._joined is None:
            words = self._plain.split()
            runs = (words[at : at + size] for size in range(1, _MOST_JOINED) for at in range(len(words)))
            self._joined = frozenset(map("".join, runs))
        return letters in self._joined


def _kind(type: Number | Calendar) -> str:
    """Return the kind of span that says a value of a type."""
    return type.kind if isinstance(type, Calendar) else "number"
