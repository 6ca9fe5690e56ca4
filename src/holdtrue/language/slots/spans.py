"""Find the spans of a text that can be values: dates, times, amounts, numbers, and names of whatever there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, Type

Kind = Literal["date", "time", "number", "name", "words"]
MOST_WORDS = 8
"""A date, a time or an amount has at most so many words."""
LONGEST_TEXT = 1_000
"""Only so many characters of a message are searched for values; a model sees all of it."""
MOST_SPANS, MOST_NAMES = 200, 60
"""So many spans at most are looked at, and so many names among them, the first ones."""

_TOKEN = re.compile(r"[^\s,;!?()\"\u201c\u201d]+(?<![.:])")
_DIGIT = re.compile(r"\d")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTED = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb]{2,80})[\"\u201d\u201c\u00bb]")
_NAME_WORD = r"[A-Z\u00c0-\u00de0-9][\w'&\u2019/-]*"
_SMALL = r"(?:of|the|and|in|at|on|by|for|de|la|del|von|der|du|le|&|to|a)"
_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|Ft)\. )?"
_NAME = re.compile(rf"{_TITLE}{_NAME_WORD}(?: [A-Z]\.(?= [A-Z])|(?: {_SMALL}){{0,2}}[ ]{_NAME_WORD})*")
_JOINING = re.compile(r" (?:and|or|in|at|on|by|for|to) ")
_CLAUSE = re.compile(r"[^.,;!?]+")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, where it is, and what it can mean as people write it; a name is its own text."""

    start: int
    end: int
    text: str
    kind: Kind
    values: tuple[str, ...] = ()

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@lru_cache(maxsize=1024)
def spans_in(text: str, now: datetime, locale: str) -> tuple[Span, ...]:
    """Return the spans of a text that can be values, in their order; those of code first, and no other within them."""
    text = text[:LONGEST_TEXT]
    found = _coded(text, now, locale)
    names = [own for own in _names(text) if not any(own.overlaps(other) and other.kind != "number" for other in found)]
    taken = {(own.start, own.end) for own in names}
    names = list({(own.start, own.end): own for own in names}.values())[:MOST_NAMES]
    chunks = [own for own in _chunks(text) if (own.start, own.end) not in taken][: MOST_SPANS - MOST_NAMES - len(found)]
    return tuple(sorted((*found, *names, *chunks), key=lambda own: (own.start, own.end)))


_TYPES: tuple[tuple[Kind, Type], ...] = (("date", Calendar("date")), ("time", Calendar("time")), ("number", Number()))


def _coded(text: str, now: datetime, locale: str) -> list[Span]:
    """Return the longest spans that code reads whole: the number in a date is no number, and a bare one no date."""
    tokens = [(own.start(), own.end()) for own in _TOKEN.finditer(text)]
    found: list[Span] = []
    for size in range(min(MOST_WORDS, len(tokens)), 0, -1):
        for at in range(len(tokens) - size + 1):
            start, end = tokens[at][0], tokens[at + size - 1][1]
            if not any(start < own.end and own.start < end for own in found):
                span = _read(Span(start, end, text[start:end], "number"), now, locale)
                if span is not None:
                    found.append(span)
    return found[: MOST_SPANS - MOST_NAMES]


def is_no_number(text: str) -> bool:
    """Return whether a text ends with an article or a joining word, which counts nothing."""
    return text.casefold().split()[-1:] == [] or text.casefold().split()[-1] in _NO_NUMBER


def _read(span: Span, now: datetime, locale: str) -> Span | None:
    if is_no_number(span.text):
        return None
    kinds = reversed(_TYPES) if read_slot_value(span.text, Number(), now, locale).values else _TYPES
    for kind, type in kinds:
        read = read_slot_value(span.text, type, now, locale)
        if read.values:
            return Span(span.start, span.end, span.text, kind, read.shown)
    return None


def _names(text: str) -> Iterator[Span]:
    """Yield what is quoted or written with capital letters, whole and in its parts."""
    for own in _QUOTED.finditer(text):
        yield Span(own.start(1), own.end(1), own[1], "name")
    for own in _ADDRESS.finditer(text):
        yield Span(own.start(), own.end(), own[0], "name")
    for own in _NAME.finditer(text):
        begins = not text[: own.start()].rstrip() or text[: own.start()].rstrip()[-1] in ".!?"
        yield from _with_parts(own[0], own.start(), begins)


def _with_parts(text: str, start: int, begins: bool) -> Iterator[Span]:
    """Yield a name and its parts; where a sentence `begins` with a capital, its first word may be none of the name."""
    first, _, rest = text.partition(" ")
    leads = first.casefold() in LEADS
    if rest and leads:
        yield from _with_parts(rest, start + len(first) + 1, False)
    if text.casefold() in LEADS or text.isdigit() or (leads and begins and first.casefold() not in ("the", "a", "my")):
        return
    yield Span(start, start + len(text), text, "name")
    at = 0
    joints = list(_JOINING.finditer(text))
    for joint in joints:
        yield Span(start + at, start + joint.start(), text[at : joint.start()], "name")
        at = joint.end()
    if joints:
        yield Span(start + at, start + len(text), text[at:], "name")


LEADS = frozenset(
    "to from in with near i'd i'll i've i'm it's that's there's what's i you your do does did would will should shall "
    "can could how what when where which who is are was there it its the this that they please sure ok okay yes no "
    "great alright so and confirm have if at on for one find another anything want any here need let good enjoy sorry "
    "unfortunately book play make my we hi hello hey thanks thank actually well maybe also then but not just get show "
    "search look looking reserve buy try add a an or".split()
)
"""Words in capitals at the beginning of a sentence that begin no name."""
_NO_NUMBER = frozenset("a an and or ein eine einen und oder un una y o".split())
_STOPS = LEADS | frozenset(
    "a an of with from by as or me him her us them some am be been being like love prefer interested going go want "
    "wanted looking see seeing watch watching listen hear about out up new tell give something someone somewhere "
    "today tomorrow it's i'm i'd i'll i've that's don't doesn't people person seats tickets rooms room day days "
    "yeah yep nope nah perfect cool fine sounds works right correct".split()
)
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w'\u2019&-]*")


def _chunks(text: str) -> Iterator[Span]:
    """Yield runs of one to three words that do not just hold sentences together, for names in small letters."""
    for clause in _CLAUSE.finditer(text):
        run: list[tuple[int, int]] = []
        for own in [*_WORD.finditer(text, clause.start(), clause.end()), None]:
            if own is not None and own[0].casefold() not in _STOPS:
                run.append(own.span())
                continue
            yield from _runs(text, run)
            run = []


def _runs(text: str, run: Sequence[tuple[int, int]]) -> Iterator[Span]:
    for size in range(1, min(4, len(run) + 1)):
        for at in range(len(run) - size + 1):
            start, end = run[at][0], run[at + size - 1][1]
            yield Span(start, end, text[start:end], "words")
