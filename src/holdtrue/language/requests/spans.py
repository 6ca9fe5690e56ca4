"""Find the dates, times and amounts in a text: the longest runs of words that code reads completely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Literal

from holdtrue.language.slot_values.slot_value import is_article, is_of_value, read_slot_value
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, Type

Kind = Literal["date", "time", "number"]
MOST_WORDS = 8
"""The largest number of words of a date, a time or an amount."""
LONGEST_TEXT, LONGEST_WORDS = 8_000, 1_000
"""The most characters and words of a message that are searched for values. A model sees all of it."""
MOST_SPANS = 140
"""The largest number of spans of a message that are used, from the first on."""
_TOKEN = re.compile(r"[^\s,;!?()\"\u201c\u201d]+(?<![.:])")
_KINDS: tuple[tuple[Kind, Type], ...] = (("number", Number()), ("date", Calendar("date")), ("time", Calendar("time")))
_RANGE = re.compile(r"(?P<first>\d{1,2}) to (?P<second>\d{1,2} ?(?P<half>[ap]\.?m\b\.?))", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"\d+$")
_SIGNED = re.compile(r"(?<![\w)])[-\u2212]$")
_SIGN = re.compile(r" ?[$\u20ac\u00a3\u00a5%\u00b0]")


@dataclass(frozen=True, slots=True)
class Span:
    """A `Span` is a part of a text that can be read as a value. `values` are all its meanings, as JSON has them."""

    start: int
    end: int
    text: str
    kind: Kind
    values: tuple[str, ...] = ()

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether the span overlaps another part of the text."""
        return self.start < end and start < self.end


def spans_in(text: str, now: datetime, locale: str) -> tuple[Span, ...]:
    """Return the spans of a text that are values, in order. None lies within another."""
    return _search(text, now, locale)[0]


def spans_of(text: str, type: Number | Calendar, now: datetime, locale: str) -> list[Span]:
    """Return the spans of a text with the form of a type: numbers, dates or times of day."""
    return [own for own in spans_in(text, now, locale) if own.kind == kind_of_type(type)]


def kind_of_type(type: Number | Calendar) -> str:
    """Return the kind of the spans that are values of a type."""
    return type.kind if isinstance(type, Calendar) else "number"


def is_searched_whole(text: str, now: datetime, locale: str) -> bool:
    """Return whether a text is short enough to be searched completely."""
    return _search(text, now, locale)[1]


@lru_cache(maxsize=1024)
def _search(text: str, now: datetime, locale: str) -> tuple[tuple[Span, ...], bool]:
    searched = _searched(text)
    found = sorted(_spans(searched, now, locale), key=lambda own: own.start)
    return tuple(found[:MOST_SPANS]), len(searched) == len(text) and len(found) <= MOST_SPANS


def _searched(text: str) -> str:
    text = text[:LONGEST_TEXT]
    beyond = next(islice(_TOKEN.finditer(text), LONGEST_WORDS, None), None)
    return text if beyond is None else text[: beyond.start()]


def _spans(text: str, now: datetime, locale: str) -> Iterator[Span]:
    """Yield the longest spans that code reads completely, so that a number inside a date is no number."""
    tokens = [(own.start(), own.end()) for own in _TOKEN.finditer(text)]
    # A word that belongs to a found span, or to no value, ends all runs of words.
    free = [is_of_value(text[start:end], locale) for start, end in tokens]
    known: dict[str, tuple[Kind, tuple[str, ...]] | None] = {}
    for size in range(min(MOST_WORDS, len(tokens)), 0, -1):
        run = 0
        for last, (_, end) in enumerate(tokens):
            run = run + 1 if free[last] else 0
            if run < size:
                continue
            start = tokens[last - size + 1][0]
            words = text[start:end]
            if words not in known:
                known[words] = _read(words, now, locale)
            if (read := known[words]) is not None and not _goes_on(text, tokens[last : last + 2], read[0], now, locale):
                yield from _parts(Span(start, end, words, *read), now, locale)
                free[last - size + 1 : last + 1] = [False] * size
                run = 0


def _goes_on(text: str, tokens: list[tuple[int, int]], kind: Kind, now: datetime, locale: str) -> bool:
    """Return whether the last number of some words belongs to a value with the next word. Such words are not a span.

    'The 2' of 'the 2 pm show' is no day. '6 to 8' of 'from 6 to 8 March' is no time.
    """
    number = _LAST_NUMBER.search(text[tokens[0][0] : tokens[0][1]]) if len(tokens) > 1 else None
    if number is None or kind == "number" or text[tokens[1][0]].isdigit():
        return False
    return _read(f"{number[0]} {text[tokens[1][0] : tokens[1][1]]}", now, locale) is not None


def _parts(own: Span, now: datetime, locale: str) -> Iterator[Span]:
    """Yield a span, or the two times of `9 to 11 am`."""
    both = _RANGE.search(own.text) if own.kind == "time" else None
    if both is None:
        yield own
        return
    for name, words in (("first", f"{both['first']} {both['half']}"), ("second", both["second"])):
        start, end = own.start + both.start(name), own.start + both.end(name)
        values = read_slot_value(words, Calendar("time"), now, locale).shown
        yield Span(start, end, own.text[both.start(name) : both.end(name)], "time", values)


def _read(words: str, now: datetime, locale: str) -> tuple[Kind, tuple[str, ...]] | None:
    if is_article(words, locale):
        return None
    for kind, type in _KINDS:
        read = read_slot_value(words, type, now, locale)
        if read.values:
            return kind, read.shown
    return None


def has_sign(text: str, span: Span) -> bool:
    """Return whether a number has a minus, or a sign for a currency, for percent or for degrees."""
    return _SIGN.match(text[span.end :]) is not None or _SIGNED.search(text[: span.start]) is not None
