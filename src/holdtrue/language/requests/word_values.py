"""Compute an argument's value from words, and find a known value in a text of any language.

A text with a known date, time of day or number may also have other meanings. The search asks only whether the known
value is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from holdtrue.language.names import without_accents
from holdtrue.language.requests.operation import Argument, Content, RequestContext
from holdtrue.language.requests.spans import spans_of
from holdtrue.language.requests.written_moments import dates_in, times_in
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.slot_values.spelled_numbers import LANGUAGES, Languages, says_number
from holdtrue.logic.value_sorts import DATE, WEEKDAYS, Calendar
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Name, Number, Type, without_null
from holdtrue.rules.values import to_json

_LETTERS = re.compile(r"[^\W\d_]+")


def stem(word: str) -> str:
    """Return a word without its common endings, so that 'leaving' and 'leaves' agree."""
    word = word.casefold()
    for ending in ("ings", "ing", "edly", "ies", "ed", "es", "s", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text, in order."""
    return [stem(word) for word in _LETTERS.findall(text.replace("_", " ").replace("-", " "))]


How = Literal["literal", "code", "several", "chosen", "none"]
"""The way in which words support a value.

`literal`: the value occurs in the words. `code`: code computed the value from them. `several`: the words can also mean
other values. `chosen`: a reader chose the value.
"""
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\s=|]+")
_ENDS = " \t\n.,;:!?\"'()[]{}<>\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019*`"
_PERCENT = re.compile(r"(\d+(?:[.,]\d+)?) ?(?:%|percent|per cent|prozent|por ciento)", re.IGNORECASE)
_LONGEST = 200
_ID = re.compile(r"(?=\S*\d)(?:(?=\S*[A-Z#_/-])\S+|\d{4,})")
_MOMENT = re.compile(
    r"\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{4}|\d\d))?|(?:\d{4}-\d\d-\d\dT?)?(?:\d\d:\d\d\S*)?|(?:19|20)\d\d"
)


@dataclass(frozen=True, slots=True)
class WordValue:
    """A `WordValue` is the value of some words with the `others` that they can mean, or the reason for no value."""

    value: Content | None
    how: How = "none"
    others: tuple[Content, ...] = ()
    why: str = ""


def plain(text: str) -> str:
    """Return a text in small letters, without accents and marks, with single blanks between words."""
    return " ".join(_WORD.findall(without_accents(text.casefold())))


def stands_in(name: str, text: str) -> bool:
    """Return whether a text has all words of a name, in its order."""
    own = plain(name)
    return bool(own) and f" {own} " in f" {plain(text)} "


def named_in(text: str, values: Iterable[str]) -> list[str]:
    """Return the values that a text names literally. 'Second class' does not name a value 'class'."""
    named = [own for own in values if stands_in(own, text)]
    return [own for own in named if not any(plain(own) != plain(each) and stands_in(own, each) for each in named)]


def word_tokens(text: str) -> list[str]:
    """Return the words of a text without the marks around them; ids keep their signs."""
    return [own for _, _, own in word_places(text)]


def word_places(text: str) -> list[tuple[int, int, str]]:
    """Return the start and end of each of the `word_tokens` of a text, with the word."""
    found = (
        (own.start() + len(own[0]) - len(own[0].lstrip(_ENDS)), own[0].strip(_ENDS)) for own in _TOKEN.finditer(text)
    )
    return [(start, start + len(own), own) for start, own in found if own]


def is_id_like(token: str) -> bool:
    """Return whether a word looks like an id: a digit with a capital or a sign, or at least four digits."""
    return _ID.fullmatch(token) is not None and not _MOMENT.fullmatch(token)


def value_in(
    quote: str,
    argument: Argument,
    text: str,
    context: RequestContext,
    chosen: object = None,
    relation: SlotRelation = "is",
) -> WordValue:
    """Return the value of a quote from a text for an argument. A reader has `chosen` one of its choices, or a flag."""
    own = without_null(argument.type)
    match own:
        case Flag():
            return WordValue(chosen, "chosen") if isinstance(chosen, bool) else WordValue(None, why="no flag is chosen")
        case Name(_, values) if values is not None:
            return _choice(quote, values, chosen)
        case Name(kind, _) if kind:
            return _id(quote, text, context)
        case Name():
            name = quote.strip(_ENDS)
            return WordValue(name, "literal") if name and len(name) <= _LONGEST else WordValue(None, why="no words")
        case Number() | Calendar("date" | "time"):
            return _computed(quote, own, text, context, relation)
    return WordValue(None, why=f"{own} is not read from words")


def _choice(quote: str, values: tuple[str, ...], chosen: object) -> WordValue:
    whole = named_in(quote, values)
    if len(whole) == 1 and chosen in (None, whole[0]):
        return WordValue(whole[0], "literal")
    if isinstance(chosen, str) and chosen in values:
        return WordValue(chosen, "chosen")
    return WordValue(None, why=f"it names {'several' if whole else 'none'} of its values")


def _id(quote: str, text: str, context: RequestContext) -> WordValue:
    """Return the id in a quote: one that was shown, or its only word with a digit."""
    wanted = word_tokens(quote)
    words = [own for own in dict.fromkeys(word_tokens(text)) if own in wanted or (len(wanted) == 1 and quote in own)]
    shown = [own for own in words if own in context.shown]
    found = shown or [own for own in words if any(map(str.isdigit, own))] or (words if len(words) == 1 else [])
    if len(found) == 1:
        return WordValue(found[0], "literal")
    return WordValue(None, why="it has several ids" if found else "no id stands in the message as a word of its own")


def _computed(
    quote: str, type: Number | Calendar, text: str, context: RequestContext, relation: SlotRelation
) -> WordValue:
    spans = spans_of(text, type, context.now, context.locale)
    # The quote '4:15' from '4:15 in the evening' means the evening.
    whole = next((own.text for own in spans if quote and stands_in(quote, own.text)), quote)
    read = read_slot_value(whole, type, context.now, context.locale)
    if not read.values:
        parts = spans_of(quote, type, context.now, context.locale)
        if len(parts) == 1:
            whole, read = parts[0].text, read_slot_value(parts[0].text, type, context.now, context.locale)
    if relation == "not" and type == DATE and (day := _weekday(whole)):
        return WordValue(day, "code")
    found = [content_of(own, type) for own in read.shown]
    share = _PERCENT.search(quote)
    if isinstance(type, Number) and share is not None:
        number = Fraction(share[1].replace(",", "."))
        found = [content_of(str(float(number)), type), content_of(str(float(number / 100)), type)]
    if not found:
        return WordValue(None, why=read.why)
    return WordValue(found[0], "code" if len(found) == 1 else "several", tuple(found[1:]))


def _weekday(words: str) -> str:
    named = [own for own in WEEKDAYS if stands_in(own, words)]
    return named[0] if len(named) == 1 and not any(map(str.isdigit, words)) else ""


def content_of(shown: str, type: Type) -> Content:
    """Return the JSON form of a value that is given as people write it."""
    if not isinstance(type, Number):
        return shown
    number = float(Fraction(shown.split()[0]))
    return int(number) if number.is_integer() else number


_SPACES = "[ \u00a0\u202f]"
_THOUSAND = 1000
_MOST_DIGITS, _MOST_SPELLED = 15, 1_000_000


def is_written(
    value: object,
    type: Number | Calendar,
    text: str,
    now: date | None = None,
    languages: Languages = LANGUAGES,
) -> bool:
    """Return whether a text has a value of a type. The text was written at `now`, in one of these languages.

    >>> is_written(Fraction(18000), Number(), "18 000,00 EUR"), is_written(Fraction(18), Number(), "18.5 or 118")
    (True, False)
    >>> is_written(Fraction(48), Number(), "quarante-huit pots"), is_written(Fraction("6.2"), Number(), "at six twenty")
    (True, True)
    """
    shown = to_json(value, type)
    if isinstance(type, Number):
        return _has_number(shown, text, languages)
    if type.kind == "date" and isinstance(shown, str):
        return any(own.means(date.fromisoformat(shown), now) for own in dates_in(text, languages))
    if type.kind == "time" and isinstance(shown, str):
        hour, minute = map(int, shown.split(":")[:2])
        return any((hour, minute) in own.options for own in times_in(text, languages))
    return False


def _has_number(shown: object, text: str, languages: Languages) -> bool:
    if isinstance(shown, bool) or not isinstance(shown, int | float) or abs(shown) >= 10**_MOST_DIGITS or shown < 0:
        return False
    number = Decimal(str(shown))
    whole, cents = int(number), number * 100 % 100
    if _pattern(number).search(_folded(text)) is not None:
        return True
    return whole < _MOST_SPELLED and not cents % 1 and says_number(whole, int(cents), text, languages)


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    return without_accents(text.casefold())


@lru_cache(maxsize=1024)
def _pattern(number: Decimal) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d.,/:-])(?:{'|'.join(_numbers(number))})(?![\d:]|[/.,-]\d|[^\W\d_]{{4}}|k\b)")


def _numbers(number: Decimal) -> Iterator[str]:
    """Yield patterns for a number, with any sign between thousands and either sign before the decimals."""
    whole, _, rest = format(number, "f").partition(".")
    rest = rest.rstrip("0")
    grouped = f"{int(whole):,}".split(",")
    wholes = [whole, *(sign.join(grouped) for sign in (r"\.", ",", "['\u2019]", _SPACES) if len(grouped) > 1)]
    decimals = f"[.,]{rest}0*" if rest else "(?:[.,]0{1,2})?"
    yield from (f"{each}{decimals}" for each in wholes)
    if number >= _THOUSAND and number % 100 == 0:
        yield rf"{format(number / _THOUSAND, 'f').rstrip('0').rstrip('.').replace('.', '[.,]')}{_SPACES}?k(?=\b)"
