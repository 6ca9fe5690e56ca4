"""Find the spans of a text that can be values: dates, times, amounts, numbers, and names of whatever there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Literal

from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Number, Type

Kind = Literal["date", "time", "number", "name", "words"]
MOST_WORDS = 8
"""A date, a time or an amount has at most so many words."""
LONGEST_TEXT, LONGEST_WORDS = 8_000, 1_000
"""Only so many characters and words of a message are searched for values; a model sees all of it."""
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


def spans_in(text: str, now: datetime, locale: str) -> tuple[Span, ...]:
    """Return the spans of a text that can be values, in their order; those of code first, and no other within them."""
    return _search(text, now, locale)[0]


def is_searched_whole(text: str, now: datetime, locale: str) -> bool:
    """Return whether all of a text is searched for values; of names in small letters only the first ones ever are."""
    return _search(text, now, locale)[1]


@lru_cache(maxsize=1024)
def _search(text: str, now: datetime, locale: str) -> tuple[tuple[Span, ...], bool]:
    """Return the spans of a text, and whether nothing was left out."""
    searched = _searched(text)
    coded = _coded(searched, now, locale)
    found = coded[: MOST_SPANS - MOST_NAMES]
    names = [
        own for own in _names(searched) if not any(own.overlaps(other) and other.kind != "number" for other in found)
    ]
    taken = {(own.start, own.end): own for own in names}
    kept = list(taken.values())[:MOST_NAMES]
    whole = (len(searched), len(found), len(kept)) == (len(text), len(coded), len(taken))
    chunks = [own for own in _chunks(searched) if (own.start, own.end) not in taken]
    chunks = chunks[: MOST_SPANS - MOST_NAMES - len(found)]
    return tuple(sorted((*found, *kept, *chunks), key=lambda own: (own.start, own.end))), whole


def _searched(text: str) -> str:
    """Return the part of a text that is searched."""
    text = text[:LONGEST_TEXT]
    words = islice(_TOKEN.finditer(text), LONGEST_WORDS, None)
    beyond = next(words, None)
    return text if beyond is None else text[: beyond.start()]


_MOMENTS: tuple[tuple[Kind, Type], ...] = (("date", Calendar("date")), ("time", Calendar("time")))


def _coded(text: str, now: datetime, locale: str) -> list[Span]:
    """Return the longest spans that code reads whole: the number in a date is no number, and a bare one no date."""
    tokens = [(own.start(), own.end()) for own in _TOKEN.finditer(text)]
    # A place that is taken, or whose word is part of no value, ends all runs of words.
    free = [text[start:end].casefold() not in _OF_NO_VALUE for start, end in tokens]
    known: dict[str, tuple[Kind, tuple[str, ...]] | None] = {}
    found: list[Span] = []
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
            read = known[words]
            if read is not None and not (read[0] == "date" and _is_no_day(text, words, end)):
                found.append(Span(start, end, words, *read))
                free[last - size + 1 : last + 1] = [False] * size
                run = 0
    return [each for own in found for each in _settled(own, text, now, locale)]


_AT = re.compile(
    r"at (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: please)?", re.IGNORECASE
)
_NO_HOUR = re.compile(
    r" ?(?:[$\u20ac\u00a3%]|percent|(?-i:[A-Z])\w*|\w+s\b(?!\w)|(?:people|a|per|each|dollars?|euros?|pounds?|km|and)\b)"
    r"|[-:.]\d|-",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?P<first>\d{1,2}) to (?P<second>\d{1,2} ?(?P<half>[ap]\.?m\b\.?))", re.IGNORECASE)
_OF_AN_HOUR = re.compile(r" ?(?:[ap]\.?m\b|o'clock)", re.IGNORECASE)
_OF_THINGS = re.compile(r" (?!is\b|as\b|was\b|works\b|suits\b|has\b|this\b|please\b)[a-z]{2,}s\b")


_DAY_AND_WORD = re.compile(r"[a-z]+day (?:one|two|three|four|five|six|seven|eight|nine|ten|first)", re.IGNORECASE)


def _is_no_day(text: str, words: str, end: int) -> bool:
    """Return whether a number in words that end at a place is no day of a month: 'the 2 pm show', 'the Friday one'."""
    if _DAY_AND_WORD.fullmatch(words) is not None:
        return True
    return words[-1].isdigit() and _counts_more(text, end)


def _counts_more(text: str, end: int) -> bool:
    """Return whether a bare number counts what follows: 'the 2 pm show', 'the 24 roses'."""
    return _OF_AN_HOUR.match(text[end:]) is not None or _OF_THINGS.match(text[end:]) is not None


def _settled(own: Span, text: str, now: datetime, locale: str) -> Iterator[Span]:
    """Yield a span as what stands around it makes it: 'at 11' is a time of day, and '9 to 11 am' are two."""
    span_range = _RANGE.fullmatch(own.text) if own.kind == "time" else None
    if own.kind == "number" and _AT.fullmatch(own.text) and _NO_HOUR.match(text[own.end :]) is None:
        values = read_slot_value(own.text, Calendar("time"), now, locale).shown
        yield Span(own.start, own.end, own.text, "time", values) if values else own
    elif span_range is not None:
        for name in ("first", "second"):
            words = span_range["second"] if name == "second" else f"{span_range['first']} {span_range['half']}"
            values = read_slot_value(words, Calendar("time"), now, locale).shown
            start, end = own.start + span_range.start(name), own.start + span_range.end(name)
            yield Span(start, end, text[start:end], "time", values)
    else:
        yield own


def is_no_number(text: str) -> bool:
    """Return whether a text ends with an article or a joining word, which counts nothing."""
    return text.casefold().split()[-1:] == [] or text.casefold().split()[-1] in _NO_NUMBER


def _read(words: str, now: datetime, locale: str) -> tuple[Kind, tuple[str, ...]] | None:
    if is_no_number(words):
        return None
    number = read_slot_value(words, Number(), now, locale)
    if number.values:
        return "number", number.shown
    for kind, type in _MOMENTS:
        read = read_slot_value(words, type, now, locale)
        if read.values:
            return kind, read.shown
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
    if _SHORTENED.fullmatch(text) is not None:
        return
    yield Span(start, start + len(text), text, "name")
    at = 0
    joints = list(_JOINING.finditer(text))
    for joint in joints:
        yield Span(start + at, start + joint.start(), text[at : joint.start()], "name")
        at = joint.end()
    if joints:
        yield Span(start + at, start + len(text), text[at:], "name")


_SHORTENED = re.compile(
    r"(?:I|we|you|they|he|she|it|that|there|what|who|let|here|how|where|don|can|won|isn|aren|doesn|didn|couldn|wouldn)"
    r"['\u2019]\w+",
    re.IGNORECASE,
)
"""Words such as 'we'd', which are no names wherever they stand."""
LEADS = frozenset(
    "to from in with near i'd i'll i've i'm it's that's there's what's i you your do does did would will should shall "
    "can could how what when where which who is are was there it its the this that they please sure ok okay yes no "
    "great alright so and confirm have if at on for one find another anything want any here need let good enjoy sorry "
    "unfortunately book play make my we hi hello hey thanks thank actually well maybe also then but not just get show "
    "search look looking reserve buy try add a an or once now both everything nothing same only oh lovely nice cool "
    "perfect noted one two three four five six".split()
)
"""Words in capitals at the beginning of a sentence that begin no name."""
_OF_NO_VALUE = frozenset(
    "i i'm i'd i'll i've you you're we we're we'd we'll he she it it's they me him her them my your our his its "
    "their was were is are be been being have has had would could should can can't don't want wanted need needs like "
    "liked love know think see saw go going went come came make made take took said tell told give book reserve "
    "find that that's there here what which who how why when where because but than very really much many some "
    "people guests friend friends table restaurant weather nice good great fun not no yes ok okay thanks hello hi "
    "er sie wir ihr ich ist sind war hat haben wird werden kann aber nicht auch mit bei los se su no "
    "pero como muy están".split()
)
"""Words that are part of no date, no time and no amount, so that nothing around them need be read."""
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
